/* chunk.c - the filters of a chunk, last one first.
 *
 *   written:  values -> shuffle -> compress -> checksum -> file
 *   here:     values <- unshuffle <- unpack <- verify <- file
 *
 * Sizes are known on both sides of the one compression: in front of it they follow from the
 * declared size of the chunk, behind it from the stored one. So every buffer has its final size
 * before a byte is decoded, and a bomb cannot ask for more. */
#include "read/chunk.h"

#include <libdeflate.h>
#include <lzf.h>
#include <string.h>

#define ZSTD_STATIC_LINKING_ONLY /* for a decoder whose memory comes from sp_alloc */
#include <zstd.h>

#include "base/arena.h"

enum { CHECKSUM_BYTES = 4, FILTERS_MAX = 32, SLACK_BYTES = 4096 };

/* Kept between chunks: a profile has thousands of small ones, and making a decoder costs as much
 * as inflating a kilobyte. */
static struct {
  struct libdeflate_decompressor *inflate;
  ZSTD_DCtx *zstd;
  unsigned char *spare;
  size_t spare_bytes;
} kept;

static void *zstd_alloc(void *opaque, size_t n) {
  (void)opaque;
  return sp_alloc(n);
}

static void zstd_free(void *opaque, void *block) {
  (void)opaque;
  sp_free_block(block);
}

void sp_chunk_release(void) {
  libdeflate_free_decompressor(kept.inflate);
  ZSTD_freeDCtx(kept.zstd);
  sp_free_block(kept.spare);
  memset(&kept, 0, sizeof kept);
}

static sp_status out_of_memory(sp_error *err) {
  return sp_fail(err, SP_NOMEM, NULL, "out of memory while a chunk is decoded");
}

static sp_status inflate(const void *in, size_t in_n, void *out, size_t room, size_t *got,
                         sp_error *err) {
  static const struct libdeflate_options memory = {
      .sizeof_options = sizeof memory, .malloc_func = sp_alloc, .free_func = sp_free_block};
  if (!kept.inflate) kept.inflate = libdeflate_alloc_decompressor_ex(&memory);
  if (!kept.inflate) return out_of_memory(err);
  switch (libdeflate_zlib_decompress(kept.inflate, in, in_n, out, room, got)) {
  case LIBDEFLATE_SUCCESS: return SP_OK;
  case LIBDEFLATE_INSUFFICIENT_SPACE:
    return sp_fail(err, SP_CORRUPT, NULL, "a chunk inflates to more than its %zu bytes", room);
  default: return sp_fail(err, SP_CORRUPT, NULL, "the deflate data of a chunk are damaged");
  }
}

static sp_status unpack_lzf(const void *in, size_t in_n, void *out, size_t room, size_t *got,
                            sp_error *err) {
  /* lzf_decompress reads its first byte unasked; its sizes are unsigned int */
  if (in_n > 0 && in_n <= UINT32_MAX && room <= UINT32_MAX)
    *got = lzf_decompress(in, (unsigned)in_n, out, (unsigned)room);
  return *got ? SP_OK : sp_fail(err, SP_CORRUPT, NULL, "the LZF data of a chunk are damaged");
}

static sp_status unpack_zstd(const void *in, size_t in_n, void *out, size_t room, size_t *got,
                             sp_error *err) {
  const ZSTD_customMem memory = {zstd_alloc, zstd_free, NULL};
  if (!kept.zstd) kept.zstd = ZSTD_createDCtx_advanced(memory);
  if (!kept.zstd) return out_of_memory(err);
  size_t n = ZSTD_decompressDCtx(kept.zstd, out, room, in, in_n);
  if (ZSTD_isError(n))
    return sp_fail(err, SP_CORRUPT, NULL, "the Zstandard data of a chunk are damaged");
  *got = n;
  return SP_OK;
}

sp_status sp_chunk_unpack(int id, const void *in, size_t in_n, void *out, size_t least, size_t room,
                          size_t *got, sp_error *err) {
  sp_status status;
  *got = 0;
  if (id == SP_FILTER_DEFLATE)
    status = inflate(in, in_n, out, room, got, err);
  else if (id == SP_FILTER_LZF)
    status = unpack_lzf(in, in_n, out, room, got, err);
  else
    status = unpack_zstd(in, in_n, out, room, got, err);
  if (status == SP_OK && *got < least)
    return sp_fail(err, SP_CORRUPT, NULL, "a chunk holds %zu bytes instead of %zu", *got, least);
  return status;
}

