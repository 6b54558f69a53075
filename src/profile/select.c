/* select.c - words to patterns and rank ranges, and what they keep of a profile. */
#include "profile/select.h"

#include "base/buf.h"
#include "base/pattern.h"
#include "base/sort.h"

static sp_status out_of_memory(sp_error *err) {
  return sp_fail(err, SP_NOMEM, NULL, "memory ran out");
}

/* ---- patterns ------------------------------------------------------------------------------ */

static sp_status compile(sp_arena *a, const char *const *words, uint32_t count, const char *option,
                         sp_pattern ***out, uint32_t *done, sp_error *err) {
  *out = sp_arena_array(a, count, sizeof **out);
  if (!*out) return out_of_memory(err);
  for (; *done < count; ++*done)
    SP_TRY(sp_pattern_compile(words[*done], option, &(*out)[*done], err));
  return SP_OK;
}

/* ---- rank lists ---------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Reads the number at `*at` and moves behind it. */
static bool number(const char **at, const char *end, uint32_t *out) {
  const char *from = *at;
  uint32_t n = 0;
  for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
    if (__builtin_mul_overflow(n, 10u, &n) || __builtin_add_overflow(n, (uint32_t)(**at - '0'), &n))
      return false;
  }
  *out = n;
  return *at > from;
}

static sp_status parse_item(const char *from, const char *end, sp_rank_range *out, sp_error *err) {
  while (from < end && is_blank(*from)) from++;
  while (end > from && is_blank(end[-1])) end--;
  const char *at = from;
  bool fine = number(&at, end, &out->first);
  out->last = out->first;
  if (fine && at < end && *at == '-') {
    at++;
    fine = number(&at, end, &out->last);
  }
  int shown = end - from > 60 ? 60 : (int)(end - from);
  if (!fine || at != end)
    return sp_fail(err, SP_USAGE, "--ranks", "\"%.*s\" is no rank list such as 0,2 or 0-3,8", shown,
                   from);
  if (out->first > out->last)
    return sp_fail(err, SP_USAGE, "--ranks",
                   "\"%.*s\" runs backwards; write the smaller rank first", shown, from);
  return SP_OK;
}

/* Sorts the ranges and joins those that touch. */
static sp_status tidy(sp_select *s, sp_arena *a, sp_error *err) {
  uint32_t n = s->range_count;
  uint32_t *order = sp_arena_array(a, n, sizeof *order),
           *spare = sp_arena_array(a, n, sizeof *spare);
  uint32_t *firsts = sp_arena_array(a, n, sizeof *firsts);
  sp_rank_range *sorted = sp_arena_array(a, n, sizeof *sorted);
  if (!order || !spare || !firsts || !sorted) return out_of_memory(err);
  for (uint32_t i = 0; i < n; i++) {
    order[i] = i;
    firsts[i] = s->ranges[i].first;
  }
  sp_sort_by_u32(order, spare, n, firsts);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    sp_rank_range next = s->ranges[order[i]];
    sp_rank_range *last = kept ? &sorted[kept - 1] : NULL;
    if (last && (last->last == UINT32_MAX || next.first <= last->last + 1)) {
      if (next.last > last->last) last->last = next.last;
    } else {
      sorted[kept++] = next;
    }
  }
  s->ranges = sorted;
  s->range_count = kept;
  return SP_OK;
}

static sp_status parse_ranks(sp_arena *a, const char *const *words, uint32_t count, sp_select *out,
                             sp_error *err) {
  uint64_t items = count;
  for (uint32_t i = 0; i < count; i++)
    for (const char *at = words[i]; *at; at++) items += *at == ',';
  if (items > UINT32_MAX) return sp_fail(err, SP_USAGE, "--ranks", "the list is too long");
  out->ranges = sp_arena_array(a, items, sizeof *out->ranges);
  if (!out->ranges) return out_of_memory(err);
  for (uint32_t i = 0; i < count; i++) {
    for (const char *at = words[i]; at;) {
      const char *comma = strchr(at, ','), *end = comma ? comma : at + strlen(at);
      SP_TRY(parse_item(at, end, &out->ranges[out->range_count++], err));
      at = comma ? comma + 1 : NULL;
    }
  }
  return tidy(out, a, err);
}

