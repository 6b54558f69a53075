/* native_trace.c - the .spt trace of the C and Fortran recorders.
 *
 *   "SCOPEPRF" version:i4 rank:i4 regions:i8
 *   per region: name [source line:i4, version 2] calls:i8 starts:i8[] ends:i8[]
 *   texts: length:i4 bytes
 *
 * Numbers have the byte order of the machine that wrote them; the version tells which. Only the
 * headers are read here; the calls of a region are read when they are asked for. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "read/build.h"
#include "read/calls.h"
#include "read/read.h"

enum { HEADER_BYTES = 24, WINDOW = 4096, NAME_MAX_BYTES = 64 << 10, NAME_SHOWN = 60 };

typedef struct reader {
  sp_source *source;
  bool swap; /* stored in the other byte order */
} reader;

/* A place in the file; small fields are served from a window. */
typedef struct cursor {
  reader *r;
  uint64_t at, base;
  size_t used;
  char region[32]; /* "region 3", for messages */
  unsigned char window[WINDOW];
} cursor;

static uint64_t left(const cursor *c) { return c->r->source->size - c->at; }

static sp_status cut_off(const cursor *c, sp_error *err) {
  return sp_fail(err, SP_CORRUPT, c->region,
                 "cut off: the trace ends after %" PRIu64 " bytes; the run may have been killed "
                 "while it wrote",
                 c->r->source->size);
}

static sp_status take(cursor *c, size_t n, void *to, sp_error *err) {
  if (n > left(c)) return cut_off(c, err);
  if (n > WINDOW) {
    SP_TRY(sp_source_read(c->r->source, c->at, n, to, err));
  } else {
    if (c->at < c->base || c->at + n > c->base + c->used) {
      size_t size = left(c) < WINDOW ? (size_t)left(c) : WINDOW;
      SP_TRY(sp_source_read(c->r->source, c->at, size, c->window, err));
      c->base = c->at;
      c->used = size;
    }
    memcpy(to, c->window + (c->at - c->base), n);
  }
  c->at += n;
  return SP_OK;
}

static sp_status take_i32(cursor *c, int32_t *to, sp_error *err) {
  uint32_t bits = 0;
  SP_TRY(take(c, sizeof bits, &bits, err));
  *to = (int32_t)(c->r->swap ? __builtin_bswap32(bits) : bits);
  return SP_OK;
}

static sp_status take_i64(cursor *c, int64_t *to, sp_error *err) {
  uint64_t bits = 0;
  SP_TRY(take(c, sizeof bits, &bits, err));
  *to = (int64_t)(c->r->swap ? __builtin_bswap64(bits) : bits);
  return SP_OK;
}

static sp_status take_text(cursor *c, sp_arena *a, const char *what, sp_str *to, sp_error *err) {
  int32_t n;
  SP_TRY(take_i32(c, &n, err));
  if (n < 0) return sp_fail(err, SP_CORRUPT, c->region, "its %s has length %d", what, (int)n);
  if ((uint32_t)n > left(c)) return cut_off(c, err);
  if (n > NAME_MAX_BYTES)
    return sp_fail(err, SP_TOO_LARGE, c->region, "its %s has %d bytes; at most 64 KiB are read",
                   what, (int)n);
  char *bytes = sp_arena_alloc(a, (size_t)n + 1);
  if (!bytes) return sp_fail(err, SP_NOMEM, c->region, "out of memory");
  SP_TRY(take(c, (size_t)n, bytes, err));
  *to = (sp_str){bytes, (uint32_t)n};
  return SP_OK;
}

typedef struct region {
  sp_str name, source;
  int64_t line;
  uint64_t calls, offset; /* of the starts */
} region;

static sp_status take_region(cursor *c, sp_profile *p, int version, region *to, sp_error *err) {
  int32_t line = -1;
  int64_t calls;
  *to = (region){0};
  SP_TRY(take_text(c, &p->arena, "name", &to->name, err));
  if (version >= 2) {
    SP_TRY(take_text(c, &p->arena, "source", &to->source, err));
    SP_TRY(take_i32(c, &line, err));
  }
  SP_TRY(take_i64(c, &calls, err));
  if (calls < 0) return sp_fail(err, SP_CORRUPT, c->region, "claims %" PRId64 " calls", calls);
  if ((uint64_t)calls > left(c) / 16) return cut_off(c, err);
  to->line = line < 0 ? -1 : line;
  to->calls = (uint64_t)calls;
  to->offset = c->at;
  c->at += (uint64_t)calls * 16;
  return SP_OK;
}

/* Magic (seen by the caller), version, rank and number of regions. */
static sp_status take_header(cursor *c, int *version, uint32_t *rank, uint64_t *regions,
                             sp_error *err) {
  int32_t v, number;
  int64_t count;
  if (left(c) < HEADER_BYTES)
    return sp_fail(err, SP_CORRUPT, NULL, "cut off: too short for a trace (%" PRIu64 " bytes)",
                   left(c));
  c->at += 8;
  SP_TRY(take_i32(c, &v, err));
  int32_t other = (int32_t)__builtin_bswap32((uint32_t)v);
  c->r->swap = v != 1 && v != 2 && (other == 1 || other == 2);
  *version = c->r->swap ? other : v;
  if (*version != 1 && *version != 2) {
    bool newer = (v > 2 && v < 256) || (other > 2 && other < 256);
    return sp_fail(err, newer ? SP_SCHEMA_TOO_NEW : SP_CORRUPT, NULL,
                   "unsupported trace format version %d; this build reads 1 and 2",
                   (int)(v > 0 && v < 256 ? v : other));
  }
  SP_TRY(take_i32(c, &number, err));
  SP_TRY(take_i64(c, &count, err));
  if (number < 0) return sp_fail(err, SP_CORRUPT, NULL, "claims to be of rank %d", (int)number);
  if (count < 0) return sp_fail(err, SP_CORRUPT, NULL, "claims %" PRId64 " regions", count);
  *rank = (uint32_t)number;
  *regions = (uint64_t)count;
  return SP_OK;
}

