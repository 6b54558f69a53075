/* num.c - integers, exact seconds, and the shortest decimal text of a double.
 *
 * Doubles: Raffaello Giulietti's Schubfach ("The Schubfach way to render doubles", 2020). A double
 * c * 2^q is scaled by a power of ten so that its rounding interval spans 2 to 20 integers; among
 * them the shortest, then the closest, is the answer. The scaled bounds need 10^k to 128 bits:
 *
 *   10^k = bases[i] * 5^j * 2^n, k = 27 i + j, 0 <= j < 27     (bases: 10^(27 i) to 192 bits)
 *
 * which gives each of the 617 powers exactly as rounding 10^k up would. */
#include "base/num.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

enum { BASE_STEP = 27, BASE_FIRST = -11 };

/* floor(10^(27 i) * 2^n), most significant word first; n such that the first bit is set. */
static const uint64_t bases[][3] = {
    {0xa76c582338ed2621u, 0xaf2af2b80af6f24eu, 0x657c8f4d43323a36u}, /* 10^-297 */
    {0x873e4f75e2224e68u, 0x5a7744a6e804a291u, 0xcc35eddfcf0996d7u}, /* 10^-270 */
    {0xda7f5bf590966848u, 0xaf39a475506a899eu, 0xa30294cc2934e662u}, /* 10^-243 */
    {0xb080392cc4349decu, 0xbd8d794d96aacfb3u, 0xfe13a5c86af64418u}, /* 10^-216 */
    {0x8e938662882af53eu, 0x547eb47b7282ee9cu, 0x41b0230e1421487du}, /* 10^-189 */
    {0xe65829b3046b0afau, 0x0cb4a5a3112a5112u, 0xa3b561b1cb208396u}, /* 10^-162 */
    {0xba121a4650e4ddebu, 0x92f34d62616ce413u, 0x21a0183e10583cd3u}, /* 10^-135 */
    {0x964e858c91ba2655u, 0x3a6a07f8d510f86fu, 0xe9082f25e9c5e9ecu}, /* 10^-108 */
    {0xf2d56790ab41c2a2u, 0xfae27299423fb9c3u, 0x3695dad7e8858901u}, /* 10^-81 */
    {0xc428d05aa4751e4cu, 0xaa97e14c3c26b886u, 0x96842dc95323f5a8u}, /* 10^-54 */
    {0x9e74d1b791e07e48u, 0x775ea264cf55347du, 0xca49f1c05120c9c7u}, /* 10^-27 */
    {0x8000000000000000u, 0x0000000000000000u, 0x0000000000000000u}, /* 10^0 */
    {0xcecb8f27f4200f3au, 0x0000000000000000u, 0x0000000000000000u}, /* 10^27 */
    {0xa70c3c40a64e6c51u, 0x999090b65f67d924u, 0x0000000000000000u}, /* 10^54 */
    {0x86f0ac99b4e8dafdu, 0x69a028bb3ded71a3u, 0xdf9f915627c04e28u}, /* 10^81 */
    {0xda01ee641a708de9u, 0xe80e6f4820cc9495u, 0xd74baad03bc1d8d3u}, /* 10^108 */
    {0xb01ae745b101e9e4u, 0x5ec05dcff72e7f8fu, 0xc04c79ffe324301fu}, /* 10^135 */
    {0x8e41ade9fbebc27du, 0x14588f13be847307u, 0x23bd6a2059c002f5u}, /* 10^162 */
    {0xe5d3ef282a242e81u, 0x8f1668c8a86da5fau, 0xf0b5ccf5176ecc7cu}, /* 10^189 */
    {0xb9a74a0637ce2ee1u, 0x6d953e2bd7173692u, 0x88efb0037ac08bdeu}, /* 10^216 */
    {0x95f83d0a1fb69cd9u, 0x4abdaf101564f98eu, 0x0d5a4af7b3a98e47u}, /* 10^243 */
    {0xf24a01a73cf2dccfu, 0xbc633b39673c8cecu, 0x3d9c44cd2f36917cu}, /* 10^270 */
    {0xc3b8358109e84f07u, 0x0a862f80ec4700c8u, 0x02606ea01029dc37u}, /* 10^297 */
    {0x9e19db92b4e31ba9u, 0x6c07a2c26a8346d1u, 0x4944d9f52cd0dec2u}, /* 10^324 */
};

