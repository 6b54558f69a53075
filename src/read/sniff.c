/* sniff.c - first bytes against everything that people have handed to a profile reader. */
#include "read/sniff.h"

#include <string.h>

#include "base/arena.h"
#include "read/gzip.h"

enum { HEAD = 4096, GZIP_HEAD = 64 << 10, GZIP_PEEK = 512 };

#define HDF5_SIGNATURE "\x89HDF\r\n\x1a\n"

typedef struct head {
  const unsigned char *p;
  size_t n;
} head;

static bool begins(head h, const char *bytes, size_t n) {
  return h.n >= n && memcmp(h.p, bytes, n) == 0;
}

/* Files of a known kind that is not ours; `bytes` may hold NULs. */
typedef struct other_kind {
  const char *bytes;
  size_t n;
  sp_status code;
  const char *message;
} other_kind;

#define STARTS(literal) (literal), sizeof(literal) - 1

static const other_kind damaged_transfers[] = {
    {STARTS("\x89HDF\n\x1a\n"), SP_CORRUPT,
     "an HDF5 file whose line ends were converted (CR LF to LF) by a text-mode transfer; copy it "
     "again in binary mode"},
    {STARTS("\x89HDF\r\r\n"), SP_CORRUPT,
     "an HDF5 file whose line ends were converted (LF to CR LF) by a text-mode transfer; copy it "
     "again in binary mode"},
    {STARTS("\x89HDF\n\n\x1a\n"), SP_CORRUPT,
     "an HDF5 file whose line ends were converted (CR to LF) by a text-mode transfer; copy it "
     "again in binary mode"},
    {STARTS("\tHDF\r\n\x1a\n"), SP_CORRUPT,
     "an HDF5 file whose bytes were cut to 7 bits on the way; copy it again in binary mode"},
    {STARTS("\xef\xbf\xbdHDF"), SP_CORRUPT,
     "an HDF5 file that was opened and saved as text: its bytes are lost; copy it again"},
    {STARTS("\xc2\x89HDF"), SP_CORRUPT,
     "an HDF5 file that was converted to UTF-8 as if it were text; copy it again in binary mode"},
    {STARTS("iUhERg0KGgo"), SP_NOT_A_PROFILE, "Base64 text around an HDF5 file; decode it first"},
};

static const other_kind others[] = {
    {STARTS("SCOPESMP"), SP_NOT_A_PROFILE,
     "line samples (.sps), not a profile; `profscope native-lines` reads them"},
    {STARTS("version https://git-lfs"), SP_NOT_A_PROFILE,
     "a Git LFS pointer in place of the data; fetch it with `git lfs pull`"},
    {STARTS("\x0e\x03\x13\x01"), SP_NOT_A_PROFILE, "an HDF4 file; profiles are HDF5"},
    {STARTS("CDF\x01"), SP_NOT_A_PROFILE, "a netCDF-3 file; profiles are HDF5"},
    {STARTS("CDF\x02"), SP_NOT_A_PROFILE, "a netCDF-3 file; profiles are HDF5"},
    {STARTS("CDF\x05"), SP_NOT_A_PROFILE, "a netCDF-3 file; profiles are HDF5"},
    {STARTS("PK\x03\x04"), SP_NOT_A_PROFILE, "a zip archive; unpack the profile first"},
    {STARTS("PK\x05\x06"), SP_NOT_A_PROFILE, "an empty zip archive"},
    {STARTS("BZh"), SP_NOT_A_PROFILE, "compressed with bzip2; unpack it first"},
    {STARTS("\xfd"
            "7zXZ\0"),
     SP_NOT_A_PROFILE, "compressed with xz; unpack it first"},
    {STARTS("\x28\xb5\x2f\xfd"), SP_NOT_A_PROFILE, "compressed with Zstandard; unpack it first"},
    {STARTS("7z\xbc\xaf\x27\x1c"), SP_NOT_A_PROFILE, "a 7z archive; unpack the profile first"},
    {STARTS("memray"), SP_NOT_A_PROFILE,
     "a Memray capture: allocations, not times; `memray` reads it"},
    {STARTS("PERFILE2"), SP_NOT_A_PROFILE, "recorded by Linux perf, not by scope-profiler"},
    {STARTS("\x93NUMPY"), SP_NOT_A_PROFILE, "a NumPy array file, not a profile"},
    {STARTS("\x7f"
            "ELF"),
     SP_NOT_A_PROFILE, "a program, not the profile it wrote"},
    {STARTS("%PDF-"), SP_NOT_A_PROFILE, "a PDF document, not a profile"},
    {STARTS("\x89PNG"), SP_NOT_A_PROFILE, "a PNG picture, not a profile"},
};

