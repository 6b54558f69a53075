/* h5_column.c - columns by address, by chunk, or through HDF5's conversion. */
#include "read/h5_column.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(((sp_error *)0)->path) == SP_H5_PATH_MAX, "paths are copied whole");

enum { BLOCK = 128 << 10 }; /* values per H5Dread: 1 MiB stays in the cache */

sp_h5_number sp_h5_number_of(hid_t dataset, size_t *value_bytes) {
  hid_t type = H5Dget_type(dataset);
  sp_h5_number number = SP_H5_NOT_A_NUMBER;
  *value_bytes = type < 0 ? 0 : H5Tget_size(type);
  if (*value_bytes) {
    H5T_class_t class = H5Tget_class(type);
    if (class == H5T_FLOAT && *value_bytes <= 8)
      number = SP_H5_REAL;
    else if (class == H5T_INTEGER && *value_bytes <= 8 && H5Tget_precision(type) > 0)
      number = H5Tequal(type, H5T_STD_I64LE) > 0 ? SP_H5_I64 : SP_H5_INTEGER;
  }
  if (type >= 0) H5Tclose(type);
  return number;
}

typedef struct chunk_walk {
  sp_h5_column *column;
  uint64_t seen;
  bool odd;
} chunk_walk;

static int note_chunk(const hsize_t *offset, unsigned mask, haddr_t address, hsize_t size,
                      void *data) {
  chunk_walk *w = data;
  uint64_t number = offset[0] / w->column->shape.chunk;
  if (number >= w->column->chunk_count) return H5_ITER_CONT; /* beyond the column's end */
  sp_h5_chunk *chunk = &w->column->chunks[number];
  if (size > UINT32_MAX || chunk->address != UINT64_MAX) {
    w->odd = true;
    return H5_ITER_STOP;
  }
  *chunk = (sp_h5_chunk){.address = address, .bytes = (uint32_t)size, .filter_mask = mask};
  w->seen++;
  return H5_ITER_CONT;
}

/* Builds the index of chunks; every chunk of the column must be stored. */
static sp_status index_chunks(sp_h5 *h, sp_h5_column *c, const char **code, sp_error *err) {
  uint64_t n = c->shape.count / c->shape.chunk + (c->shape.count % c->shape.chunk != 0);
  *code = "limit";
  c->chunks = n <= SIZE_MAX / sizeof *c->chunks ? sp_alloc((size_t)n * sizeof *c->chunks) : NULL;
  if (!c->chunks) return sp_fail(err, SP_NOMEM, c->path, "out of memory");
  c->chunk_count = n;
  for (uint64_t i = 0; i < n; i++) c->chunks[i] = (sp_h5_chunk){.address = UINT64_MAX};
  chunk_walk w = {c, 0, false};
  if (H5Dchunk_iter(c->dataset, H5P_DEFAULT, note_chunk, &w) < 0 || w.odd)
    return sp_h5_fail(h, err, c->path, "its index of chunks is damaged");
  if (w.seen != n)
    return sp_fail(err, SP_CORRUPT, c->path,
                   "claims %llu values, but %llu of its %llu chunks are not stored",
                   (unsigned long long)c->shape.count, (unsigned long long)(n - w.seen),
                   (unsigned long long)n);
  uint64_t size = h->bytes.source->size;
  for (uint64_t i = 0; i < n; i++) {
    bool plain = c->shape.filter_count == 0 && c->chunks[i].bytes != c->shape.chunk * 8;
    if (plain || c->chunks[i].address > size || c->chunks[i].bytes > size - c->chunks[i].address)
      return sp_fail(err, SP_CORRUPT, c->path, "chunk %llu lies beyond the end of the file",
                     (unsigned long long)i);
  }
  return SP_OK;
}

sp_status sp_h5_column_open(sp_h5 *h, hid_t dataset, const char *path, sp_h5_column *out,
                            const char **code, sp_error *err) {
  *out = (sp_h5_column){.dataset = dataset, .cached = UINT64_MAX};
  snprintf(out->path, sizeof out->path, "%s", path);
  size_t value_bytes;
  *code = "wrong-type";
  sp_h5_number number = sp_h5_number_of(dataset, &value_bytes);
  sp_status status = SP_OK;
  if (number == SP_H5_NOT_A_NUMBER)
    status = sp_fail(err, SP_CORRUPT, path, "holds no numbers of at most 64 bits");
  else
    status = sp_h5_shape_of(h, dataset, path, value_bytes, &out->shape, code, err);
  if (status == SP_OK) {
    out->value_bytes = value_bytes;
    out->is_real = number == SP_H5_REAL;
    out->direct = number == SP_H5_I64 && out->shape.storage != SP_H5_COMPACT;
    if (out->direct && out->shape.storage == SP_H5_CHUNKED && out->shape.count)
      status = index_chunks(h, out, code, err);
  }
  if (status != SP_OK) {
    sp_h5_column_close(out);
  } else if (out->direct) {
    H5Dclose(out->dataset);
    out->dataset = H5I_INVALID_HID;
  }
  return status;
}

void sp_h5_column_close(sp_h5_column *c) {
  if (c->dataset >= 0) H5Dclose(c->dataset);
  sp_free_block(c->chunks);
  sp_free_block(c->cache);
  sp_free_block(c->packed);
  *c = (sp_h5_column){.dataset = H5I_INVALID_HID, .cached = UINT64_MAX};
}

