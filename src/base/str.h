/* str.h - a borrowed piece of text: bytes and a length.
 *
 * The bytes of a name are its identity and may be anything, NUL and invalid UTF-8 included; text
 * is decoded where it is printed (utf8.h). Strings that live in an arena also have a NUL behind
 * their last byte. A zeroed sp_str means "none"; an empty text has p != NULL and n == 0. */
#ifndef SP_BASE_STR_H
#define SP_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sp_str {
  const char *p;
  uint32_t n;
} sp_str;

#define SP_STR(literal) ((sp_str){(literal), (uint32_t)(sizeof(literal) - 1)})

static inline sp_str sp_str_of(const char *text) {
  return (sp_str){text, text ? (uint32_t)strlen(text) : 0};
}

static inline bool sp_str_equal(sp_str a, sp_str b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* Byte order; a prefix sorts before what it begins. */
static inline int sp_str_compare(sp_str a, sp_str b) {
  uint32_t n = a.n < b.n ? a.n : b.n;
  int order = n ? memcmp(a.p, b.p, n) : 0;
  return order ? order : (a.n > b.n) - (a.n < b.n);
}

#endif
