/* h5_open.c - opening the container.
 *
 * The superblock is looked at before HDF5 is: a file that is shorter than it says was cut off, and
 * a newest-format file whose writer never closed it still carries a mark that makes HDF5 refuse
 * it. The mark (and the checksum over it) is cleared in the bytes HDF5 is shown, never on disk. */
#include <string.h>

#include "read/h5_file.h"

/* HDF5's own checksum of metadata blocks, linked from the library. */
extern uint32_t H5_checksum_metadata(const void *data, size_t length, uint32_t start);
/* The innermost message of HDF5's last failure (the library is built to keep only that). */
extern const char *h5slim_error(void);
extern void h5slim_clear(void);

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};

typedef struct superblock {
  uint64_t at;      /* offset of the signature: 0 or the size of a user block */
  uint64_t end;     /* offset behind the last byte, as the file says */
  unsigned version; /* 0 .. 3 */
  bool wide;        /* addresses and lengths of 8 bytes */
  bool left_open;   /* "open for writing" mark */
  uint32_t size;    /* bytes, checksum included (versions 2 and 3) */
  unsigned char bytes[SP_H5_PATCH_MAX];
} superblock;

static uint64_t little(const unsigned char *at, unsigned n) {
  uint64_t v = 0;
  for (unsigned i = n < 8 ? n : 8; i-- > 0;) v = v << 8 | at[i];
  return v;
}

/* Finds the signature at 0, 512, 1024, 2048, ... */
static bool find_superblock(sp_source *source, superblock *s, sp_error *err, sp_status *status) {
  for (uint64_t at = 0; at < source->size; at = at ? at * 2 : 512) {
    uint64_t left = source->size - at;
    size_t n = left < sizeof s->bytes ? (size_t)left : sizeof s->bytes;
    memset(s->bytes, 0, sizeof s->bytes);
    *status = sp_source_read(source, at, n, s->bytes, err);
    if (*status != SP_OK) return false;
    if (memcmp(s->bytes, signature, sizeof signature) == 0) {
      s->at = at;
      return true;
    }
  }
  return false;
}

/* The stored end counts from where the file's own base address says the file begins; that address
 * is 0 where a user block was put in front later. */
static void take_end(superblock *s, uint64_t base, uint64_t stored) {
  if (__builtin_add_overflow(stored, s->at - (base <= s->at ? base : 0), &s->end))
    s->end = UINT64_MAX;
}

/* Takes apart what is needed; false for sizes that no HDF5 file has. */
static bool parse(superblock *s) {
  const unsigned char *b = s->bytes;
  s->version = b[8];
  if (s->version <= 1) {
    unsigned offset_size = b[13];
    if (offset_size != 2 && offset_size != 4 && offset_size != 8) return false;
    s->wide = offset_size == 8 && b[14] == 8;
    unsigned addresses = s->version == 0 ? 24 : 28; /* base, free space, end, driver */
    take_end(s, little(b + addresses, offset_size),
             little(b + addresses + 2 * offset_size, offset_size));
    s->left_open = (b[20] & 1) != 0;
    return true;
  }
  unsigned offset_size = b[9];
  if (s->version > 3 || (offset_size != 2 && offset_size != 4 && offset_size != 8)) return false;
  take_end(s, little(b + 12, offset_size), little(b + 12 + 2 * offset_size, offset_size));
  s->left_open = (b[11] & 1) != 0;
  s->size = 12 + 4 * offset_size + 4;
  return true;
}

/* Shows HDF5 a superblock without the mark. */
static void clear_mark(sp_h5 *h, superblock *s) {
  uint32_t body = s->size - 4;
  uint32_t stored = (uint32_t)little(s->bytes + body, 4);
  if (H5_checksum_metadata(s->bytes, body, 0) != stored) return; /* damaged: let HDF5 say so */
  s->bytes[11] &= (unsigned char)~5u; /* open for writing, single-writer mode */
  uint32_t sum = H5_checksum_metadata(s->bytes, body, 0);
  for (unsigned i = 0; i < 4; i++) s->bytes[body + i] = (unsigned char)(sum >> (8 * i));
  memcpy(h->bytes.patch, s->bytes, s->size);
  h->bytes.patch_at = s->at;
  h->bytes.patch_size = s->size;
  sp_warn(&h->profile->warnings, "not-closed", "/",
          "the program that wrote this file did not close it; what is there is shown");
}

