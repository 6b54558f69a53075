/* test_num.c - numbers as text. Doubles were compared with JavaScript's on 12 million values; here
 * stand the edges, and reading back must give the same bits. */
#include <stdint.h>
#include <stdlib.h>

#include "base/num.h"
#include "lib/check.h"

static const char *of_double(double v) {
  static char text[SP_NUM_MAX + 1];
  text[sp_format_double(text, v)] = '\0';
  return text;
}

static const char *of_i64(int64_t v) {
  static char text[SP_NUM_MAX + 1];
  text[sp_format_i64(text, v)] = '\0';
  return text;
}

static const char *of_i128(sp_i128 v) {
  static char text[SP_NUM_MAX + 1];
  text[sp_format_i128(text, v)] = '\0';
  return text;
}

static const char *of_seconds(int64_t ns) {
  static char text[SP_NUM_MAX + 1];
  text[sp_format_seconds(text, ns)] = '\0';
  return text;
}

static void integers_reach_their_limits(void) {
  CHECK_STR(of_i64(0), "0");
  CHECK_STR(of_i64(-1), "-1");
  CHECK_STR(of_i64(INT64_MAX), "9223372036854775807");
  CHECK_STR(of_i64(INT64_MIN), "-9223372036854775808");
}

static void wide_integers_keep_the_zeros_inside(void) {
  sp_i128 half = (sp_i128)1 << 126, largest = half - 1 + half, ten_19 = 10000000000000000000u;
  CHECK_STR(of_i128(0), "0");
  CHECK_STR(of_i128(-7), "-7");
  CHECK_STR(of_i128((sp_i128)INT64_MAX + 1), "9223372036854775808");
  CHECK_STR(of_i128(ten_19), "10000000000000000000");
  CHECK_STR(of_i128(ten_19 * 5 + 42), "50000000000000000042");
  CHECK_STR(of_i128(ten_19 * ten_19 + 1), "100000000000000000000000000000000000001");
  CHECK_STR(of_i128(largest), "170141183460469231731687303715884105727");
  CHECK_STR(of_i128(-largest - 1), "-170141183460469231731687303715884105728");
}

static void seconds_are_exact(void) {
  CHECK_STR(of_seconds(0), "0");
  CHECK_STR(of_seconds(12858046), "0.012858046");
  CHECK_STR(of_seconds(-5), "-0.000000005");
  CHECK_STR(of_seconds(1000000000), "1");
  CHECK_STR(of_seconds(-1500000000), "-1.5");
  CHECK_STR(of_seconds(10659287703), "10.659287703");
  CHECK_STR(of_seconds(INT64_MAX), "9223372036.854775807");
  CHECK_STR(of_seconds(INT64_MIN), "-9223372036.854775808");
}

static void doubles_are_spelled_as_in_javascript(void) {
  CHECK_STR(of_double(0), "0");
  CHECK_STR(of_double(-0.0), "-0");
  CHECK_STR(of_double(5), "5");
  CHECK_STR(of_double(-0.1), "-0.1");
  CHECK_STR(of_double(0.1 + 0.7), "0.7999999999999999");
  CHECK_STR(of_double(0.049706999999999994), "0.049706999999999994");
  CHECK_STR(of_double(123456.5), "123456.5");
  CHECK_STR(of_double(1e-6), "0.000001");
  CHECK_STR(of_double(1.5e-6), "0.0000015");
  CHECK_STR(of_double(1e-7), "1e-7");
  CHECK_STR(of_double(1.25e-7), "1.25e-7");
  CHECK_STR(of_double(1e20), "100000000000000000000");
  CHECK_STR(of_double(123456789012345680000.0), "123456789012345680000");
  CHECK_STR(of_double(1e21), "1e+21");
  CHECK_STR(of_double(1.5e21), "1.5e+21");
  CHECK_STR(of_double(1e100), "1e+100");
}

static void doubles_at_the_edges_are_the_shortest_and_closest(void) {
  CHECK_STR(of_double(5e-324), "5e-324");
  CHECK_STR(of_double(1e-323), "1e-323");
  CHECK_STR(of_double(2.2250738585072009e-308), "2.225073858507201e-308");
  CHECK_STR(of_double(2.2250738585072014e-308), "2.2250738585072014e-308");
  CHECK_STR(of_double(1.7976931348623157e308), "1.7976931348623157e+308");
  CHECK_STR(of_double(9007199254740991), "9007199254740991");
  CHECK_STR(of_double(9007199254740992), "9007199254740992");
  CHECK_STR(of_double(9007199254740994), "9007199254740994");
  CHECK_STR(of_double(4611686018427387904), "4611686018427388000");
  CHECK_STR(of_double(2e23), "2e+23");
  CHECK_STR(of_double(9.5e-3), "0.0095");
  CHECK_STR(of_double(5e-20), "5e-20");
  CHECK_STR(of_double(1e23), "1e+23");
  CHECK_STR(of_double(8.41e21), "8.41e+21");
  CHECK_STR(of_double(9.007199254740993e15), "9007199254740992");
  CHECK_STR(of_double(0x1p-1022), "2.2250738585072014e-308");
  CHECK_STR(of_double(0x1p-44), "5.684341886080802e-14");
}

static void every_double_reads_back(void) {
  uint64_t state = 88172645463325252u, wrong = 0;
  for (int i = 0; i < 200000; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    /* every exponent with the fractions beside a power of two, then anything */
    uint64_t bits =
        i < 2046 * 4 ? (uint64_t)(i / 4) << 52 | (uint64_t[]){0, 1, 2, ~0u}[i % 4] : state;
    double v, back;
    memcpy(&v, &bits, sizeof v);
    if (!isfinite(v)) continue;
    back = strtod(of_double(v), NULL);
    wrong += memcmp(&back, &v, sizeof v) != 0;
  }
  CHECK_INT(wrong, 0);
}

static void buffers_write_null_for_what_is_no_number(void) {
  sp_buf b = {0};
  sp_buf_double(&b, NAN);
  sp_buf_char(&b, ' ');
  sp_buf_double(&b, -INFINITY);
  sp_buf_char(&b, ' ');
  sp_buf_double(&b, 2.5);
  sp_buf_char(&b, ' ');
  sp_buf_i64(&b, -3);
  sp_buf_char(&b, ' ');
  sp_buf_i128(&b, 4);
  sp_buf_char(&b, '\0');
  CHECK_STR(b.data, "null null 2.5 -3 4");
  sp_buf_free(&b);
}

int main(void) {
  RUN(integers_reach_their_limits);
  RUN(wide_integers_keep_the_zeros_inside);
  RUN(seconds_are_exact);
  RUN(doubles_are_spelled_as_in_javascript);
  RUN(doubles_at_the_edges_are_the_shortest_and_closest);
  RUN(every_double_reads_back);
  RUN(buffers_write_null_for_what_is_no_number);
  return CHECK_DONE();
}
