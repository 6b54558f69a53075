/* h5_driver.c - windows over a source, and the HDF5 driver class in front of them. */
#include "read/h5_driver.h"

#include <H5FDdevelop.h>
#include <string.h>

enum { DIRECT_BYTES = 16 << 10 }; /* reads this long go past the windows */

/* The window that holds `offset`, filled if need be. */
static int window_at(sp_h5_bytes *b, uint64_t offset, sp_error *err, sp_status *status) {
  int oldest = 0;
  for (int i = 0; i < SP_H5_WINDOWS; i++) {
    if (b->windows[i].length && offset - b->windows[i].base < b->windows[i].length) {
      b->windows[i].used = ++b->tick;
      return i;
    }
    if (b->windows[i].used < b->windows[oldest].used) oldest = i;
  }
  uint64_t base = offset - offset % SP_H5_WINDOW_BYTES, left = b->source->size - base;
  uint32_t n = left < SP_H5_WINDOW_BYTES ? (uint32_t)left : SP_H5_WINDOW_BYTES;
  if (!b->windows[oldest].bytes) b->windows[oldest].bytes = sp_alloc(SP_H5_WINDOW_BYTES);
  if (!b->windows[oldest].bytes) {
    *status = sp_fail(err, SP_NOMEM, NULL, "out of memory");
    return -1;
  }
  b->windows[oldest].length = 0;
  *status = sp_source_read(b->source, base, n, b->windows[oldest].bytes, err);
  if (*status != SP_OK) return -1;
  b->windows[oldest].base = base;
  b->windows[oldest].length = n;
  b->windows[oldest].used = ++b->tick;
  return oldest;
}

static void apply_patch(const sp_h5_bytes *b, uint64_t offset, size_t n, unsigned char *to) {
  uint64_t first = b->patch_at > offset ? b->patch_at : offset;
  uint64_t end = b->patch_at + b->patch_size, stop = offset + n;
  if (end < stop) stop = end;
  if (first < stop)
    memcpy(to + (first - offset), b->patch + (first - b->patch_at), (size_t)(stop - first));
}

sp_status sp_h5_bytes_read(sp_h5_bytes *b, uint64_t offset, size_t n, void *to, sp_error *err) {
  if (offset > b->source->size || n > b->source->size - offset)
    return sp_fail(err, SP_CORRUPT, NULL, "points to byte %llu of a file of %llu bytes",
                   (unsigned long long)offset + n, (unsigned long long)b->source->size);
  unsigned char *out = to;
  if (n >= DIRECT_BYTES) {
    SP_TRY(sp_source_read(b->source, offset, n, out, err));
  } else {
    uint64_t at = offset;
    for (size_t left = n; left;) {
      sp_status status = SP_OK;
      int w = window_at(b, at, err, &status);
      if (w < 0) return status;
      size_t skip = (size_t)(at - b->windows[w].base), piece = b->windows[w].length - skip;
      if (piece > left) piece = left;
      memcpy(out + (at - offset), b->windows[w].bytes + skip, piece);
      at += piece;
      left -= piece;
    }
  }
  if (b->patch_size) apply_patch(b, offset, n, out);
  return SP_OK;
}

void sp_h5_bytes_free(sp_h5_bytes *b) {
  for (int i = 0; i < SP_H5_WINDOWS; i++) sp_free_block(b->windows[i].bytes);
  memset(b->windows, 0, sizeof b->windows);
}

typedef struct driver_info {
  sp_h5_bytes *bytes;
} driver_info;

typedef struct driver_file {
  H5FD_t base; /* HDF5's own part comes first */
  sp_h5_bytes *bytes;
  haddr_t end_of_allocation;
} driver_file;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t max) {
  (void)name, (void)max;
  const driver_info *info = H5Pget_driver_info(access);
  if (!info || !info->bytes || (flags & (H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC)))
    return NULL;
  driver_file *file = sp_alloc(sizeof *file);
  if (!file) return NULL;
  memset(file, 0, sizeof *file);
  file->bytes = info->bytes;
  return &file->base;
}

static herr_t driver_close(H5FD_t *file) {
  sp_free_block(file);
  return 0;
}

static int driver_compare(const H5FD_t *a, const H5FD_t *b) {
  return a == b ? 0 : (uintptr_t)a < (uintptr_t)b ? -1 : 1;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags) {
  (void)file;
  if (flags) *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_METADATA;
  return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const driver_file *)file)->end_of_allocation;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address) {
  (void)type;
  ((driver_file *)file)->end_of_allocation = address;
  return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const driver_file *)file)->bytes->source->size;
}

static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t n,
                          void *to) {
  (void)type, (void)transfer;
  driver_file *file = (driver_file *)base;
  if (address == HADDR_UNDEF) return -1;
  sp_status status = sp_h5_bytes_read(file->bytes, address, n, to, &file->bytes->failure);
  return status == SP_OK ? 0 : -1;
}

/* H5FDregister refuses a class without a write callback. */
static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t n,
                           const void *from) {
  (void)file, (void)type, (void)transfer, (void)address, (void)n, (void)from;
  return -1;
}

static const H5FD_class_t driver_class = {
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)511, /* of the range for private use */
    .name = "profscope",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(driver_info),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t sp_h5_access_list(sp_h5_bytes *b) {
  /* HDF5 counts registrations of equal classes; one for the life of the process is enough */
  static hid_t driver = -1;
  if (driver < 0) driver = H5FDregister(&driver_class);
  if (driver < 0) return -1;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  driver_info info = {b};
  if (list >= 0 &&
      (H5Pset_driver(list, driver, &info) < 0 || H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) < 0 ||
       H5Pset_evict_on_close(list, 1) < 0)) {
    H5Pclose(list);
    return -1;
  }
  return list;
}