/* 5^j */
static const uint64_t fives[BASE_STEP] = {1,
                                          5,
                                          25,
                                          125,
                                          625,
                                          3125,
                                          15625,
                                          78125,
                                          390625,
                                          1953125,
                                          9765625,
                                          48828125,
                                          244140625,
                                          1220703125,
                                          6103515625u,
                                          30517578125u,
                                          152587890625u,
                                          762939453125u,
                                          3814697265625u,
                                          19073486328125u,
                                          95367431640625u,
                                          476837158203125u,
                                          2384185791015625u,
                                          11920928955078125u,
                                          59604644775390625u,
                                          298023223876953125u,
                                          1490116119384765625u};

/* ---- integers ------------------------------------------------------------------------------ */

/* "000102...99" */
static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445"
    "46474849505152535455565758596061626364656667686970717273747576777879808182838485868788899091"
    "9293949596979899";

/* Eight digits, in steps that need not wait for each other. */
static void put_eight(char *to, uint32_t v) {
  uint32_t high = v / 10000, low = v % 10000;
  memcpy(to, pairs + high / 100 * 2, 2);
  memcpy(to + 2, pairs + high % 100 * 2, 2);
  memcpy(to + 4, pairs + low / 100 * 2, 2);
  memcpy(to + 6, pairs + low % 100 * 2, 2);
}

/* Exactly `width` digits, zeros in front. */
static void put_padded(char *to, uint64_t v, size_t width) {
  for (; width >= 8; v /= 100000000) {
    width -= 8;
    put_eight(to + width, (uint32_t)(v % 100000000));
  }
  for (; width >= 2; v /= 100) {
    width -= 2;
    memcpy(to + width, pairs + v % 100 * 2, 2);
  }
  if (width) to[0] = (char)('0' + v % 10);
}

static size_t put_u64(char *to, uint64_t v) {
  static const uint64_t powers[] = {0,
                                    10,
                                    100,
                                    1000,
                                    10000,
                                    100000,
                                    1000000,
                                    10000000,
                                    100000000,
                                    1000000000,
                                    10000000000,
                                    100000000000,
                                    1000000000000,
                                    10000000000000,
                                    100000000000000,
                                    1000000000000000,
                                    10000000000000000,
                                    100000000000000000,
                                    1000000000000000000,
                                    10000000000000000000u};
  size_t bits = 64 - (size_t)__builtin_clzll(v | 1), n = bits * 1233 >> 12; /* log10(2) * bits */
  n += v >= powers[n];
  put_padded(to, v, n);
  return n;
}

size_t sp_format_i64(char *to, int64_t v) {
  if (v >= 0) return put_u64(to, (uint64_t)v);
  *to = '-';
  return 1 + put_u64(to + 1, 0 - (uint64_t)v);
}

size_t sp_format_i128(char *to, sp_i128 v) {
  static const uint64_t ten_19 = 10000000000000000000u;
  size_t n = 0;
  u128 rest = (u128)v;
  if (v < 0) {
    to[n++] = '-';
    rest = 0 - rest;
  }
  uint64_t groups[3]; /* 2^128 has 39 digits: 1 + 19 + 19 */
  size_t count = 0;
  do {
    groups[count++] = (uint64_t)(rest % ten_19);
    rest /= ten_19;
  } while (rest);
  n += put_u64(to + n, groups[--count]);
  for (; count; n += 19) put_padded(to + n, groups[--count], 19);
  return n;
}

size_t sp_format_seconds(char *to, int64_t ns) {
  uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
  size_t n = 0;
  if (ns < 0) to[n++] = '-';
  n += put_u64(to + n, size / 1000000000);
  uint64_t fraction = size % 1000000000;
  if (!fraction) return n;
  size_t width = 9;
  for (; fraction % 10 == 0; width--) fraction /= 10;
  to[n++] = '.';
  put_padded(to + n, fraction, width);
  return n + width;
}

/* ---- doubles ------------------------------------------------------------------------------- */

/* A decimal number: digits * 10^exponent. */
typedef struct decimal {
  uint64_t digits;
  int exponent;
} decimal;

/* x * 2^-n towards minus infinity. */
static int floor_shift(int x, int n) { return x >= 0 ? x >> n : ~(~x >> n); }

/* 10^k * 2^n rounded up to 128 bits, n such that the first bit is set. */
static u128 power_of_ten(int k) {
  int i = (k - BASE_FIRST * BASE_STEP) / BASE_STEP, j = k - (i + BASE_FIRST) * BASE_STEP;
  uint64_t five = fives[j];
  /* words of bases[i] * 5^j, least significant first */
  u128 low = (u128)bases[i][2] * five;
  u128 middle = (u128)bases[i][1] * five + (uint64_t)(low >> 64);
  u128 high = (u128)bases[i][0] * five + (uint64_t)(middle >> 64);
  uint64_t w[4] = {(uint64_t)low, (uint64_t)middle, (uint64_t)high, (uint64_t)(high >> 64)};
  u128 top = (u128)w[3] << 64 | w[2];
  bool rest = w[0] != 0;
  if (!w[3]) { /* j = 0: the product is no longer than the base */
    return ((u128)w[2] << 64 | w[1]) + rest;
  }
  int shift = __builtin_clzll(w[3]);
  rest = rest || (w[1] << shift) != 0;
  if (shift) top = top << shift | w[1] >> (64 - shift);
  return top + rest;
}

