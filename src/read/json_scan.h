/* json_scan.h - the bytes of JSON that both the outline's writer and its readers look at. */
#ifndef SP_READ_JSON_SCAN_H
#define SP_READ_JSON_SCAN_H

#include "profile/metadata.h"

/* All of these need a NUL behind the text. */

/* The first byte that is no blank. */
const char *sp_json_skip_blanks(const char *at);
/* The byte behind a number, null, NaN or infinity, or NULL when there is none at `at`. */
const char *sp_json_number_end(const char *at);
/* Takes one of these apart: INT, UINT or FLOAT (NaN when it has no value); returns its end. */
const char *sp_json_number(const char *at, sp_value *out);

#endif
