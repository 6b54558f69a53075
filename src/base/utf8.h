/* utf8.h - decoding text where it is printed. */
#ifndef SP_BASE_UTF8_H
#define SP_BASE_UTF8_H

#include "base/buf.h"

/* Decodes one character at text.p[*at] (*at < text.n) and moves *at on; an invalid byte gives
 * SP_BAD_BYTE + the byte and moves one byte on (surrogates, overlong forms and values above
 * U+10FFFF are invalid). */
#define SP_BAD_BYTE 0x80000000u
uint32_t sp_utf8_next(sp_str text, uint32_t *at);

bool sp_utf8_valid(sp_str text);

/* Terminal columns of a character: 0 combining, 2 East Asian wide, else 1 (wcwidth rules). */
int sp_char_width(uint32_t c);

/* Terminal text: control, bidi, zero-width and line-separator characters become visible escapes
 * (\t, \n, \xNN, \u{202E}); invalid bytes \xNN. Returns the columns written. */
size_t sp_terminal_text(sp_buf *out, sp_str text);
/* The columns sp_terminal_text would write. */
size_t sp_terminal_width(sp_str text);

/* Each invalid byte as the four characters \xNN; valid text as it is. */
void sp_name_text(sp_buf *out, sp_str name);

#endif
