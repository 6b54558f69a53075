/* test_chunk.c - filters of one chunk: right values, exact sizes, and nothing beyond the buffers
 * (the sanitizers watch: every input and output lies in a block of exactly its size).
 *
 * The vectors are 40 values i^3 * 1000003 - 7, shuffled, compressed by zlib, Zstandard 1.5 and
 * h5py; "checked" is what HDF5 wrote for shuffle + gzip + Fletcher-32. */
#include <stdlib.h>

#include "base/arena.h"
#include "lib/check.h"
#include "read/chunk.h"

enum { VALUES = 40, BYTES = VALUES * 8 };

static const unsigned char deflated[] = {
    120, 218, 251, 105, 35,  200, 181, 115, 67,  227, 190, 159, 71,  54,  6,   89,  254, 80,  116,
    251, 121, 38,  80,  106, 231, 129, 131, 126, 63,  67,  62,  38,  89,  114, 36,  94,  251, 25,
    51,  81,  107, 231, 5,   198, 123, 255, 157, 132, 254, 78,  136, 122, 113, 188, 117, 195, 213,
    38,  151, 21,  118, 19,  245, 151, 183, 69,  174, 21,  20,  178, 83,  244, 118, 95,  250, 113,
    103, 215, 167, 250, 253, 118, 221, 70,  135, 78,  94,  250, 207, 95,  53,  251, 66,  241, 253,
    194, 150, 226, 89,  161, 255, 63,  247, 105, 169, 92,  155, 123, 229, 26,  195, 26,  179, 95,
    193, 115, 141, 11,  55,  135, 172, 87,  100, 217, 218, 247, 70,  115, 209, 166, 255, 12,  12,
    140, 204, 236, 60,  34,  114, 218, 214, 254, 105, 77,  139, 79,  126, 81,  137, 158, 113, 71,
    163, 234, 170, 249, 98,  241, 169, 50,  107, 61,  223, 47,  140, 83,  251, 125, 231, 244, 177,
    243, 64,  117, 168, 128, 17,  8,   152, 152, 152, 152, 153, 89,  88,  88,  89,  217, 216, 216,
    57,  56,  57,  185, 184, 121, 120, 49,  212, 225, 0,   212, 86,  7,   0,   58,  232, 86,  41,
};
static const unsigned char zstandard[] = {
    40,  181, 47,  253, 96,  64,  0,   69,  6,   0,   148, 11,  249, 60,  17,  10,  185, 176,
    129, 190, 249, 196, 177, 82,  57,  248, 33,  70,  249, 204, 81,  26,  185, 192, 193, 78,
    249, 84,  241, 98,  57,  8,   97,  214, 249, 92,  145, 42,  185, 208, 1,   222, 255, 66,
    18,  253, 144, 90,  232, 199, 133, 176, 213, 130, 68,  168, 62,  145, 47,  167, 134, 89,
    173, 17,  18,  62,  33,  75,  71,  165, 241, 185, 138, 242, 127, 191, 62,  139, 50,  194,
    201, 210, 255, 15,  122, 155, 208, 115, 223, 113, 132, 115, 154, 85,  255, 243, 142, 42,
    36,  214, 157, 212, 214, 0,   172, 54,  250, 83,  157, 51,  113, 179, 84,  175, 33,  4,
    181, 142, 236, 41,  162, 178, 255, 0,   0,   1,   3,   7,   12,  20,  30,  43,  59,  79,
    102, 130, 163, 201, 244, 36,  91,  152, 220, 40,  122, 213, 55,  163, 23,  149, 28,  173,
    73,  239, 161, 94,  38,  251, 220, 203, 198, 207, 255, 0,   1,   2,   2,   2,   3,   3,
    4,   4,   5,   5,   6,   6,   7,   8,   9,   9,   10,  11,  12,  13,  255, 0,   255, 4,
    0,   188, 20,  42,  6,   15,  3,   224, 138, 58,  32,  5,
};
static const unsigned char lzf[] = {
    31,  249, 60,  17,  10,  185, 176, 129, 190, 249, 196, 177, 82,  57,  248, 33,  70,  249, 204,
    81,  26,  185, 192, 193, 78,  249, 84,  241, 98,  57,  8,   97,  214, 31,  249, 92,  145, 42,
    185, 208, 1,   222, 255, 66,  18,  253, 144, 90,  232, 199, 133, 176, 213, 130, 68,  168, 62,
    145, 47,  167, 134, 89,  173, 17,  18,  62,  31,  33,  75,  71,  165, 241, 185, 138, 242, 127,
    191, 62,  139, 50,  194, 201, 210, 255, 15,  122, 155, 208, 115, 223, 113, 132, 115, 154, 85,
    255, 243, 142, 42,  31,  36,  214, 157, 212, 214, 0,   172, 54,  250, 83,  157, 51,  113, 179,
    84,  175, 33,  4,   181, 142, 236, 41,  162, 178, 255, 0,   0,   1,   3,   7,   12,  20,  31,
    30,  43,  59,  79,  102, 130, 163, 201, 244, 36,  91,  152, 220, 40,  122, 213, 55,  163, 23,
    149, 28,  173, 73,  239, 161, 94,  38,  251, 220, 203, 198, 207, 32,  39,  224, 5,   0,   0,
    1,   32,  0,   18,  2,   2,   2,   3,   3,   4,   4,   5,   5,   6,   6,   7,   8,   9,   9,
    10,  11,  12,  13,  224, 8,   39,  224, 14,  0,   224, 69,  39,  1,   0,   0,
};
static const unsigned char checked[] = {
    120, 218, 251, 105, 35,  200, 181, 115, 67,  227, 190, 159, 71,  54,  6,   89,  254, 80,
    116, 251, 121, 38,  80,  106, 231, 129, 131, 126, 63,  67,  62,  38,  89,  114, 36,  94,
    251, 25,  51,  81,  107, 231, 5,   198, 123, 255, 157, 132, 254, 78,  136, 122, 113, 188,
    117, 195, 213, 38,  151, 21,  118, 19,  245, 151, 183, 69,  174, 21,  20,  178, 83,  244,
    118, 95,  250, 113, 103, 215, 167, 250, 253, 118, 221, 70,  135, 78,  94,  250, 207, 95,
    53,  251, 66,  241, 253, 194, 150, 226, 89,  161, 255, 63,  247, 105, 169, 92,  155, 123,
    229, 26,  195, 26,  179, 95,  193, 115, 141, 11,  55,  135, 172, 87,  100, 217, 218, 247,
    70,  115, 209, 166, 255, 12,  12,  140, 204, 236, 60,  34,  114, 218, 214, 254, 105, 77,
    139, 79,  126, 81,  137, 158, 113, 71,  163, 234, 170, 249, 98,  241, 169, 50,  107, 61,
    223, 47,  140, 83,  251, 125, 231, 244, 177, 243, 64,  117, 168, 128, 17,  8,   152, 152,
    152, 152, 153, 89,  88,  88,  89,  217, 216, 216, 57,  56,  57,  185, 184, 121, 120, 49,
    212, 225, 0,   212, 86,  7,   0,   58,  232, 86,  41,  28,  108, 187, 121,
};

