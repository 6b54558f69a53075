/* h5_plain.c - version-1 object headers, one-leaf groups, contiguous int64 columns.
 *
 *   header   version u8 | 0 | messages u16 | references u32 | bytes u32 | pad 4 | messages ...
 *   message  type u16 | bytes u16 | flags u8 | pad 3 | body (a multiple of 8)
 *   group    message 0x11: B-tree address, heap address
 *   leaf     "TREE" 0 0 | entries u16 | left, right | key, child, key, child, ... key
 *   node     "SNOD" 1 0 | symbols u16 | symbol of 40 bytes: name offset, header, cache type, ...
 *   heap     "HEAP" 0 0 0 0 | bytes | free list | address of the names */
#include "read/h5_plain.h"

#include <string.h>

enum {
  HEADER_BYTES_MAX = 1024,
  MESSAGE_DATASPACE = 0x01,
  MESSAGE_DATATYPE = 0x03,
  MESSAGE_LAYOUT = 0x08,
  MESSAGE_ATTRIBUTE = 0x0C,
  MESSAGE_SYMBOL_TABLE = 0x11,
  SYMBOL_BYTES = 40,
};

static uint64_t u64(const unsigned char *at) {
  uint64_t v;
  memcpy(&v, at, sizeof v);
  return v;
}

static uint16_t u16(const unsigned char *at) { return (uint16_t)(at[0] | at[1] << 8); }

/* Bytes at a relative address; false when they are not there. */
static bool bytes_at(sp_h5 *h, uint64_t address, size_t n, unsigned char *to) {
  uint64_t offset;
  return !__builtin_add_overflow(address, h->base, &offset) && offset < h->bytes.source->size &&
         n <= h->bytes.source->size - offset &&
         sp_h5_bytes_read(&h->bytes, offset, n, to, NULL) == SP_OK;
}

typedef struct found {
  bool dataspace, datatype, layout, symbols, odd;
  uint64_t bytes;
} found;

static void take_dataspace(const unsigned char *body, uint16_t n, sp_h5_plain *out, found *f) {
  unsigned version = body[0], dimensions = body[1];
  unsigned at = version == 1 ? 8 : 4;
  bool simple = version == 1 || (version == 2 && body[3] == 1);
  f->odd |= f->dataspace || !simple || dimensions != 1 || n < at + 8;
  if (!f->odd) out->count = u64(body + at);
  f->dataspace = true;
}

/* Fixed point, little-endian, signed, 8 bytes, 64 bits from bit 0. */
static void take_datatype(const unsigned char *body, uint16_t n, found *f) {
  static const unsigned char int64[12] = {0x10, 0x08, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0};
  f->odd |= f->datatype || n < sizeof int64 || memcmp(body, int64, sizeof int64) != 0;
  f->datatype = true;
}

static void take_layout(const unsigned char *body, uint16_t n, sp_h5_plain *out, found *f) {
  f->odd |= f->layout || n < 18 || body[0] != 3 || body[1] != 1; /* version 3, contiguous */
  if (!f->odd) {
    out->address = u64(body + 2);
    f->bytes = u64(body + 10);
  }
  f->layout = true;
}

static void take_symbols(const unsigned char *body, uint16_t n, sp_h5_plain *out, found *f) {
  f->odd |= f->symbols || n < 16;
  if (!f->odd) {
    out->tree = u64(body);
    out->heap = u64(body + 8);
  }
  f->symbols = true;
}

static void take_message(unsigned type, unsigned flags, const unsigned char *body, uint16_t n,
                         sp_h5_plain *out, found *f) {
  switch (type) {
  case 0x00:
  case 0x04:
  case 0x05:
  case 0x0E:
  case 0x12: break; /* nil, fill values, times */
  case MESSAGE_DATASPACE: take_dataspace(body, n, out, f); break;
  case MESSAGE_DATATYPE: take_datatype(body, n, f); break;
  case MESSAGE_LAYOUT: take_layout(body, n, out, f); break;
  case MESSAGE_SYMBOL_TABLE: take_symbols(body, n, out, f); break;
  case MESSAGE_ATTRIBUTE: out->has_attributes = true; break;
  default: f->odd = true; /* continuation, filters, external files, links: HDF5's */
  }
  if (flags & 2) f->odd = true; /* shared message */
}

/* Checks that a column's bytes are in the file, and turns its address into an offset. */
static bool place_column(const sp_h5 *h, const found *f, sp_h5_plain *out) {
  uint64_t bytes, offset, end;
  if (__builtin_mul_overflow(out->count, (uint64_t)8, &bytes) || bytes > f->bytes ||
      out->count == 0 || __builtin_add_overflow(out->address, h->base, &offset) ||
      __builtin_add_overflow(offset, bytes, &end) || end > h->bytes.source->size)
    return false;
  out->address = offset;
  return true;
}