static sp_status match(head h, const other_kind *kinds, size_t count, sp_error *err) {
  for (size_t i = 0; i < count; i++)
    if (begins(h, kinds[i].bytes, kinds[i].n))
      return sp_fail(err, kinds[i].code, NULL, "%s", kinds[i].message);
  return SP_OK;
}

/* An HDF5 file may begin with a user block of 512, 1024, 2048, ... bytes. */
static sp_status find_signature(sp_source *source, uint64_t from, bool *found, sp_error *err) {
  *found = false;
  for (uint64_t at = from; at < source->size && source->size - at >= 8; at *= 2) {
    char bytes[8];
    SP_TRY(sp_source_read(source, at, sizeof bytes, bytes, err));
    *found = memcmp(bytes, HDF5_SIGNATURE, sizeof bytes) == 0;
    if (*found || at > UINT64_MAX / 2) return SP_OK;
  }
  return SP_OK;
}

/* What the beginning of the unpacked bytes is. The decoder is given too little input and too
 * little room on purpose: what it wrote up to there is all that is looked at. */
static sp_status sniff_gzip(sp_source *source, sp_file_kind *kind, sp_error *err) {
  size_t n = source->size < GZIP_HEAD ? (size_t)source->size : GZIP_HEAD, took, gave;
  unsigned char *in = sp_alloc(n), out[GZIP_PEEK] = {0};
  sp_status status = in ? SP_OK : sp_fail(err, SP_NOMEM, NULL, "out of memory");
  if (status == SP_OK) status = sp_source_read(source, 0, n, in, err);
  if (status == SP_OK && sp_gzip_unpack(in, n, out, sizeof out, &took, &gave) == SP_GZIP_NO_MEMORY)
    status = sp_fail(err, SP_NOMEM, NULL, "out of memory");
  sp_free_block(in);
  SP_TRY(status);
  head h = {out, sizeof out};
  if (begins(h, STARTS(HDF5_SIGNATURE)))
    return sp_fail(err, SP_NOT_A_PROFILE, NULL, "gzip, not HDF5: unpack it first (`gunzip`)");
  if (begins(h, STARTS("SCOPEPRF")))
    return sp_fail(err, SP_NOT_A_PROFILE, NULL, "gzip around a .spt trace: unpack it first");
  size_t at = 0;
  while (at < sizeof out - 1 && strchr(" \t\r\n", out[at]) && out[at]) at++;
  if (out[at] != '{' && out[at] != 0)
    return sp_fail(err, SP_NOT_A_PROFILE, NULL,
                   "gzip around something that is neither HDF5 nor a JSON profile");
  *kind = SP_FILE_JSON_GZIP;
  return SP_OK;
}

static bool all_zero(head h) {
  for (size_t i = 0; i < h.n; i++)
    if (h.p[i]) return false;
  return true;
}

/* No control characters but white space: bytes above 127 may be any encoding. */
static bool is_text(head h) {
  for (size_t i = 0; i < h.n; i++)
    if (h.p[i] == 0x7f || (h.p[i] < 32 && (h.p[i] == 0 || !strchr("\t\n\v\f\r", h.p[i]))))
      return false;
  return true;
}

