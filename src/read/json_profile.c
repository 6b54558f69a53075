/* json_profile.c - the JSON profile that `export json` writes (format version 1). */
#include "read/json_profile.h"
#include "read/run_facts.h"

#include <string.h>

#include "read/json_load.h"

enum { NEWEST_VERSION = 1 };

sp_status sp_json_spend(uint64_t *left, uint64_t n, const char *what, sp_error *err) {
  if (n > *left) return sp_fail(err, SP_TOO_LARGE, "/regions", "the limit on %s is reached", what);
  *left -= n;
  return SP_OK;
}

/* Other JSON that people have at hand, by a key that gives it away. */
static sp_status other_json(const cJSON *root, sp_error *err) {
  static const struct {
    const char *key, *message;
  } known[] = {
      {"traceEvents", "a Chrome trace, not a profile; give the profile it was exported from"},
      {"$schema",
       "JSON of another kind (it names a schema), not a profile; give the profile it was exported "
       "from"},
      {"plot", "the data of a plot, not a profile; give the profile it was exported from"},
      {"profiles", "an inspect or speedscope document, not a profile; give the profile itself"},
  };
  const cJSON *format = sp_json_get(root, "format");
  for (size_t i = 0; !format && i < SP_ARRAY_LEN(known); i++)
    if (sp_json_get(root, known[i].key))
      return sp_fail(err, SP_NOT_A_PROFILE, NULL, "%s", known[i].message);
  if (cJSON_IsString(format))
    return sp_fail(err, SP_NOT_A_PROFILE, "/format",
                   "JSON of the format \"%.60s\"; a profile has \"scope-profiler-profile\"",
                   format->valuestring);
  return sp_fail(err, SP_NOT_A_PROFILE, format ? "/format" : NULL,
                 "JSON, but no profile: \"format\" is not \"scope-profiler-profile\"");
}

static sp_status check_format(const sp_json_reader *r, const cJSON *root, sp_error *err) {
  const cJSON *format = sp_json_get(root, "format"), *unit = sp_json_get(root, "time_unit");
  if (!cJSON_IsString(format) || strcmp(format->valuestring, "scope-profiler-profile") != 0)
    return other_json(root, err);
  int64_t version;
  if (!sp_json_int(&r->outline, sp_json_get(root, "format_version"), &version) || version < 1)
    return sp_fail(err, SP_CORRUPT, "/format_version", "must be a positive integer");
  if (version > NEWEST_VERSION)
    return sp_fail(err, SP_SCHEMA_TOO_NEW, "/format_version",
                   "version %lld is newer than %d, the newest this build reads; a newer profscope "
                   "is needed",
                   (long long)version, NEWEST_VERSION);
  if (unit && (!cJSON_IsString(unit) || strcmp(unit->valuestring, "nanoseconds") != 0))
    return sp_fail(err, SP_UNSUPPORTED, "/time_unit", "times must be in \"nanoseconds\"");
  r->profile->schema = (int)version;
  return SP_OK;
}

static sp_status read_metadata(sp_json_reader *r, const cJSON *metadata, sp_error *err) {
  sp_profile *p = r->profile;
  if (metadata && !cJSON_IsObject(metadata))
    sp_warn(&p->warnings, "wrong-type", "/metadata", "metadata is no object; it is left out");
  const cJSON *item = cJSON_IsObject(metadata) ? metadata->child : NULL;
  for (; item; item = item->next) {
    sp_value value;
    sp_str key = sp_json_key(item, &p->arena);
    bool fine = sp_json_value(&r->outline, item, &p->arena, &value);
    if (fine) fine = sp_metadata_put(&p->metadata, &p->arena, key, value);
    if (p->arena.failed) return sp_fail(err, SP_NOMEM, "/metadata", "out of memory");
    if (!fine)
      sp_warn(&p->warnings, "wrong-type", "/metadata",
              "\"%.80s\" is an object or a list of lists; it is left out", key.p);
  }
  sp_take_run_facts(p);
  return SP_OK;
}

/* num_ranks is taken as given; a document without it has as many as its largest rank asks for. */
static void count_ranks(sp_json_reader *r, const cJSON *given) {
  sp_profile *p = r->profile;
  int64_t n = 0;
  if (sp_json_int(&r->outline, given, &n) && n >= 0 && n <= UINT32_MAX) {
    p->num_ranks = (uint32_t)n;
  } else {
    uint32_t last = p->rank_count ? p->ranks[p->rank_count - 1].number : 0;
    p->num_ranks = p->rank_count == 0 ? 0 : last < UINT32_MAX ? last + 1 : last;
    sp_warn(&p->warnings, "wrong-type", "/num_ranks",
            "num_ranks is missing or no number of ranks; the largest rank decides");
  }
  sp_warn_silent_ranks(p, "/regions");
  sp_take_nodes(p);
}

static sp_status read_document(sp_json_reader *r, const cJSON *root, sp_error *err) {
  SP_TRY(check_format(r, root, err));
  SP_TRY(read_metadata(r, sp_json_get(root, "metadata"), err));
  SP_TRY(sp_json_regions(r, sp_json_get(root, "regions"), err));
  SP_TRY(sp_list_silent_ranks(&r->build, err));
  SP_TRY(sp_json_table_ranks(r, root, err));
  sp_status status = sp_build_finish(&r->build, err);
  /* the builder speaks of the HDF5 index */
  if (status == SP_CORRUPT && err) memcpy(err->path, "/regions", sizeof "/regions");
  SP_TRY(status);
  SP_TRY(sp_json_tables(r, root, err));
  count_ranks(r, sp_json_get(root, "num_ranks"));
  return SP_OK;
}

sp_status sp_read_json(sp_source *source, const sp_read_limits *limits, bool gzip, sp_profile *p,
                       sp_error *err) {
  static const sp_reader_ops ops = {.load_calls = sp_json_load_calls};
  sp_json_reader r = {.profile = p, .left = *limits};
  char *text;
  size_t length;
  SP_TRY(sp_json_load(source, gzip, &text, &length, err));
  sp_status status = sp_json_outline_make(text, length, limits->other_bytes, &r.outline, err);
  if (status == SP_OK) {
    p->layout = SP_LAYOUT_JSON;
    p->ops = &ops;
    sp_build_begin(&r.build, p);
    status = read_document(&r, r.outline.root, err);
    p->reader = r.calls;
    sp_build_free(&r.build);
  }
  sp_json_outline_free(&r.outline);
  sp_free_block(text);
  return status;
}
