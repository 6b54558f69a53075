/* test_sniff.c - what a file is, told from few of its bytes. */
#include "lib/check.h"
#include "read/sniff.h"

/* A source that counts what is read from it; beyond `have` bytes it is zeros up to `size`, but for
 * an HDF5 signature at `signature_at`. */
typedef struct counted {
  const char *bytes;
  size_t have;
  uint64_t signature_at, taken, reads;
} counted;

static const char signature[] = "\x89HDF\r\n\x1a\n";

static sp_status read_counted(sp_source *self, uint64_t offset, size_t n, void *to, sp_error *err) {
  (void)err;
  counted *c = self->state;
  c->reads++;
  c->taken += n;
  for (size_t i = 0; i < n; i++) {
    uint64_t at = offset + i;
    char byte = at < c->have ? c->bytes[at] : '\0';
    if (c->signature_at && at - c->signature_at < 8) byte = signature[at - c->signature_at];
    ((char *)to)[i] = byte;
  }
  return SP_OK;
}

static sp_status sniff_sized(counted *c, uint64_t size, sp_file_kind *kind, sp_error *err) {
  sp_source source = {.size = size, .read_at = read_counted, .state = c};
  return sp_sniff(&source, kind, err);
}

static void check_kind(const char *bytes, size_t n, sp_file_kind want) {
  counted c = {.bytes = bytes, .have = n};
  sp_file_kind kind = (sp_file_kind)-1;
  sp_error err = {0};
  CHECK_STATUS(sniff_sized(&c, n, &kind, &err), SP_OK);
  CHECK_STR(err.message, "");
  CHECK_INT(kind, want);
}

static void check_refused(const char *bytes, size_t n, sp_status code, const char *says) {
  counted c = {.bytes = bytes, .have = n};
  sp_file_kind kind;
  sp_error err = {0};
  CHECK_STATUS(sniff_sized(&c, n, &kind, &err), code);
  CHECK(strstr(err.message, says) != NULL);
  if (!strstr(err.message, says)) fprintf(stderr, "  \"%s\" lacks \"%s\"\n", err.message, says);
  size_t length = strlen(err.message);
  CHECK(length > 0 && err.message[length - 1] != '.');
}

#define KIND(literal, want) check_kind((literal), sizeof(literal) - 1, (want))
#define REFUSED(literal, code, says) check_refused((literal), sizeof(literal) - 1, (code), (says))

static void the_four_kinds_are_known_by_content(void) {
  KIND("\x89HDF\r\n\x1a\n....", SP_FILE_HDF5);
  KIND("SCOPEPRF....", SP_FILE_NATIVE_TRACE);
  KIND("{\"format\": 1}", SP_FILE_JSON);
  KIND(" \r\n\t{ \n}", SP_FILE_JSON);
  KIND("\xef\xbb\xbf{\"a\": \"\x7f\"}", SP_FILE_JSON);
}

static void files_of_other_programs_are_named(void) {
  REFUSED("SCOPESMP1234", SP_NOT_A_PROFILE, "native-lines");
  REFUSED("version https://git-lfs.github.com/spec/v1\n", SP_NOT_A_PROFILE, "Git LFS");
  REFUSED("\n <!DOCTYPE html>", SP_NOT_A_PROFILE, "a report is not a profile");
  REFUSED("CDF\x01....", SP_NOT_A_PROFILE, "netCDF-3");
  REFUSED("CDF\x02....", SP_NOT_A_PROFILE, "netCDF-3");
  REFUSED("\x0e\x03\x13\x01....", SP_NOT_A_PROFILE, "HDF4");
  REFUSED("PK\x03\x04....", SP_NOT_A_PROFILE, "zip");
  REFUSED("\xfd"
          "7zXZ\0....",
          SP_NOT_A_PROFILE, "xz");
  REFUSED("[{\"name\": 1}]", SP_NOT_A_PROFILE, "JSON array");
  REFUSED("{\xda\x05start", SP_NOT_A_PROFILE, "cProfile");
  REFUSED("time,step\n1,2\n", SP_NOT_A_PROFILE, "text file");
  REFUSED("caf\xc3\xa9\n", SP_NOT_A_PROFILE, "text file");
  REFUSED("\x01\x02\x03\x04", SP_NOT_A_PROFILE, "nor anything else");
}

static void damage_on_the_way_is_recognised(void) {
  REFUSED("\x89HDF\n\x1a\n....", SP_CORRUPT, "CR LF to LF");
  REFUSED("\x89HDF\r\r\n\x1a\r\n....", SP_CORRUPT, "LF to CR LF");
  REFUSED("\tHDF\r\n\x1a\n....", SP_CORRUPT, "7 bits");
  REFUSED("\xef\xbf\xbdHDF\r\n\x1a\n", SP_CORRUPT, "saved as text");
  REFUSED("\xc2\x89HDF\r\n\x1a\n", SP_CORRUPT, "UTF-8");
  REFUSED("", SP_NOT_A_PROFILE, "empty");
  for (size_t n = 1; n < 8; n++) check_refused(signature, n, SP_CORRUPT, "cut off");
  check_refused(signature, 8, SP_CORRUPT, "cut off");
  static const char zeros[5000];
  check_refused(zeros, sizeof zeros, SP_CORRUPT, "zero bytes");
}

