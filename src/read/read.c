/* read.c - the content decides which reader a file gets. */
#include "read/read.h"

#include <string.h>

#include "read/sniff.h"

/* Limits not given are the default ones. */
static sp_read_limits complete(const sp_read_limits *given) {
  sp_read_limits limits = given ? *given : (sp_read_limits){0};
  if (!limits.calls) limits.calls = 100000000;
  if (!limits.rows) limits.rows = 1000000;
  if (!limits.names) limits.names = 200000;
  if (!limits.other_bytes) limits.other_bytes = (uint64_t)256 << 20;
  return limits;
}

static sp_status read_kind(sp_file_kind kind, sp_source *source, const sp_read_limits *limits,
                           sp_profile *p, sp_error *err) {
  switch (kind) {
  case SP_FILE_HDF5: return sp_read_h5(source, limits, p, err);
  case SP_FILE_JSON: return sp_read_json(source, limits, false, p, err);
  case SP_FILE_JSON_GZIP: return sp_read_json(source, limits, true, p, err);
  case SP_FILE_NATIVE_TRACE: return sp_read_native_trace(source, limits, p, err);
  }
  return sp_fail(err, SP_INTERNAL, NULL, "an unknown kind of file");
}

sp_status sp_read(sp_source *source, const sp_read_limits *limits, sp_profile **out,
                  sp_error *err) {
  *out = NULL;
  sp_file_kind kind;
  SP_TRY(sp_sniff(source, &kind, err));
  sp_profile *p = sp_alloc(sizeof *p);
  if (!p) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  *p = (sp_profile){.bytes = source->size, .num_nodes = -1};
  p->warnings.arena = &p->arena;
  sp_read_limits all = complete(limits);
  sp_status status = read_kind(kind, source, &all, p, err);
  /* what was read from a file that changed meanwhile fits together by chance at best */
  if (source->unchanged && (status == SP_OK || status == SP_CORRUPT)) {
    sp_error changed = {0};
    if (source->unchanged(source, &changed) != SP_OK) {
      sp_error_clear(err);
      status = sp_fail(err, changed.code, changed.path, "%s", changed.message);
    }
  }
  if (status == SP_OK && p->arena.failed) status = sp_fail(err, SP_NOMEM, NULL, "out of memory");
  if (status != SP_OK) {
    sp_profile_free(p);
    return status;
  }
  *out = p;
  return SP_OK;
}