static const sp_filter shuffle = {SP_FILTER_SHUFFLE, 1, {8}};
static const sp_filter deflate = {SP_FILTER_DEFLATE, 1, {9}};
static const sp_filter zstd = {SP_FILTER_ZSTD, 1, {19}};
static const sp_filter lzf_filter = {SP_FILTER_LZF, 3, {4, 261, BYTES}};
static const sp_filter checksum = {.id = SP_FILTER_FLETCHER32};

/* Decodes from and into blocks without a byte to spare. */
static sp_status decode(const sp_filter *pipeline, unsigned n, uint32_t mask, const void *in,
                        size_t in_n, void *out, size_t out_n, sp_error *err) {
  unsigned char *exact_in = malloc(in_n ? in_n : 1), *exact_out = malloc(out_n ? out_n : 1);
  memcpy(exact_in, in, in_n);
  sp_status status = sp_chunk_decode(pipeline, n, mask, exact_in, in_n, exact_out, out_n, err);
  if (status == SP_OK) memcpy(out, exact_out, out_n);
  free(exact_in);
  free(exact_out);
  return status;
}

static int64_t value(int64_t i) { return i * i * i * 1000003 - 7; }

static void check_values(const sp_filter *pipeline, unsigned n, const unsigned char *in,
                         size_t in_n) {
  int64_t out[VALUES] = {0};
  sp_error err = {0};
  CHECK_STATUS(decode(pipeline, n, 0, in, in_n, out, BYTES, &err), SP_OK);
  CHECK_STR(err.message, "");
  for (int i = 0; i < VALUES; i++) CHECK_INT(out[i], value(i));
}

static void every_compression_gives_the_values_back(void) {
  check_values((sp_filter[]){shuffle, deflate}, 2, deflated, sizeof deflated);
  check_values((sp_filter[]){shuffle, zstd}, 2, zstandard, sizeof zstandard);
  check_values((sp_filter[]){shuffle, lzf_filter}, 2, lzf, sizeof lzf);
  check_values((sp_filter[]){shuffle, deflate, checksum}, 3, checked, sizeof checked);
}