static sp_status check_superblock(sp_h5 *h, superblock *s, sp_error *err) {
  uint64_t have = h->bytes.source->size;
  if (have - s->at < 44)
    return sp_fail(err, SP_CORRUPT, NULL,
                   "only %llu bytes of an HDF5 file: it was cut off right after its signature",
                   (unsigned long long)have);
  if (!parse(s)) return SP_OK; /* HDF5 names the reason */
  if (s->end > have)
    return sp_fail(err, SP_CORRUPT, NULL,
                   "truncated: cut off at %llu of %llu bytes; the run was killed while writing, or "
                   "the copy is incomplete",
                   (unsigned long long)have, (unsigned long long)s->end);
  if (s->left_open && s->size) clear_mark(h, s);
  return SP_OK;
}

/* External links stay known, so that a message can name their target, but following one fails. */
static hid_t refuse_link(const char *name, hid_t group, const void *data, size_t size, hid_t access,
                         hid_t transfer) {
  (void)name, (void)group, (void)data, (void)size, (void)access, (void)transfer;
  return H5I_INVALID_HID;
}

static ssize_t query_link(const char *name, const void *data, size_t size, void *to, size_t room) {
  (void)name;
  if (to && room) memcpy(to, data, size < room ? size : room);
  return (ssize_t)size;
}

static const H5L_class_t refused_links = {
    .version = H5L_LINK_CLASS_T_VERS,
    .id = H5L_TYPE_EXTERNAL,
    .comment = "never followed",
    .trav_func = refuse_link,
    .query_func = query_link,
};

sp_status sp_h5_open(sp_h5 *h, sp_source *source, sp_error *err) {
  h->bytes.source = source;
  h->file = h->access = H5I_INVALID_HID;
  /* nothing outside the file: no plugins, no external links, no error printing */
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5PLset_loading_state(0);
  if (H5Lregister(&refused_links) < 0)
    return sp_fail(err, SP_INTERNAL, NULL, "external links could not be switched off");
  h5slim_clear();

  superblock block = {0};
  sp_status status = SP_OK;
  bool found = find_superblock(source, &block, err, &status);
  SP_TRY(status);
  if (!found) return sp_fail(err, SP_NOT_A_PROFILE, NULL, "not an HDF5 file");
  SP_TRY(check_superblock(h, &block, err));
  h->base = block.at;
  h->classic = block.version == 0 && block.wide;
  h->access = sp_h5_access_list(&h->bytes);
  if (h->access < 0) return sp_fail(err, SP_INTERNAL, NULL, "the HDF5 driver could not be set up");
  h->file = H5Fopen("profile", H5F_ACC_RDONLY, h->access);
  if (h->file >= 0) return SP_OK;
  if (block.version <= 1 && block.left_open)
    return sp_fail(err, SP_CORRUPT, NULL,
                   "the run was killed before the file was closed; names and index were never "
                   "written, so the calls in it cannot be told apart");
  return sp_h5_fail(h, err, NULL, "HDF5 cannot open it");
}

void sp_h5_close(sp_h5 *h) {
  if (h->file >= 0) H5Fclose(h->file);
  if (h->access >= 0) H5Pclose(h->access);
  h->file = h->access = H5I_INVALID_HID;
  sp_h5_bytes_free(&h->bytes);
}

const char *sp_h5_reason(sp_h5 *h) {
  const char *reason = h->bytes.failure.code != SP_OK ? h->bytes.failure.message : h5slim_error();
  h5slim_clear();
  return reason ? reason : "no reason given";
}

sp_status sp_h5_fail(sp_h5 *h, sp_error *err, const char *path, const char *what) {
  sp_status code = h->bytes.failure.code;
  if (code != SP_IO && code != SP_NOMEM) code = SP_CORRUPT;
  sp_status status = sp_fail(err, code, path, "%s: %s", what, sp_h5_reason(h));
  sp_error_clear(&h->bytes.failure);
  return status;
}
