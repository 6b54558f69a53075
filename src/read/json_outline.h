/* json_outline.h - a JSON text for cJSON without its numbers.
 *
 * cJSON turns every number into a double (integers beyond 2^53 change) and every value into a node
 * of 64 bytes (a column of a million calls is 64 MB). So the text is checked and copied first,
 * and each number, each array of nothing but numbers, and each array under the key
 * "event_metadata" is replaced by its place in a table; its value is read from the text itself:
 *
 *   {"rank": 3, "call_ids": [7, 8, null]}   ->   {"rank": 0, "call_ids": 1}   + 2 parts
 *
 * NaN, Infinity and -Infinity count as numbers that have no value, as null does among numbers. */
#ifndef SP_READ_JSON_OUTLINE_H
#define SP_READ_JSON_OUTLINE_H

#include <cJSON.h>

#include "base/buf.h"
#include "base/error.h"
#include "profile/metadata.h"

typedef enum sp_json_part_kind { SP_JSON_NUMBER, SP_JSON_NUMBERS, SP_JSON_TEXT } sp_json_part_kind;

typedef struct sp_json_part {
  const char *at; /* the number, the first byte behind "[", or the kept text */
  uint64_t n;     /* numbers, or bytes of the kept text */
  sp_json_part_kind kind;
} sp_json_part;

typedef struct sp_json_outline {
  const char *text; /* borrowed; text[length] is NUL */
  size_t length;
  sp_json_part *parts;
  uint32_t count, capacity;
  cJSON *root; /* every cJSON number is an index into parts */
} sp_json_outline;

/* Checks the whole text and builds the outline. Damage is CORRUPT with line and column; more than
 * `budget` bytes of outline and nodes is TOO_LARGE. Free also after a failure. */
sp_status sp_json_outline_make(const char *text, size_t length, uint64_t budget,
                               sp_json_outline *out, sp_error *err);
void sp_json_outline_free(sp_json_outline *o);

/* All of these accept NULL as an item. */

/* A member of an object (exact name), or NULL. */
const cJSON *sp_json_get(const cJSON *object, const char *key);
/* A text copied to the arena, NULs and all; zeroed when it is none. Escapes that are half a
 * surrogate pair give U+FFFD, those that Python uses for invalid bytes give the byte. */
sp_str sp_json_str(const cJSON *item, sp_arena *a);
/* The key of a member of an object, likewise. */
sp_str sp_json_key(const cJSON *member, sp_arena *a);
/* A whole number of 64 bits (also when written 1e3 or 2.0); false otherwise. */
bool sp_json_int(const sp_json_outline *o, const cJSON *item, int64_t *out);
/* A number; NaN when it is null, NaN or infinite; false otherwise. */
bool sp_json_real(const sp_json_outline *o, const cJSON *item, double *out);
/* The kept text of an "event_metadata" array; zeroed when it is none. */
const sp_json_part *sp_json_kept(const sp_json_outline *o, const cJSON *item);

/* Numbers of an array, false when it is no array of numbers. An empty array has 0. */
bool sp_json_count(const sp_json_outline *o, const cJSON *item, uint64_t *count);
/* Reads all of them; what is no whole number of 64 bits becomes `none`. */
void sp_json_ints(const sp_json_outline *o, const cJSON *item, int64_t none, int64_t *to);
/* Reads all of them; what has no value becomes NaN. */
void sp_json_reals(const sp_json_outline *o, const cJSON *item, double *to);

/* Any value for the metadata: texts, numbers, truth values, null (as NaN), and flat lists of them.
 * False for objects and lists of lists, and when memory ran out (a->failed). */
bool sp_json_value(const sp_json_outline *o, const cJSON *item, sp_arena *a, sp_value *out);

#endif
