/* json_load.c - gzip says its unpacked size only modulo 2^32, at its end, and may lie: it is a
 * first guess, the limit and deflate's best ratio are the bounds. */
#include "read/json_load.h"

#include <string.h>

#include "base/arena.h"
#include "read/gzip.h"

#define TEXT_MAX ((uint64_t)(sizeof(size_t) > 4 ? 1 << 30 : 1 << 29))
/* deflate's longest match costs two bits */
enum { DEFLATE_RATIO_MAX = 1032, PROBE = 1 << 20, HEADER_AND_TRAILER = 18 };

static sp_status out_of_memory(sp_error *err) {
  return sp_fail(err, SP_NOMEM, NULL, "out of memory: its JSON text does not fit");
}

static sp_status too_large(sp_error *err) {
  return sp_fail(err, SP_TOO_LARGE, NULL,
                 "holds more than %llu MiB of JSON text, the most that is read; a profile of this "
                 "size should be an HDF5 file",
                 (unsigned long long)(TEXT_MAX >> 20));
}

static sp_status load_plain(sp_source *source, char **text, size_t *length, sp_error *err) {
  if (source->size > TEXT_MAX) return too_large(err);
  size_t n = (size_t)source->size;
  char *bytes = sp_alloc(n + 1);
  if (!bytes) return out_of_memory(err);
  sp_status status = sp_source_read(source, 0, n, bytes, err);
  if (status != SP_OK) {
    sp_free_block(bytes);
    return status;
  }
  bytes[n] = '\0';
  *text = bytes;
  *length = n;
  return SP_OK;
}

typedef struct unpacking {
  const unsigned char *in;
  size_t in_n;
  char *out;
  size_t room, got;
} unpacking;

/* More room, the bytes so far kept. */
static bool grow(unpacking *u, uint64_t room) {
  char *grown = sp_resize(u->out, (size_t)room + 1);
  if (!grown) return false;
  u->out = grown;
  u->room = (size_t)room;
  return true;
}

static bool opens_an_object(const char *text, size_t n) {
  size_t at = 0;
  while (at < n && text[at] && strchr(" \t\r\n\xEF\xBB\xBF", text[at])) at++;
  return at < n && text[at] == '{';
}

/* The size stored in the last four bytes, when it can be true. */
static uint64_t guess(const unpacking *u, uint64_t most) {
  const unsigned char *last = u->in + u->in_n - 4;
  uint64_t stored = (uint64_t)last[0] | (uint64_t)last[1] << 8 | (uint64_t)last[2] << 16 |
                    (uint64_t)last[3] << 24;
  return stored > u->room && stored <= most ? stored : 0;
}

/* All members of the gzip file, one after the other. */
static sp_status unpack(unpacking *u, sp_error *err) {
  uint64_t most = (uint64_t)u->in_n * DEFLATE_RATIO_MAX + 64;
  if (most > TEXT_MAX) most = TEXT_MAX;
  size_t used = 0;
  if (!grow(u, most < PROBE ? most : PROBE)) return out_of_memory(err);
  while (used < u->in_n) {
    size_t took = 0, gave = 0;
    sp_gzip_result result = sp_gzip_unpack(u->in + used, u->in_n - used, u->out + u->got,
                                           u->room - u->got, &took, &gave);
    if (result == SP_GZIP_NO_MEMORY) return out_of_memory(err);
    if (result == SP_GZIP_FULL) {
      /* what was unpacked so far stands in the buffer; a bomb of zeros ends here */
      if (u->got == 0 && !opens_an_object(u->out, u->room))
        return sp_fail(err, SP_NOT_A_PROFILE, NULL, "gzip around something that is no JSON object");
      if (u->room >= most) return too_large(err);
      uint64_t room = guess(u, most);
      if (!room) room = u->room > most / 2 ? most : (uint64_t)u->room * 2;
      if (!grow(u, room)) return out_of_memory(err);
      continue;
    }
    if (result == SP_GZIP_DAMAGED) {
      if (u->got) break; /* gzip itself passes over what follows the last member */
      return sp_fail(err, SP_CORRUPT, NULL, "its gzip data are cut off or damaged");
    }
    used += took;
    u->got += gave;
  }
  u->out[u->got] = '\0';
  return SP_OK;
}

static sp_status load_gzip(sp_source *source, char **text, size_t *length, sp_error *err) {
  if (source->size < HEADER_AND_TRAILER)
    return sp_fail(err, SP_CORRUPT, NULL, "cut off: %u bytes of gzip", (unsigned)source->size);
  if (source->size > TEXT_MAX) return too_large(err);
  size_t n = (size_t)source->size;
  unsigned char *in = sp_alloc(n);
  unpacking u = {.in = in, .in_n = n};
  sp_status status = in ? sp_source_read(source, 0, n, in, err) : out_of_memory(err);
  if (status == SP_OK) status = unpack(&u, err);
  sp_free_block(in);
  if (status != SP_OK) {
    sp_free_block(u.out);
    return status;
  }
  *text = u.out;
  *length = u.got;
  return SP_OK;
}

sp_status sp_json_load(sp_source *source, bool gzip, char **text, size_t *length, sp_error *err) {
  *text = NULL;
  *length = 0;
  return gzip ? load_gzip(source, text, length, err) : load_plain(source, text, length, err);
}