bool sp_h5_plain_object(sp_h5 *h, uint64_t header, sp_h5_plain *out) {
  unsigned char block[HEADER_BYTES_MAX];
  *out = (sp_h5_plain){0};
  if (!h->classic || !bytes_at(h, header, 16, block) || block[0] != 1 || block[1] != 0)
    return false;
  unsigned messages = u16(block + 2);
  uint32_t size = (uint32_t)u64(block + 8);
  if (size > sizeof block || messages > 64 || !bytes_at(h, header + 16, size, block)) return false;
  found f = {0};
  uint32_t at = 0;
  for (unsigned i = 0; i < messages && !f.odd; i++) {
    if (size - at < 8) return false;
    unsigned type = u16(block + at), flags = block[at + 4];
    uint16_t n = u16(block + at + 2);
    at += 8;
    if (n > size - at || n % 8) return false;
    if (n < 8 && type != 0) return false;
    take_message(type, flags, block + at, n, out, &f);
    at += n;
  }
  if (f.odd) return false;
  if (f.symbols && !f.dataspace && !f.datatype && !f.layout) {
    out->kind = SP_H5_PLAIN_GROUP;
    return true;
  }
  out->kind = SP_H5_PLAIN_COLUMN;
  return f.dataspace && f.datatype && f.layout && !f.symbols && place_column(h, &f, out);
}

/* Copies the NUL-ended name at `offset` of the heap's names. */
static bool take_name(sp_h5 *h, uint64_t names, uint64_t size, uint64_t offset, sp_h5_members *out,
                      uint32_t *used) {
  if (offset >= size) return false;
  uint64_t left = size - offset, room = sizeof out->names - *used;
  size_t n = left < 256 ? (size_t)left : 256;
  if (n > room || !bytes_at(h, names + offset, n, (unsigned char *)out->names + *used))
    return false;
  const char *end = memchr(out->names + *used, 0, n);
  if (!end || end == out->names + *used || memchr(out->names + *used, '/', n) != NULL) return false;
  out->items[out->count].name = out->names + *used;
  *used = (uint32_t)(end - out->names) + 1;
  return true;
}

/* Adds the symbols of one node. */
static bool take_node(sp_h5 *h, uint64_t address, uint64_t names, uint64_t size, sp_h5_members *out,
                      uint32_t *used) {
  unsigned char node[8 + SP_H5_MEMBERS_MAX * SYMBOL_BYTES];
  if (!bytes_at(h, address, 8, node) || memcmp(node, "SNOD", 4) != 0 || node[4] != 1) return false;
  unsigned symbols = u16(node + 6);
  if (symbols > SP_H5_MEMBERS_MAX - out->count ||
      !bytes_at(h, address + 8, symbols * SYMBOL_BYTES, node))
    return false;
  for (unsigned i = 0; i < symbols; i++) {
    const unsigned char *symbol = node + i * SYMBOL_BYTES;
    uint32_t cached;
    memcpy(&cached, symbol + 16, sizeof cached);
    if (cached > 1) return false; /* 2: a soft link */
    if (!take_name(h, names, size, u64(symbol), out, used)) return false;
    out->items[out->count].header = u64(symbol + 8);
    if (out->count && strcmp(out->items[out->count - 1].name, out->items[out->count].name) >= 0)
      return false;
    out->count++;
  }
  return true;
}

bool sp_h5_plain_members(sp_h5 *h, const sp_h5_plain *group, sp_h5_members *out) {
  unsigned char head[32], tree[24 + 16 * SP_H5_MEMBERS_MAX];
  out->count = 0;
  uint32_t used = 0;
  if (!bytes_at(h, group->heap, 32, head) || memcmp(head, "HEAP", 4) != 0 || head[4] != 0)
    return false;
  uint64_t size = u64(head + 8), names = u64(head + 24);
  if (!bytes_at(h, group->tree, 24, tree) || memcmp(tree, "TREE", 4) != 0 || tree[4] != 0 ||
      tree[5] != 0)
    return false;
  unsigned entries = u16(tree + 6);
  if (entries > SP_H5_MEMBERS_MAX || u64(tree + 8) != UINT64_MAX || u64(tree + 16) != UINT64_MAX ||
      !bytes_at(h, group->tree + 24, entries * 16u, tree))
    return false;
  for (unsigned i = 0; i < entries; i++)
    if (!take_node(h, u64(tree + i * 16 + 8), names, size, out, &used)) return false;
  return true;
}