sp_status sp_select_parse(sp_arena *a, const char *const *include, uint32_t include_count,
                          const char *const *exclude, uint32_t exclude_count,
                          const char *const *ranks, uint32_t ranks_count, sp_select *out,
                          sp_error *err) {
  *out = (sp_select){.has_ranks = ranks_count > 0};
  SP_TRY(compile(a, include, include_count, "--include", &out->include, &out->include_count, err));
  SP_TRY(compile(a, exclude, exclude_count, "--exclude", &out->exclude, &out->exclude_count, err));
  return ranks_count ? parse_ranks(a, ranks, ranks_count, out, err) : SP_OK;
}

void sp_select_free(sp_select *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->include_count; i++) sp_pattern_free(s->include[i]);
  for (uint32_t i = 0; i < s->exclude_count; i++) sp_pattern_free(s->exclude[i]);
  *s = (sp_select){0};
}

/* ---- what is kept -------------------------------------------------------------------------- */

static sp_status any_matches(sp_pattern *const *patterns, uint32_t count, sp_str name, bool *any,
                             sp_error *err) {
  *any = false;
  for (uint32_t i = 0; i < count && !*any; i++)
    SP_TRY(sp_pattern_match(patterns[i], name, any, err));
  return SP_OK;
}

sp_status sp_select_name(const sp_select *s, sp_str name, bool *keep, sp_error *err) {
  bool excluded = false;
  *keep = true;
  if (s && s->include_count) SP_TRY(any_matches(s->include, s->include_count, name, keep, err));
  if (s && *keep) SP_TRY(any_matches(s->exclude, s->exclude_count, name, &excluded, err));
  if (excluded) *keep = false;
  return SP_OK;
}

sp_status sp_select_regions(const sp_select *s, const sp_profile *p, bool *keep, sp_error *err) {
  for (uint32_t i = 0; i < p->region_count; i++)
    SP_TRY(sp_select_name(s, p->regions[i].name, &keep[i], err));
  return SP_OK;
}

/* "0-3, 8", as far as a message has room. */
static void list_ranks(const sp_profile *p, char *to, size_t size) {
  sp_buf b = {0};
  for (uint32_t i = 0; i < p->rank_count;) {
    uint32_t first = i++;
    while (i < p->rank_count && p->ranks[i].number == p->ranks[i - 1].number + 1) i++;
    size_t before = b.length;
    sp_buf_printf(&b, "%s%u", first ? ", " : "", (unsigned)p->ranks[first].number);
    if (i - first > 1) sp_buf_printf(&b, "-%u", (unsigned)p->ranks[i - 1].number);
    if (b.length + 5 < size) continue;
    b.length = before;
    sp_buf_text(&b, ", ...");
    break;
  }
  size_t n = b.failed || b.length >= size ? 0 : b.length;
  if (n) memcpy(to, b.data, n);
  to[n] = '\0';
  sp_buf_free(&b);
}

static sp_status absent(const sp_profile *p, uint32_t number, sp_error *err) {
  if (p->rank_count == 0)
    return sp_fail(err, SP_USAGE, "--ranks", "there is no rank %u: no rank recorded anything",
                   (unsigned)number);
  char there[120];
  list_ranks(p, there, sizeof there);
  return sp_fail(err, SP_USAGE, "--ranks", "there is no rank %u; the run has rank%s %s",
                 (unsigned)number, p->rank_count == 1 ? "" : "s", there);
}

sp_status sp_select_ranks(const sp_select *s, const sp_profile *p, bool *keep, sp_error *err) {
  bool all = !s || !s->has_ranks;
  for (uint32_t i = 0; i < p->rank_count; i++) keep[i] = all;
  if (all) return SP_OK;
  uint32_t at = 0;
  for (uint32_t k = 0; k < s->range_count; k++) {
    sp_rank_range range = s->ranges[k];
    while (at < p->rank_count && p->ranks[at].number < range.first) at++;
    uint64_t wanted = range.first;
    for (; at < p->rank_count && p->ranks[at].number <= range.last; at++, wanted++) {
      if (p->ranks[at].number != wanted) break;
      keep[at] = true;
    }
    if (wanted <= range.last) return absent(p, (uint32_t)wanted, err);
  }
  return SP_OK;
}