/* Stored deflate blocks in a gzip frame; the checksum is not looked at here. */
static void gzip_is_opened_only_as_far_as_its_first_bytes(void) {
#define GZIP(literal) "\x1f\x8b\x08\0\0\0\0\0\0\xff\x01" literal "1234567"
  KIND(GZIP("\x09\x00\xf6\xff"
            " {\"a\": 1}"),
       SP_FILE_JSON_GZIP);
  REFUSED(GZIP("\x09\x00\xf6\xff"
               "\x89HDF\r\n\x1a\n."),
          SP_NOT_A_PROFILE, "gzip, not HDF5");
  REFUSED(GZIP("\x09\x00\xf6\xff"
               "SCOPEPRF."),
          SP_NOT_A_PROFILE, ".spt");
  REFUSED(GZIP("\x09\x00\xf6\xff"
               "some text"),
          SP_NOT_A_PROFILE, "neither HDF5 nor");
  /* damaged gzip is the JSON reader's to complain about */
  KIND("\x1f\x8b\x08", SP_FILE_JSON_GZIP);
  KIND("\x1f\x8b\x08\0\0\0\0\0\0\xff\x07\x07\x07", SP_FILE_JSON_GZIP);
}

static void a_user_block_may_be_in_front_of_hdf5(void) {
  static const uint64_t sizes[] = {512, 1024, 2048, 4096, 8192, 1 << 20, (uint64_t)1 << 32};
  static const char *const blocks[] = {"", "#!/bin/sh\n", "<html>", "{\"a\": 1}", "\x01\x02"};
  for (size_t i = 0; i < SP_ARRAY_LEN(sizes); i++) {
    for (size_t k = 0; k < SP_ARRAY_LEN(blocks); k++) {
      counted c = {.bytes = blocks[k], .have = strlen(blocks[k]), .signature_at = sizes[i]};
      sp_file_kind kind = SP_FILE_JSON;
      CHECK_STATUS(sniff_sized(&c, sizes[i] + 1000, &kind, NULL), SP_OK);
      CHECK_INT(kind, SP_FILE_HDF5);
    }
  }
  counted odd = {.bytes = "text", .have = 4, .signature_at = 1536}; /* no power of two */
  sp_file_kind kind;
  CHECK_STATUS(sniff_sized(&odd, 5000, &kind, NULL), SP_NOT_A_PROFILE);
}

static void large_files_are_hardly_read(void) {
  const uint64_t size = (uint64_t)5 << 30;
  sp_file_kind kind;
  counted hdf5 = {.bytes = signature, .have = 8};
  CHECK_STATUS(sniff_sized(&hdf5, size, &kind, NULL), SP_OK);
  CHECK_INT(hdf5.reads, 1);
  CHECK_INT(hdf5.taken, 4096);
  counted text = {.bytes = "text", .have = 4};
  CHECK_STATUS(sniff_sized(&text, size, &kind, NULL), SP_NOT_A_PROFILE);
  CHECK(text.reads < 30);
  CHECK(text.taken < 4096 + 30 * 8);
  counted packed = {.bytes = "\x1f\x8b\x08", .have = 3};
  CHECK_STATUS(sniff_sized(&packed, size, &kind, NULL), SP_OK);
  CHECK(packed.taken <= 4096 + (64 << 10));
}

static sp_status refuse_to_read(sp_source *self, uint64_t offset, size_t n, void *to,
                                sp_error *err) {
  (void)self, (void)offset, (void)n, (void)to;
  return sp_fail(err, SP_IO, NULL, "input/output error");
}

static void a_failing_read_is_passed_on(void) {
  sp_source source = {.size = 100, .read_at = refuse_to_read};
  sp_file_kind kind;
  sp_error err = {0};
  CHECK_STATUS(sp_sniff(&source, &kind, &err), SP_IO);
  CHECK_STR(err.message, "input/output error");
}

int main(void) {
  RUN(the_four_kinds_are_known_by_content);
  RUN(files_of_other_programs_are_named);
  RUN(damage_on_the_way_is_recognised);
  RUN(gzip_is_opened_only_as_far_as_its_first_bytes);
  RUN(a_user_block_may_be_in_front_of_hdf5);
  RUN(large_files_are_hardly_read);
  RUN(a_failing_read_is_passed_on);
  return CHECK_DONE();
}