static void decoders_can_be_released_and_used_again(void) {
  sp_chunk_release();
  int64_t live = sp_alloc_live();
  check_values((sp_filter[]){shuffle, deflate}, 2, deflated, sizeof deflated);
  check_values((sp_filter[]){shuffle, zstd}, 2, zstandard, sizeof zstandard);
  sp_chunk_release();
  CHECK_INT(sp_alloc_live(), live);
  sp_chunk_release();
}

static void a_filter_left_out_for_this_chunk_is_skipped(void) {
  int64_t plain[VALUES], out[VALUES];
  for (int i = 0; i < VALUES; i++) plain[i] = value(i);
  const sp_filter both[] = {shuffle, deflate};
  CHECK_STATUS(decode(both, 2, 3, plain, BYTES, out, BYTES, NULL), SP_OK);
  CHECK(memcmp(plain, out, BYTES) == 0);
  CHECK_STATUS(decode(both, 2, 3, plain, BYTES - 8, out, BYTES, NULL), SP_CORRUPT);
  CHECK_STATUS(decode(NULL, 0, 0, plain, BYTES, out, BYTES, NULL), SP_OK);
  CHECK_STATUS(decode(NULL, 0, 0, plain, 0, out, 0, NULL), SP_OK);
}

static void elements_of_any_size_are_unshuffled(void) {
  for (unsigned size = 1; size <= 20; size++) {
    for (unsigned n = 0; n <= 200; n += n < 40 ? 1 : 23) {
      unsigned char in[200], out[200] = {0};
      for (unsigned i = 0; i < n; i++) in[i] = (unsigned char)(i * 37 + 11);
      sp_filter f = {SP_FILTER_SHUFFLE, 1, {size}};
      CHECK_STATUS(decode(&f, 1, 0, in, n, out, n, NULL), SP_OK);
      unsigned whole = n / size, wrong = 0;
      for (unsigned i = 0; i < whole; i++)
        for (unsigned k = 0; k < size; k++) wrong += out[i * size + k] != in[k * whole + i];
      for (unsigned i = whole * size; i < n; i++) wrong += out[i] != in[i];
      CHECK_INT(wrong, 0);
    }
  }
}

static void a_chunk_of_another_size_than_declared_fails(void) {
  const struct {
    sp_filter pack;
    const unsigned char *in;
    size_t in_n;
  } cases[] = {{deflate, deflated, sizeof deflated},
               {zstd, zstandard, sizeof zstandard},
               {lzf_filter, lzf, sizeof lzf}};
  unsigned char out[BYTES + 16];
  for (size_t i = 0; i < SP_ARRAY_LEN(cases); i++) {
    const sp_filter pipeline[] = {shuffle, cases[i].pack};
    static const size_t sizes[] = {0, 1, BYTES - 1, BYTES + 1, BYTES + 16};
    for (size_t k = 0; k < SP_ARRAY_LEN(sizes); k++)
      CHECK_STATUS(decode(pipeline, 2, 0, cases[i].in, cases[i].in_n, out, sizes[k], NULL),
                   SP_CORRUPT);
  }
}

static void a_stored_size_far_beyond_the_chunk_is_refused_unread(void) {
  unsigned char out[8];
  sp_error err = {0};
  CHECK_STATUS(sp_chunk_decode(&deflate, 1, 0, NULL, (size_t)1 << 31, out, 8, &err), SP_CORRUPT);
  CHECK_STR(err.message, "a chunk of 8 bytes is stored as 2147483648");
}

static void a_checksum_that_does_not_match_fails(void) {
  const sp_filter pipeline[] = {shuffle, deflate, checksum};
  unsigned char bad[sizeof checked], out[BYTES];
  for (size_t i = 0; i < sizeof checked; i++) {
    memcpy(bad, checked, sizeof bad);
    bad[i] ^= 0x10;
    CHECK_STATUS(decode(pipeline, 3, 0, bad, sizeof bad, out, BYTES, NULL), SP_CORRUPT);
  }
  for (size_t n = 0; n < sizeof checked; n++)
    CHECK_STATUS(decode(pipeline, 3, 0, checked, n, out, BYTES, NULL), SP_CORRUPT);
  CHECK_STATUS(decode(&checksum, 1, 0, checked, 4, out, 0, NULL), SP_CORRUPT);
}