/* Reads one stored chunk and decodes it to `to` (a whole chunk). */
static sp_status decode_chunk(sp_h5 *h, sp_h5_column *c, uint64_t number, int64_t *to,
                              sp_error *err) {
  const sp_h5_chunk *chunk = &c->chunks[number];
  size_t bytes = (size_t)c->shape.chunk * 8;
  if (c->shape.filter_count == 0)
    return sp_h5_bytes_read(&h->bytes, chunk->address, bytes, to, err);
  if (chunk->bytes > c->packed_bytes) {
    sp_free_block(c->packed);
    c->packed = sp_alloc(chunk->bytes);
    c->packed_bytes = c->packed ? chunk->bytes : 0;
    if (!c->packed) return sp_fail(err, SP_NOMEM, c->path, "out of memory");
  }
  SP_TRY(sp_h5_bytes_read(&h->bytes, chunk->address, chunk->bytes, c->packed, err));
  return sp_chunk_decode(c->shape.filters, c->shape.filter_count, chunk->filter_mask, c->packed,
                         chunk->bytes, to, bytes, err);
}

/* Neighbouring chunks that also lie side by side in the file are read in one go. */
static uint64_t run_of_chunks(const sp_h5_column *c, uint64_t number, uint64_t most) {
  uint64_t n = 1, bytes = c->shape.chunk * 8;
  while (n < most && c->chunks[number + n].address == c->chunks[number].address + n * bytes) n++;
  return n;
}

static sp_status read_chunked(sp_h5 *h, sp_h5_column *c, uint64_t first, uint64_t n, int64_t *to,
                              sp_error *err) {
  uint64_t size = c->shape.chunk;
  while (n) {
    uint64_t number = first / size, skip = first % size;
    uint64_t piece = size - skip < n ? size - skip : n;
    if (piece == size && c->shape.filter_count == 0) {
      uint64_t run = run_of_chunks(c, number, n / size);
      piece = run * size;
      SP_TRY(sp_h5_bytes_read(&h->bytes, c->chunks[number].address, (size_t)piece * 8, to, err));
    } else if (piece == size && c->cached != number) {
      SP_TRY(decode_chunk(h, c, number, to, err));
    } else if (c->shape.filter_count == 0) {
      SP_TRY(sp_h5_bytes_read(&h->bytes, c->chunks[number].address + skip * 8, (size_t)piece * 8,
                              to, err));
    } else {
      if (!c->cache) c->cache = sp_alloc((size_t)size * 8);
      if (!c->cache) return sp_fail(err, SP_NOMEM, c->path, "out of memory");
      if (c->cached != number) {
        c->cached = UINT64_MAX;
        SP_TRY(decode_chunk(h, c, number, c->cache, err));
        c->cached = number;
      }
      memcpy(to, c->cache + skip, (size_t)piece * 8);
    }
    first += piece;
    to += piece;
    n -= piece;
  }
  return SP_OK;
}

/* Nanoseconds stored as floating point: whole numbers only; anything else is no time. */
static void from_real(int64_t *values, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    double v;
    memcpy(&v, &values[i], sizeof v);
    bool fits = v >= -9223372036854774784.0 && v <= 9223372036854774784.0; /* false for NaN */
    values[i] = fits ? (int64_t)v : SP_NO_TIME;
  }
}

static sp_status read_by_library(sp_h5 *h, sp_h5_column *c, uint64_t first, uint64_t n, int64_t *to,
                                 sp_error *err) {
  hid_t type = c->is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  hid_t space = H5Dget_space(c->dataset);
  herr_t done = space < 0 ? -1 : 0;
  sp_h5_filters_expect((size_t)c->shape.chunk * c->value_bytes);
  while (done >= 0 && n) {
    hsize_t start = first, piece = n < BLOCK ? n : BLOCK;
    hid_t memory = H5Screate_simple(1, &piece, NULL);
    done = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &piece, NULL);
    if (done >= 0) done = H5Dread(c->dataset, type, memory, space, H5P_DEFAULT, to);
    H5Sclose(memory);
    if (done >= 0 && c->is_real) from_real(to, piece);
    first += piece;
    to += piece;
    n -= piece;
  }
  if (space >= 0) H5Sclose(space);
  return done < 0 ? sp_h5_fail(h, err, c->path, "its values cannot be read") : SP_OK;
}

sp_status sp_h5_column_read(sp_h5 *h, sp_h5_column *c, uint64_t first, uint64_t n, int64_t *to,
                            sp_error *err) {
  if (first > c->shape.count || n > c->shape.count - first)
    return sp_fail(err, SP_CORRUPT, c->path, "holds %llu values, %llu are asked for",
                   (unsigned long long)c->shape.count, (unsigned long long)(first + n));
  if (n == 0) return SP_OK;
  sp_status status;
  if (!c->direct)
    status = read_by_library(h, c, first, n, to, err);
  else if (c->shape.storage == SP_H5_CONTIGUOUS)
    status = sp_h5_bytes_read(&h->bytes, c->shape.address + first * 8, (size_t)n * 8, to, err);
  else
    status = read_chunked(h, c, first, n, to, err);
  if (status != SP_OK && err && !err->path[0]) memcpy(err->path, c->path, sizeof err->path);
  return status;
}
