/* h5slim.c - see h5slim.h; also the text that HDF5 would print about how it was built. */
#include "h5slim.h"

#include <string.h>

extern const char H5build_settings[];
const char H5build_settings[] = "";

static const char *first;

void h5slim_note(const char *text) {
  if (!first) first = text;
}

/* Texts are printf formats whose values were not kept: "truncated file: eof = %llu, ..." becomes
 * "truncated file", "required filter %d is not registered" becomes "required filter is not
 * registered". */
const char *h5slim_error(void) {
  static char plain[160];
  const char *value = first ? strchr(first, '%') : NULL;
  if (!value) return first;
  size_t n = 0;
  const char *mark = strpbrk(first, ":(,{");
  if (mark && mark < value) {
    for (const char *c = first; c < mark && n < sizeof plain - 1; c++) plain[n++] = *c;
    while (n && plain[n - 1] == ' ') n--;
  } else {
    for (const char *c = first; *c && n < sizeof plain - 1; c++) {
      if (*c != '%') {
        if (*c != '\'' && (*c != ' ' || (n && plain[n - 1] != ' '))) plain[n++] = *c;
        continue;
      }
      c += strcspn(c + 1, "diouxXscfgep%") + 1;
      if (!*c) break;
    }
  }
  plain[n] = 0;
  return plain;
}

void h5slim_clear(void) { first = NULL; }
