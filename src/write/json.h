/* json.h - JSON text, streamed into a buffer. Numbers: base/num.h (no number may change).
 *
 * Escaped: quote, backslash, C0 controls, DEL, U+2028 and U+2029; everything else is UTF-8. */
#ifndef SP_WRITE_JSON_H
#define SP_WRITE_JSON_H

#include "base/buf.h"

/* A text in quotes; each invalid UTF-8 byte becomes U+FFFD. A zeroed text is null. */
void sp_json_string(sp_buf *b, sp_str text);
/* A region name in quotes; each invalid byte becomes the four characters \xNN, so that different
 * names stay different. */
void sp_json_name(sp_buf *b, sp_str name);

#endif