/* g * c / 2^128, the last bit set when something was cut off. */
static uint64_t multiply(u128 g, uint64_t c) {
  u128 low = (u128)(uint64_t)g * c, high = (u128)(uint64_t)(g >> 64) * c + (uint64_t)(low >> 64);
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* The shortest decimal of a positive finite double, given as its fields. */
static decimal shortest(uint64_t fraction, int biased) {
  uint64_t c = biased ? fraction | (uint64_t)1 << 52 : fraction;
  int q = (biased ? biased : 1) - 1075;
  if (q <= 0 && q > -53 && (c & (((uint64_t)1 << -q) - 1)) == 0) return (decimal){c >> -q, 0};
  bool is_even = c % 2 == 0;
  /* below a power of two the next double is only half as far */
  bool lower_is_closer = fraction == 0 && biased > 1;
  int k = floor_shift(q * 1262611 - (lower_is_closer ? 524031 : 0), 22);
  int h = q + floor_shift(-k * 1741647, 19) + 1;
  u128 g = power_of_ten(-k);
  /* four times the bounds and the value, so that halves are integers */
  uint64_t lower = multiply(g, (4 * c - 2 + lower_is_closer) << h) + !is_even;
  uint64_t value = multiply(g, 4 * c << h);
  uint64_t upper = multiply(g, (4 * c + 2) << h) - !is_even;
  uint64_t s = value / 4;
  if (s >= 10) { /* one digit fewer? */
    uint64_t tens = s / 10;
    bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
    if (down != up) return (decimal){tens + up, k + 1};
  }
  bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
  if (down != up) return (decimal){s + up, k};
  uint64_t half = 4 * s + 2;
  bool round_up = value > half || (value == half && s % 2 != 0);
  return (decimal){s + round_up, k};
}

/* Number.prototype.toString: `n` digits, the point behind the first `point` of them. */
static size_t spell(char *to, const char *digits, int n, int point) {
  size_t at = 0;
  if (point > 21 || point <= -6) {
    to[at++] = digits[0];
    if (n > 1) {
      to[at++] = '.';
      memcpy(to + at, digits + 1, (size_t)n - 1);
      at += (size_t)n - 1;
    }
    to[at++] = 'e';
    to[at++] = point > 0 ? '+' : '-';
    return at + put_u64(to + at, (uint64_t)(point > 0 ? point - 1 : 1 - point));
  }
  if (point <= 0) {
    to[at++] = '0';
    to[at++] = '.';
    for (; point < 0; point++) to[at++] = '0';
    memcpy(to + at, digits, (size_t)n);
    return at + (size_t)n;
  }
  for (int i = 0; i < n || i < point; i++) {
    if (i == point) to[at++] = '.';
    to[at++] = i < n ? digits[i] : '0';
  }
  return at;
}

size_t sp_format_double(char *to, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  size_t sign = bits >> 63;
  if (sign) to[0] = '-';
  uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  int biased = (int)(bits >> 52 & 0x7FF);
  if (!fraction && !biased) {
    to[sign] = '0';
    return sign + 1;
  }
  decimal d = shortest(fraction, biased);
  for (; d.digits % 10 == 0; d.exponent++) d.digits /= 10;
  char digits[20];
  int n = (int)put_u64(digits, d.digits);
  return sign + spell(to + sign, digits, n, n + d.exponent);
}

/* ---- into buffers -------------------------------------------------------------------------- */

void sp_buf_i64(sp_buf *b, int64_t v) {
  char *to = sp_buf_reserve(b, SP_NUM_MAX);
  if (to) b->length += sp_format_i64(to, v);
}

void sp_buf_i128(sp_buf *b, sp_i128 v) {
  char *to = sp_buf_reserve(b, SP_NUM_MAX);
  if (to) b->length += sp_format_i128(to, v);
}

void sp_buf_double(sp_buf *b, double v) {
  if (!isfinite(v)) {
    sp_buf_text(b, "null");
    return;
  }
  char *to = sp_buf_reserve(b, SP_NUM_MAX);
  if (to) b->length += sp_format_double(to, v);
}
