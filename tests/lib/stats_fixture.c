/* stats_fixture.c - analysing fake profiles in one line. */
#include "stats_fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void analyse(fixture *f, const char *include, const char *exclude, const char *ranks) {
  sp_select select = {0};
  f->status = sp_select_parse(&f->arena, &include, include != NULL, &exclude, exclude != NULL,
                              &ranks, ranks != NULL, &select, &f->err);
  if (f->status == SP_OK) {
    f->status = sp_analyse(f->profile, &select, NULL, &f->arena, &f->an, &f->err);
  }
  sp_select_free(&select);
}

fixture analysed_with(const char *text, const char *include, const char *exclude,
                      const char *ranks) {
  fixture f = {.profile = fake_profile(text)};
  analyse(&f, include, exclude, ranks);
  if (f.status != SP_OK) {
    fprintf(stderr, "analysis of \"%s\" failed: %s\n", text, f.err.message);
    exit(2);
  }
  return f;
}

fixture analysed(const char *text) { return analysed_with(text, NULL, NULL, NULL); }

void done(fixture *f) {
  sp_arena_free(&f->arena);
  fake_free(f->profile);
  f->profile = NULL;
  if (sp_alloc_live() == 0) return;
  fprintf(stderr, "%" PRId64 " blocks were not freed\n", sp_alloc_live());
  exit(2);
}

/* Writes the path of row i and returns its length. */
static size_t path_text(const fixture *f, uint32_t i, char *to, size_t size) {
  uint32_t chain[4096], depth = 0;
  size_t used = 0;
  for (uint32_t at = i; at != SP_NO_ROW && depth < 4096; at = f->an.rows[at].parent) {
    chain[depth++] = at;
  }
  while (depth-- > 0 && used < size) {
    sp_str name = f->profile->regions[f->an.rows[chain[depth]].region].name;
    used +=
        (size_t)snprintf(to + used, size - used, "%.*s%s", (int)name.n, name.p, depth ? ">" : "");
  }
  return used;
}

const char *rows_of(fixture *f) {
  size_t used = 0, size = sizeof f->text;
  f->text[0] = '\0';
  for (uint32_t i = 0; i < f->an.row_count && used < size; i++) {
    const sp_tree_row *r = &f->an.rows[i];
    used += (size_t)snprintf(f->text + used, size - used, "%s%s", i ? "; " : "",
                             !r->in_tree    ? "-"
                             : r->recursive ? "*"
                                            : "");
    if (used < size) used += path_text(f, i, f->text + used, size - used);
    if (used < size) {
      used += (size_t)snprintf(f->text + used, size - used, " %" PRId64,
                               (int64_t)r->stats.exclusive_ns);
    }
  }
  return f->text;
}

const sp_tree_row *row(const fixture *f, const char *path) {
  bool outside = path[0] == '-';
  for (uint32_t i = 0; i < f->an.row_count; i++) {
    char text[1000];
    path_text(f, i, text, sizeof text);
    if (f->an.rows[i].in_tree == !outside && strcmp(text, path + outside) == 0) {
      return &f->an.rows[i];
    }
  }
  fprintf(stderr, "there is no row %s\n", path);
  exit(2);
}

const sp_flat_row *flat(const fixture *f, const char *name) {
  for (uint32_t i = 0; i < f->an.region_count; i++) {
    const sp_flat_row *r = &f->an.regions[i];
    if (strcmp(f->profile->regions[r->region].name.p, name) == 0) return r;
  }
  fprintf(stderr, "there is no region %s\n", name);
  exit(2);
}
