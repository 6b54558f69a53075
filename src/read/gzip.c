/* gzip.c - RFC 1952 around libdeflate's raw decoder (whose own gzip frame, with its checksum in
 * several processor-specific versions, is not part of the build). */
#include "read/gzip.h"

#include <libdeflate.h>
#include <string.h>

#include "base/arena.h"

enum { HAS_CHECKSUM = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16, HEADER = 10, TRAILER = 8 };

static uint32_t little32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The byte behind a text that ends in NUL, from `at`; 0 when it does not end. */
static size_t skip_text(const unsigned char *in, size_t n, size_t at) {
  const unsigned char *nul = at < n ? memchr(in + at, 0, n - at) : NULL;
  return nul ? (size_t)(nul - in) + 1 : 0;
}

/* The size of the header, or 0 when it is none. */
static size_t header_size(const unsigned char *in, size_t n) {
  if (n < HEADER || in[0] != 0x1f || in[1] != 0x8b || in[2] != 8 || in[3] & 0xe0) return 0;
  unsigned flags = in[3];
  size_t at = HEADER;
  if (flags & HAS_EXTRA) {
    if (n < at + 2) return 0;
    at += 2 + ((size_t)in[at] | (size_t)in[at + 1] << 8);
  }
  if (flags & HAS_NAME && !(at = skip_text(in, n, at))) return 0;
  if (flags & HAS_COMMENT && !(at = skip_text(in, n, at))) return 0;
  if (flags & HAS_CHECKSUM) at += 2;
  return at <= n ? at : 0;
}

/* CRC-32 (reflected polynomial edb88320), four bits at a time: JSON is small, tables are not. */
static uint32_t crc32(const unsigned char *at, size_t n) {
  static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                     0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                     0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < n; i++) {
    crc ^= at[i];
    crc = table[crc & 15] ^ crc >> 4;
    crc = table[crc & 15] ^ crc >> 4;
  }
  return ~crc;
}

sp_gzip_result sp_gzip_unpack(const unsigned char *in, size_t in_n, void *out, size_t room,
                              size_t *took, size_t *gave) {
  static const struct libdeflate_options memory = {
      .sizeof_options = sizeof memory, .malloc_func = sp_alloc, .free_func = sp_free_block};
  size_t header = header_size(in, in_n), used = 0, made = 0;
  if (!header) return SP_GZIP_DAMAGED;
  struct libdeflate_decompressor *decoder = libdeflate_alloc_decompressor_ex(&memory);
  if (!decoder) return SP_GZIP_NO_MEMORY;
  enum libdeflate_result result = libdeflate_deflate_decompress_ex(
      decoder, in + header, in_n - header, out, room, &used, &made);
  libdeflate_free_decompressor(decoder);
  if (result == LIBDEFLATE_INSUFFICIENT_SPACE) return SP_GZIP_FULL;
  size_t end = header + used;
  if (result != LIBDEFLATE_SUCCESS || in_n - end < TRAILER) return SP_GZIP_DAMAGED;
  if (little32(in + end) != crc32(out, made) || little32(in + end + 4) != (uint32_t)made)
    return SP_GZIP_DAMAGED;
  *took = end + TRAILER;
  *gave = made;
  return SP_GZIP_DONE;
}
