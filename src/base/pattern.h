/* pattern.h - regular expressions on region names (PCRE2: anchored at the start, UTF, Unicode
 * classes, match, depth and heap limits; no JIT). Names that are not UTF-8 are matched with each
 * invalid byte replaced by U+FFFD. */
#ifndef SP_BASE_PATTERN_H
#define SP_BASE_PATTERN_H

#include "base/error.h"
#include "base/str.h"

typedef struct sp_pattern sp_pattern;

/* Compiles `text`. A fault is USAGE with `option` as the path; the message quotes the pattern and
 * names the column and PCRE2's reason. NULL pattern on failure. */
sp_status sp_pattern_compile(const char *text, const char *option, sp_pattern **out, sp_error *err);
/* Sets *matches. A limit that is hit is USAGE naming the pattern. */
sp_status sp_pattern_match(const sp_pattern *p, sp_str name, bool *matches, sp_error *err);
void sp_pattern_free(sp_pattern *p);

#endif
