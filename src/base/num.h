/* num.h - numbers to text, exactly.
 *
 * Doubles: the shortest text that reads back as the same double (and of those the closest), in
 * JavaScript's spelling (5, 0.1, 1e-7, 1.5e+21). Times: exact decimal seconds of integer ns. */
#ifndef SP_BASE_NUM_H
#define SP_BASE_NUM_H

#include "base/buf.h"
#include "base/int128.h"

enum { SP_NUM_MAX = 48 };

/* Write at most SP_NUM_MAX characters to `to` (no NUL) and return their number. */
size_t sp_format_i64(char *to, int64_t v);
size_t sp_format_i128(char *to, sp_i128 v);
/* `v` must be finite. */
size_t sp_format_double(char *to, double v);
/* ns / 1e9 without rounding: 12858046 -> 0.012858046, -5 -> -5e-9 is written -0.000000005. */
size_t sp_format_seconds(char *to, int64_t ns);

void sp_buf_i64(sp_buf *b, int64_t v);
void sp_buf_i128(sp_buf *b, sp_i128 v);
/* "null" when `v` is not finite. */
void sp_buf_double(sp_buf *b, double v);

#endif
