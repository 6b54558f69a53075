/* json_scan.c - numbers of a JSON text, exactly. */
#include "read/json_scan.h"

#include <math.h>
#include <stdlib.h>

const char *sp_json_skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r') at++;
  return at;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *skip_digits(const char *at) {
  while (is_digit(*at)) at++;
  return at;
}

/* The end of a word that stands for no number, or NULL. */
static const char *word_end(const char *at) {
  static const char *const words[] = {"null", "NaN", "Infinity", "-Infinity"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i]);
    if (strncmp(at, words[i], n) == 0) return at + n;
  }
  return NULL;
}

const char *sp_json_number_end(const char *at) {
  const char *p = at + (*at == '-');
  if (!is_digit(*p)) return word_end(at);
  p = *p == '0' ? p + 1 : skip_digits(p); /* JSON has no leading zeros */
  if (*p == '.') {
    if (!is_digit(p[1])) return NULL;
    p = skip_digits(p + 1);
  }
  if (*p == 'e' || *p == 'E') {
    const char *digits = p + 1 + (p[1] == '-' || p[1] == '+');
    if (!is_digit(*digits)) return NULL;
    p = skip_digits(digits);
  }
  return p;
}

const char *sp_json_number(const char *at, sp_value *out) {
  bool negative = *at == '-';
  const char *p = at + negative;
  uint64_t magnitude = 0;
  bool fits = is_digit(*p);
  if (!fits) {
    *out = (sp_value){.kind = SP_VALUE_FLOAT, .real = NAN};
    return word_end(at);
  }
  for (; is_digit(*p); p++)
    fits = fits && !__builtin_mul_overflow(magnitude, 10u, &magnitude) &&
           !__builtin_add_overflow(magnitude, (uint64_t)(*p - '0'), &magnitude);
  bool whole = *p != '.' && *p != 'e' && *p != 'E';
  uint64_t most = (uint64_t)INT64_MAX + negative;
  if (whole && fits && magnitude <= most) {
    /* -2^63 has no positive counterpart, so the sign goes in without one */
    int64_t value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    *out = (sp_value){.kind = SP_VALUE_INT, .integer = value};
    return p;
  }
  if (whole && fits && !negative) {
    *out = (sp_value){.kind = SP_VALUE_UINT, .integer = (int64_t)magnitude};
    return p;
  }
  /* The text was checked, so strtod stops where the number ends: at one of ] } , or a blank. */
  char *end;
  double real = strtod(at, &end);
  *out = (sp_value){.kind = SP_VALUE_FLOAT, .real = real};
  return end;
}
