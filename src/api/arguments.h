/* arguments.h - typed reading of a request's JSON. A fault is BAD_REQUEST with a JSON pointer. */
#ifndef SP_API_ARGUMENTS_H
#define SP_API_ARGUMENTS_H

#include <cJSON.h>

#include "api/session.h"
#include "base/buf.h"
#include "profile/select.h"
#include "views/view.h"

/* Most nested arrays and objects of a request, and its longest text. */
enum { SP_REQUEST_DEPTH_MAX = 16, SP_REQUEST_BYTES_MAX = 16 << 20 };

/* Parses a request into *out (an object; free with cJSON_Delete). Refuses what cJSON would take
 * but change: deep nesting, text behind the object, NUL characters in texts. */
sp_status sp_request_parse(const char *json, size_t length, cJSON **out, sp_error *err);

/* Every key of `object` must be among `keys` (NULL-terminated) and given once. */
sp_status sp_known_keys(const cJSON *object, const char *path, const char *const *keys,
                        sp_error *err);

/* Optional values: *out stays as it is when the key is missing. Texts live as long as the JSON. */
sp_status sp_text_argument(const cJSON *object, const char *path, const char *key, const char **out,
                           sp_error *err);
sp_status sp_flag_argument(const cJSON *object, const char *path, const char *key, bool *out,
                           sp_error *err);
sp_status sp_int_argument(const cJSON *object, const char *path, const char *key, sp_maybe_int *out,
                          sp_error *err);
sp_status sp_texts_argument(const cJSON *object, const char *path, const char *key, sp_arena *a,
                            sp_texts *out, sp_error *err);

/* Required: a handle, or a list of at least one. */
sp_status sp_handle_argument(const cJSON *object, const char *key, uint32_t *out, sp_error *err);
sp_status sp_handles_argument(const cJSON *object, const char *key, sp_arena *a, uint32_t **out,
                              uint32_t *count, sp_error *err);

/* The optional "select" object. *text is its canonical form: equal selections have equal texts.
 * Give `out` to sp_select_free also after a failure. */
sp_status sp_select_argument(const cJSON *object, sp_arena *a, sp_select *out, const char **text,
                             sp_error *err);

/* The optional "options" object of a view request. */
sp_status sp_view_options_argument(const cJSON *object, const sp_view_type *type, sp_arena *a,
                                   sp_view_options *out, sp_error *err);

#endif