static uint64_t load64(const unsigned char *p) {
  uint64_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

/* Swaps the high parts of *a with the low parts of *b. */
static inline void exchange(uint64_t *a, uint64_t *b, unsigned shift, uint64_t low) {
  uint64_t t = ((*a >> shift) ^ *b) & low;
  *b ^= t;
  *a ^= t << shift;
}

/* Eight planes of `n` bytes to n values of eight: 8 x 8 bytes at a time are transposed in eight
 * registers by swapping blocks of 4, 2 and 1 bytes (for little-endian machines, as the columns
 * themselves). Three to four times as fast as byte by byte. */
static void unshuffle8(const unsigned char *in, size_t n, unsigned char *out) {
  const uint64_t low32 = 0x00000000ffffffffu, low16 = 0x0000ffff0000ffffu,
                 low8 = 0x00ff00ff00ff00ffu;
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const unsigned char *at = in + i;
    uint64_t r0 = load64(at), r1 = load64(at + n), r2 = load64(at + 2 * n);
    uint64_t r3 = load64(at + 3 * n), r4 = load64(at + 4 * n), r5 = load64(at + 5 * n);
    uint64_t r6 = load64(at + 6 * n), r7 = load64(at + 7 * n);
    exchange(&r0, &r4, 32, low32), exchange(&r1, &r5, 32, low32);
    exchange(&r2, &r6, 32, low32), exchange(&r3, &r7, 32, low32);
    exchange(&r0, &r2, 16, low16), exchange(&r1, &r3, 16, low16);
    exchange(&r4, &r6, 16, low16), exchange(&r5, &r7, 16, low16);
    exchange(&r0, &r1, 8, low8), exchange(&r2, &r3, 8, low8);
    exchange(&r4, &r5, 8, low8), exchange(&r6, &r7, 8, low8);
    const uint64_t rows[8] = {r0, r1, r2, r3, r4, r5, r6, r7};
    memcpy(out + 8 * i, rows, sizeof rows);
  }
  for (; i < n; i++)
    for (size_t k = 0; k < 8; k++) out[8 * i + k] = in[k * n + i];
}

static void unshuffle(const unsigned char *in, size_t bytes, size_t size, unsigned char *out) {
  size_t n = bytes / size;
  if (size == 8)
    unshuffle8(in, n, out);
  else
    for (size_t k = 0; k < size; k++)
      for (size_t i = 0; i < n; i++) out[size * i + k] = in[k * n + i];
  /* bytes that make no whole element stand unshuffled at the end */
  memcpy(out + n * size, in + n * size, bytes - n * size);
}