/* All regions of the trace. Of two with one name the later counts, as for the recorders' own
 * import. */
static sp_status take_regions(cursor *c, sp_profile *p, int version, uint64_t count,
                              const sp_read_limits *limits, sp_intern *names, region *regions,
                              sp_error *err) {
  uint64_t calls = 0;
  for (uint64_t i = 0; i < count; i++) {
    region found;
    snprintf(c->region, sizeof c->region, "region %" PRIu64, i);
    SP_TRY(take_region(c, p, version, &found, err));
    calls += found.calls;
    if (calls > limits->calls)
      return sp_fail(err, SP_TOO_LARGE, c->region, "the limit of %" PRIu64 " calls is reached",
                     limits->calls);
    uint32_t known = names->count, id = sp_intern_add(names, found.name);
    if (id == SP_NO_ID) return sp_fail(err, SP_NOMEM, c->region, "out of memory");
    if (id < known)
      sp_warn(&p->warnings, "index", c->region,
              "region \"%.*s\" stands in the trace more than once; its last calls count",
              found.name.n > NAME_SHOWN ? NAME_SHOWN : (int)found.name.n, found.name.p);
    regions[id] = found;
  }
  if (left(c))
    return sp_fail(err, SP_CORRUPT, NULL,
                   "%" PRIu64 " trailing byte(s) behind the last region; the trace is damaged",
                   left(c));
  return SP_OK;
}

static sp_status build(sp_profile *p, uint32_t rank, const region *regions, uint32_t count,
                       sp_error *err) {
  sp_build b;
  sp_build_begin(&b, p);
  sp_status status = sp_build_rank(&b, rank) ? SP_OK : SP_NOMEM;
  for (uint32_t i = 0; status == SP_OK && i < count; i++) {
    sp_row *row = sp_build_row(&b, rank, regions[i].name);
    if (!row) {
      status = SP_NOMEM;
      break;
    }
    row->count = regions[i].calls;
    row->offset = regions[i].offset;
    row->source_line = regions[i].line;
    if (regions[i].source.n) row->source_file = regions[i].source;
  }
  if (status == SP_OK) status = sp_build_finish(&b, err);
  sp_build_free(&b);
  return status == SP_NOMEM ? sp_fail(err, SP_NOMEM, NULL, "out of memory") : status;
}

static sp_status add_metadata(sp_profile *p, int version, sp_error *err) {
  sp_value source = {.kind = SP_VALUE_TEXT, .text = SP_STR("native")};
  sp_value format = {.kind = SP_VALUE_INT, .integer = version};
  bool fine = sp_metadata_put(&p->metadata, &p->arena, SP_STR("source"), source) &&
              sp_metadata_put(&p->metadata, &p->arena, SP_STR("trace_format_version"), format);
  return fine ? SP_OK : sp_fail(err, SP_NOMEM, NULL, "out of memory");
}

static sp_status load_column(const reader *r, uint64_t offset, uint64_t n, int64_t *to,
                             sp_error *err) {
  SP_TRY(sp_source_read(r->source, offset, (size_t)n * 8, to, err));
  for (uint64_t i = 0; r->swap && i < n; i++) to[i] = (int64_t)__builtin_bswap64((uint64_t)to[i]);
  return SP_OK;
}

static sp_status load_calls(const sp_profile *p, const sp_row *row, sp_calls *into,
                            sp_warnings *warnings, sp_error *err) {
  const reader *r = p->reader;
  uint64_t n = row->count;
  into->count = n;
  into->gpu_ns = into->thread = into->task = into->await_ns = NULL;
  into->call_id = into->parent_id = NULL;
  SP_TRY(load_column(r, row->offset, n, into->start_ns, err));
  SP_TRY(load_column(r, row->offset + n * 8, n, into->duration_ns, err));
  sp_durations_from_ends(p, row, into, warnings);
  return SP_OK;
}

sp_status sp_read_native_trace(sp_source *source, const sp_read_limits *limits, sp_profile *p,
                               sp_error *err) {
  static const sp_reader_ops ops = {.load_calls = load_calls};
  reader *r = sp_arena_alloc(&p->arena, sizeof *r);
  if (!r) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  r->source = source;
  cursor c = {.r = r, .base = UINT64_MAX};
  int version = 0;
  uint32_t rank = 0;
  uint64_t count = 0;
  SP_TRY(take_header(&c, &version, &rank, &count, err));
  p->layout = SP_LAYOUT_NATIVE_TRACE;
  p->schema = version;
  p->reader = r;
  p->ops = &ops;

  /* the least a region takes: its name's length and the number of its calls */
  if (count > left(&c) / 12) return cut_off(&c, err);
  if (count > limits->names || count > limits->rows)
    return sp_fail(err, SP_TOO_LARGE, NULL, "claims %" PRIu64 " regions; the limit is %" PRIu64,
                   count, limits->names);
  region *regions = sp_arena_array(&p->arena, count, sizeof *regions);
  if (!regions) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  sp_intern names = {.arena = &p->arena};
  sp_status status = take_regions(&c, p, version, count, limits, &names, regions, err);
  uint32_t distinct = names.count;
  sp_intern_free(&names);
  SP_TRY(status);
  SP_TRY(build(p, rank, regions, distinct, err));
  p->num_ranks = rank + 1;
  p->num_nodes = rank == 0 ? 1 : -1;
  return add_metadata(p, version, err);
}