/* What the first 4 KiB tell; SP_OK with *sure false when they tell nothing. */
static sp_status sniff_head(sp_source *source, head h, sp_file_kind *kind, bool *sure,
                            sp_error *err) {
  *sure = true;
  if (begins(h, STARTS(HDF5_SIGNATURE))) {
    *kind = SP_FILE_HDF5;
    if (source->size > 8) return SP_OK;
    return sp_fail(err, SP_CORRUPT, NULL,
                   "cut off: 8 bytes, only the signature of an HDF5 file; the run may have been "
                   "killed while it wrote");
  }
  if (begins(h, STARTS("SCOPEPRF"))) {
    *kind = SP_FILE_NATIVE_TRACE;
    return SP_OK;
  }
  if (begins(h, STARTS("\x1f\x8b"))) return sniff_gzip(source, kind, err);
  SP_TRY(match(h, damaged_transfers, SP_ARRAY_LEN(damaged_transfers), err));
  SP_TRY(match(h, others, SP_ARRAY_LEN(others), err));
  if (h.n < 8 && memcmp(h.p, HDF5_SIGNATURE, h.n) == 0)
    return sp_fail(err, SP_CORRUPT, NULL,
                   "cut off: %zu bytes of the signature of an HDF5 file; the run may have been "
                   "killed while it wrote",
                   h.n);
  *sure = false;
  return SP_OK;
}

/* Text of some kind, or nothing known. */
static sp_status sniff_text(head h, sp_file_kind *kind, sp_error *err) {
  size_t at = begins(h, STARTS("\xef\xbb\xbf")) ? 3 : 0;
  while (at < h.n && h.p[at] && strchr(" \t\r\n", h.p[at])) at++;
  char first = at < h.n ? (char)h.p[at] : '\0';
  if (all_zero(h))
    return sp_fail(err, SP_CORRUPT, NULL,
                   "nothing but zero bytes at its start: its blocks were reserved but never "
                   "written");
  if (first == '{') {
    for (at++; at < h.n && h.p[at] && strchr(" \t\r\n", h.p[at]);) at++;
    *kind = SP_FILE_JSON;
    if (at == h.n || h.p[at] == '"' || h.p[at] == '}') return SP_OK;
    return sp_fail(err, SP_NOT_A_PROFILE, NULL,
                   "begins with \"{\" but is no JSON; a cProfile file (.prof) looks like this");
  }
  if (!is_text(h))
    return sp_fail(err, SP_NOT_A_PROFILE, NULL,
                   "not an HDF5 file, a JSON profile or a .spt trace, nor anything else known");
  if (first == '<')
    return sp_fail(err, SP_NOT_A_PROFILE, NULL,
                   "an HTML or XML file; a report is not a profile: give the .h5 or .json file it "
                   "was made from (a download may also have been a login page)");
  if (first == '[')
    return sp_fail(err, SP_NOT_A_PROFILE, NULL,
                   "a JSON array; a JSON profile is an object with \"format\": "
                   "\"scope-profiler-profile\"");
  return sp_fail(err, SP_NOT_A_PROFILE, NULL, "a text file, not a profile");
}

sp_status sp_sniff(sp_source *source, sp_file_kind *kind, sp_error *err) {
  unsigned char bytes[HEAD];
  head h = {bytes, source->size < HEAD ? (size_t)source->size : HEAD};
  if (h.n == 0)
    return sp_fail(err, SP_NOT_A_PROFILE, NULL,
                   "empty: 0 bytes; the run may have been killed before it wrote, or the disk "
                   "was full");
  SP_TRY(sp_source_read(source, 0, h.n, bytes, err));
  bool sure, found;
  SP_TRY(sniff_head(source, h, kind, &sure, err));
  if (sure) return SP_OK;
  SP_TRY(find_signature(source, 512, &found, err));
  if (found) {
    *kind = SP_FILE_HDF5;
    return SP_OK;
  }
  return sniff_text(h, kind, err);
}
