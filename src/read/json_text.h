/* json_text.h - small JSON texts inside profiles: tags and the metadata of calls. */
#ifndef SP_READ_JSON_TEXT_H
#define SP_READ_JSON_TEXT_H

#include "base/arena.h"
#include "base/str.h"

/* Tags: a JSON array of texts ("" and "[]" are none; items that are no text are passed over).
 * False when it is no array; *json then says whether it is JSON at all (at most 64 deep, 1 MiB). */
bool sp_json_text_list(sp_arena *a, sp_str text, sp_str **out, uint32_t *count, bool *json);

/* Metadata of calls: a JSON array of objects, split into the objects' source texts (borrowed from
 * `text`). False when it is something else, deeper than 64 or longer than 64 MiB. The writers' NaN
 * and Infinity are let through here; whoever prints an object cleans it. */
bool sp_json_object_texts(sp_arena *a, sp_str text, sp_str **out, uint32_t *count);

#endif
