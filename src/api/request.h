/* request.h - one JSON request, one reply: the whole surface of the core for JavaScript, and the
 * same natively (tests, fuzzing).
 *
 * request  {"op": ..., ...}                      reply kind
 * -------  ------------------------------------  ------------------------------------------------
 * version  {}                                    json  {"version","hdf5","build","abi"}
 * errors   {}                                    json  [{"name","exit","meaning"}] (SP_STATUS_MAP)
 * summary  {"profile": h, "select": S,           json  the inspect document, one profile, from
 *           "privacy": "full"}                         stored summaries alone: "rows" [],
 *                                                      percentiles null; NO_SPANS without any
 * inspect  {"profiles": [h...], "select": S,     json  the inspect document, byte for byte what
 *           "sort": "start", "flat": false,            `inspect --json` prints for these names
 *           "privacy": "full"}
 * view     {"plot": "durations", "profiles":     json  plot payload of that kind, on one line per
 *           [h...], "labels": [text...],               row, or with "indent" as `export plot-data`
 *           "select": S, "options": {},                writes it; labels: one per profile
 *           "indent": false}
 * close    {"profile": h}                        json  {}
 *
 * S = {"include": [text...], "exclude": [text...], "ranks": [text...]}, every part optional.
 * An unknown op, key or kind of value is BAD_REQUEST naming it. A failure's reply is JSON
 * {"code","message","path"} with the status set, and "profile": h when it is about that one. */
#ifndef SP_API_REQUEST_H
#define SP_API_REQUEST_H

#include "api/session.h"
#include "base/buf.h"
#include "stats/analysis.h"

/* Raised with any change of wasm/README.md's tables; equal to ABI in packages/core/src/load.js. */
enum { SP_ABI = 1 };

typedef enum sp_reply_kind {
  SP_REPLY_JSON = 1,
  SP_REPLY_TEXT = 2,
  SP_REPLY_BYTES = 3,
} sp_reply_kind;

/* Owned by the caller, refilled by every call. */
typedef struct sp_reply {
  sp_status status;
  sp_reply_kind kind;
  sp_buf bytes;
} sp_reply;

/* Runs one request. Never fails itself: what went wrong is in the reply. */
void sp_request(sp_session *s, const char *json, size_t length, const sp_progress *progress,
                sp_reply *out);
/* Fills a reply with a failure. */
void sp_reply_error(sp_reply *out, const sp_error *err);

#endif