static void checksums_in_front_of_the_compression_and_alone_work(void) {
  /* Fletcher-32 of 01 02 is sum1 = sum2 = 0x0102, stored little-endian */
  static const unsigned char summed[] = {1, 2, 2, 1, 2, 1}, old[] = {1, 2, 1, 2, 1, 2};
  /* the six bytes above as a stored deflate block in a zlib frame */
  static const unsigned char packed[] = {120, 1, 1, 6, 0, 249, 255, 1, 2, 2, 1, 2, 1, 0, 38, 0, 10};
  unsigned char out[2] = {0};
  CHECK_STATUS(decode(&checksum, 1, 0, summed, 6, out, 2, NULL), SP_OK);
  CHECK_INT(out[0] * 256 + out[1], 0x0102);
  CHECK_STATUS(decode(&checksum, 1, 0, old, 6, out, 2, NULL), SP_OK); /* HDF5 before 1.6.3 */
  memset(out, 0, sizeof out);
  const sp_filter first[] = {checksum, deflate};
  CHECK_STATUS(decode(first, 2, 0, packed, sizeof packed, out, 2, NULL), SP_OK);
  CHECK_INT(out[0] * 256 + out[1], 0x0102);
}

static void damaged_bytes_never_reach_beyond_the_buffers(void) {
  const struct {
    sp_filter pack;
    const unsigned char *in;
    size_t in_n;
  } cases[] = {{deflate, deflated, sizeof deflated},
               {zstd, zstandard, sizeof zstandard},
               {lzf_filter, lzf, sizeof lzf}};
  unsigned char bad[512], out[BYTES];
  for (size_t i = 0; i < SP_ARRAY_LEN(cases); i++) {
    const sp_filter pipeline[] = {shuffle, cases[i].pack};
    for (size_t n = 0; n < cases[i].in_n; n++)
      CHECK_STATUS(decode(pipeline, 2, 0, cases[i].in, n, out, BYTES, NULL), SP_CORRUPT);
    uint32_t seed = 1;
    for (int round = 0; round < 20000; round++) {
      memcpy(bad, cases[i].in, cases[i].in_n);
      for (int k = 0; k < 3; k++) {
        seed = seed * 1664525u + 1013904223u;
        bad[(seed >> 16) % cases[i].in_n] = (unsigned char)(seed >> 8);
      }
      decode(pipeline, 2, 0, bad, cases[i].in_n, out, BYTES, NULL);
    }
  }
}

static void what_no_recorder_writes_is_refused(void) {
  unsigned char out[8];
  const sp_filter twice[] = {deflate, deflate}, szip = {.id = 4};
  const sp_filter zero = {SP_FILTER_SHUFFLE, 1, {0}};
  CHECK_STATUS(decode(twice, 2, 0, "x", 1, out, 8, NULL), SP_UNSUPPORTED);
  CHECK_STATUS(decode(&szip, 1, 0, "x", 1, out, 8, NULL), SP_UNSUPPORTED);
  CHECK_STATUS(decode(&zero, 1, 0, "12345678", 8, out, 8, NULL), SP_CORRUPT);
}

static void running_out_of_memory_is_a_status(void) {
  const sp_filter pipelines[][2] = {{shuffle, deflate}, {shuffle, zstd}};
  const struct {
    const unsigned char *in;
    size_t n;
  } inputs[] = {{deflated, sizeof deflated}, {zstandard, sizeof zstandard}};
  unsigned char out[BYTES];
  for (size_t i = 0; i < SP_ARRAY_LEN(pipelines); i++) {
    sp_status status = SP_NOMEM;
    int64_t live = 0;
    for (uint64_t n = 1; status == SP_NOMEM && n < 20; n++) {
      sp_chunk_release();
      live = sp_alloc_live();
      sp_alloc_fail_at(n, false);
      status = sp_chunk_decode(pipelines[i], 2, 0, inputs[i].in, inputs[i].n, out, BYTES, NULL);
      sp_alloc_fail_at(0, false);
    }
    CHECK_STATUS(status, SP_OK);
    sp_chunk_release();
    CHECK_INT(sp_alloc_live(), live);
  }
}

int main(void) {
  RUN(every_compression_gives_the_values_back);
  RUN(decoders_can_be_released_and_used_again);
  RUN(a_filter_left_out_for_this_chunk_is_skipped);
  RUN(elements_of_any_size_are_unshuffled);
  RUN(a_chunk_of_another_size_than_declared_fails);
  RUN(a_stored_size_far_beyond_the_chunk_is_refused_unread);
  RUN(a_checksum_that_does_not_match_fails);
  RUN(checksums_in_front_of_the_compression_and_alone_work);
  RUN(damaged_bytes_never_reach_beyond_the_buffers);
  RUN(what_no_recorder_writes_is_refused);
  RUN(running_out_of_memory_is_a_status);
  sp_chunk_release();
  return CHECK_DONE();
}