static uint32_t fletcher32(const unsigned char *at, size_t n) {
  uint32_t sum1 = 0, sum2 = 0;
  for (size_t words = n / 2; words;) {
    size_t run = words > 360 ? 360 : words; /* the most that cannot overflow 32 bits */
    words -= run;
    for (; run; run--, at += 2) {
      sum1 += (uint32_t)at[0] << 8 | at[1];
      sum2 += sum1;
    }
    sum1 = (sum1 & 0xffff) + (sum1 >> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  }
  if (n % 2) {
    sum1 += (uint32_t)*at << 8;
    sum2 += sum1;
    sum1 = (sum1 & 0xffff) + (sum1 >> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  }
  sum1 = (sum1 & 0xffff) + (sum1 >> 16);
  sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  return sum2 << 16 | sum1;
}

/* Releases of HDF5 before 1.6.3 stored the sum with the bytes of each half swapped. */
static bool checksum_holds(const unsigned char *at, size_t n) {
  const unsigned char *c = at + n;
  uint32_t stored =
      (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
  uint32_t sum = fletcher32(at, n);
  uint32_t swapped = (sum & 0x00ff00ffu) << 8 | (sum >> 8 & 0x00ff00ffu);
  return stored == sum || stored == swapped;
}

typedef struct stage {
  int id;
  size_t element; /* shuffle */
  size_t bytes;   /* size of the decoded side, where that follows from the chunk's size */
  bool to_out;    /* its result can be written to its final place */
} stage;

/* Whether a stage writes a new copy of its data. */
static bool copies(const stage *s) {
  return s->id != SP_FILTER_FLETCHER32 && !(s->id == SP_FILTER_SHUFFLE && s->element == 1);
}

/* The filters that this chunk really went through, in the order of writing. */
static sp_status plan(const sp_filter *pipeline, unsigned n, uint32_t mask, size_t out_n,
                      stage *stages, unsigned *count, sp_error *err) {
  bool packed = false, copied = false;
  size_t bytes = out_n;
  *count = 0;
  if (n > FILTERS_MAX) return sp_fail(err, SP_UNSUPPORTED, NULL, "passes %u filters", n);
  for (unsigned i = 0; i < n; i++) {
    const sp_filter *f = &pipeline[i];
    if (mask >> i & 1) continue;
    stage *s = &stages[(*count)++];
    *s = (stage){.id = f->id, .bytes = bytes};
    if (f->id == SP_FILTER_SHUFFLE) {
      s->element = f->value_count ? f->values[0] : 0;
      if (s->element == 0) return sp_fail(err, SP_CORRUPT, NULL, "shuffles elements of 0 bytes");
    } else if (f->id == SP_FILTER_FLETCHER32) {
      bytes += CHECKSUM_BYTES;
    } else if (f->id == SP_FILTER_DEFLATE || f->id == SP_FILTER_LZF || f->id == SP_FILTER_ZSTD) {
      if (packed) return sp_fail(err, SP_UNSUPPORTED, NULL, "is compressed twice");
      packed = true;
    } else {
      return sp_fail(err, SP_UNSUPPORTED, NULL, "passes filter %d, which this build lacks", f->id);
    }
    s->to_out = copies(s) && !copied && s->bytes <= out_n;
    copied = copied || copies(s);
  }
  return SP_OK;
}

static bool reserve_spare(size_t bytes) {
  if (bytes <= kept.spare_bytes) return true;
  sp_free_block(kept.spare);
  kept.spare = sp_alloc(bytes);
  kept.spare_bytes = kept.spare ? bytes : 0;
  return kept.spare != NULL;
}

sp_status sp_chunk_decode(const sp_filter *pipeline, unsigned n, uint32_t mask, const void *in,
                          size_t in_n, void *out, size_t out_n, sp_error *err) {
  stage stages[FILTERS_MAX];
  unsigned count, between = 0, turn = 0;
  /* no filter makes a chunk much longer, so buffers need not be made for what claims to be */
  if (in_n / 2 > out_n + SLACK_BYTES)
    return sp_fail(err, SP_CORRUPT, NULL, "a chunk of %zu bytes is stored as %zu", out_n, in_n);
  SP_TRY(plan(pipeline, n, mask, out_n, stages, &count, err));
  for (unsigned i = 0; i < count; i++) between += copies(&stages[i]) && !stages[i].to_out;

  /* Copies on the way go to halves of the spare buffer by turns; none is longer than the larger of
   * both ends plus its checksums. */
  size_t half = (in_n > out_n ? in_n : out_n) + (size_t)count * CHECKSUM_BYTES;
  if (between && !reserve_spare(half * (between > 1 ? 2 : 1))) return out_of_memory(err);
  const unsigned char *at = in;
  size_t bytes = in_n;
  for (unsigned i = count; i-- > 0;) {
    const stage *s = &stages[i];
    if (s->id == SP_FILTER_FLETCHER32) {
      if (bytes <= CHECKSUM_BYTES || !checksum_holds(at, bytes - CHECKSUM_BYTES))
        return sp_fail(err, SP_CORRUPT, NULL, "the checksum of a chunk does not match its bytes");
      bytes -= CHECKSUM_BYTES;
    }
    if (!copies(s)) continue;
    unsigned char *to = s->to_out ? out : kept.spare + (turn++ % 2 ? half : 0);
    if (s->id != SP_FILTER_SHUFFLE) {
      SP_TRY(sp_chunk_unpack(s->id, at, bytes, to, s->bytes, s->bytes, &bytes, err));
    } else if (bytes <= (s->to_out ? out_n : half)) {
      unshuffle(at, bytes, s->element, to);
    } else {
      return sp_fail(err, SP_CORRUPT, NULL, "a chunk holds more than its %zu bytes", out_n);
    }
    at = to;
  }
  if (bytes != out_n)
    return sp_fail(err, SP_CORRUPT, NULL, "a chunk holds %zu bytes instead of %zu", bytes, out_n);
  if (at != out && out_n) memcpy(out, at, out_n);
  return SP_OK;
}
