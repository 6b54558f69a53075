/* glob.c - patterns to paths, one part of the path after the other. */
#include "cli/glob.h"

#include <string.h>

#include "cli/host.h"

/* Looked-at entries and depth of "**": links can make a tree endless. */
enum { ENTRIES_MAX = 2000000, DEPTH_MAX = 64 };

typedef struct walk {
  sp_arena *arena;
  sp_paths *out;
  sp_error *err;
  uint32_t entries;
  sp_status status;
} walk;

static bool is_pattern(const char *text) { return strpbrk(text, "*?[") != NULL; }

static sp_status add(sp_paths *paths, const char *path, sp_arena *a, sp_error *err) {
  if (paths->count == paths->capacity) {
    uint32_t wanted = paths->capacity ? paths->capacity * 2 : 16;
    const char **items = sp_arena_array(a, wanted, sizeof *items);
    if (!items) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
    if (paths->count) memcpy(items, paths->items, paths->count * sizeof *items);
    paths->items = items;
    paths->capacity = wanted;
  }
  paths->items[paths->count++] = path;
  return SP_OK;
}

/* ---- one part ------------------------------------------------------------------------------ */

/* "[...]" at `p` against one byte; *end is behind it. False, with *end NULL, when it is no set. */
static bool set_matches(const char *p, unsigned char c, const char **end) {
  const char *at = p + 1;
  bool negated = *at == '!', found = false;
  if (negated) at++;
  const char *close = strchr(*at == ']' ? at + 1 : at, ']');
  *end = close ? close + 1 : NULL;
  if (!close) return false;
  for (; at < close; at++) {
    unsigned char low = (unsigned char)*at, high = low;
    if (at[1] == '-' && at + 2 < close) {
      high = (unsigned char)at[2];
      at += 2;
    }
    found = found || (low <= c && c <= high);
  }
  return found != negated;
}

/* Length of the character at `text`: "?" is a character, not a byte. */
static size_t character(const char *text) {
  size_t n = 1;
  while (((unsigned char)text[n] & 0xC0) == 0x80) n++;
  return n;
}

static bool part_matches(const char *p, const char *text) {
  const char *star = NULL, *resume = NULL; /* where to go on after a "*" that took too little */
  for (;;) {
    const char *end = NULL;
    if (*p == '*') {
      star = ++p;
      resume = text;
      continue;
    }
    if (!*text) return !*p;
    if (*p == '?') {
      p++;
      text += character(text);
      continue;
    }
    bool fits = *p == '[' && set_matches(p, (unsigned char)*text, &end);
    if (end ? fits : *p == *text) {
      p = end ? end : p + 1;
      text++;
    } else if (star) {
      p = star;
      text = resume += character(resume);
    } else {
      return false;
    }
  }
}

/* ---- the walk ------------------------------------------------------------------------------ */

static void expand(walk *w, const char *folder, const char *rest, int depth);

static const char *join(walk *w, const char *folder, const char *name, const char *tail) {
  size_t a = strlen(folder), b = strlen(name), c = strlen(tail);
  char *path = sp_arena_alloc(w->arena, a + b + c + 1);
  if (!path) {
    w->status = sp_fail(w->err, SP_NOMEM, NULL, "out of memory");
    return "";
  }
  memcpy(path, folder, a);
  memcpy(path + a, name, b);
  memcpy(path + a + b, tail, c + 1);
  return path;
}

typedef struct visit {
  walk *w;
  const char *folder;
  const char *part;  /* the pattern of the entries' names */
  const char *next;  /* the parts behind it; "" = files are wanted */
  const char *again; /* the part is "**": it and what is behind it; else NULL */
  int depth;
} visit;

/* Whether the folder is one of those on its own path, through a link: nothing new lies below it. */
static bool is_loop(const char *folder) {
  char path[1024];
  size_t n = strlen(folder);
  if (n >= sizeof path) return true;
  memcpy(path, folder, n + 1);
  if (sp_host_same_file(folder, ".")) return true;
  for (size_t i = 1; i + 1 < n; i++) {
    if (folder[i] != '/') continue;
    path[i] = '\0';
    if (sp_host_same_file(folder, path)) return true;
    path[i] = '/';
  }
  return false;
}

static bool visit_entry(void *context, const char *name, sp_host_kind kind) {
  visit *v = context;
  walk *w = v->w;
  if (++w->entries > ENTRIES_MAX) {
    w->status = sp_fail(w->err, SP_TOO_LARGE, NULL,
                        "the pattern leads into more than %d files and "
                        "folders",
                        ENTRIES_MAX);
    return false;
  }
  if (name[0] == '.' && v->part[0] != '.') return true;
  if (v->again) {
    const char *inner = kind == SP_HOST_FOLDER ? join(w, v->folder, name, "/") : NULL;
    if (inner && v->depth < DEPTH_MAX && !is_loop(inner)) expand(w, inner, v->again, v->depth + 1);
  } else if (!part_matches(v->part, name)) {
    return true;
  } else if (*v->next && kind == SP_HOST_FOLDER) {
    expand(w, join(w, v->folder, name, "/"), v->next, v->depth);
  }
  if (!*v->next && kind == SP_HOST_FILE && w->status == SP_OK)
    w->status = add(w->out, join(w, v->folder, name, ""), w->arena, w->err);
  return w->status == SP_OK;
}

/* Adds what `rest` (a pattern) matches below `folder` ("" or ending in a slash). */
static void expand(walk *w, const char *folder, const char *rest, int depth) {
  if (w->status != SP_OK) return;
  size_t n = strcspn(rest, "/");
  const char *next = rest + n;
  while (*next == '/') next++;
  char *part = sp_arena_copy(w->arena, rest, n);
  if (!part) {
    w->status = sp_fail(w->err, SP_NOMEM, NULL, "out of memory");
    return;
  }
  bool is_any = strcmp(part, "**") == 0;
  if (is_any && *next) expand(w, folder, next, depth); /* no folder at all */
  if (is_any || is_pattern(part)) {
    visit v = {w, folder, part, next, is_any ? rest : NULL, depth};
    sp_host_list(folder, visit_entry, &v);
  } else if (*next) {
    const char *inner = join(w, folder, part, "/");
    if (sp_host_look(inner) == SP_HOST_FOLDER) expand(w, inner, next, depth);
  } else {
    const char *path = join(w, folder, part, "");
    if (sp_host_look(path) == SP_HOST_FILE) w->status = add(w->out, path, w->arena, w->err);
  }
}

/* ---- words --------------------------------------------------------------------------------- */

void sp_tidy_path(sp_buf *out, const char *path) {
  size_t start = out->length;
  bool is_root = *path == '/';
  if (is_root) sp_buf_char(out, '/');
  while (*path) {
    size_t n = strcspn(path, "/");
    bool is_dot = n == 0 || (n == 1 && *path == '.');
    if (!is_dot && out->length > start + is_root) sp_buf_char(out, '/');
    if (!is_dot) sp_buf_bytes(out, path, n);
    path += n + (path[n] == '/');
  }
  if (out->length == start) sp_buf_char(out, '.');
}

static void sort_from(sp_paths *paths, uint32_t first) {
  for (uint32_t gap = paths->count - first; gap > 1;) { /* Shell's sort: paths are all different */
    gap = gap > 2 ? gap * 5 / 11 : 1;
    for (uint32_t i = first + gap; i < paths->count; i++) {
      const char *item = paths->items[i];
      uint32_t at = i;
      for (; at >= first + gap && strcmp(paths->items[at - gap], item) > 0; at -= gap)
        paths->items[at] = paths->items[at - gap];
      paths->items[at] = item;
    }
    if (gap == 1) break;
  }
}

/* Leaves the first of equal paths, in place. */
static sp_status drop_repeated(sp_paths *paths, sp_arena *a, sp_error *err) {
  uint32_t room = 16, kept = 0;
  while (room < 2 * paths->count) room *= 2;
  const char **slots = sp_arena_array(a, room, sizeof *slots);
  if (!slots) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  for (uint32_t i = 0; i < paths->count; i++) {
    uint64_t hash = 14695981039346656037u;
    for (const char *c = paths->items[i]; *c; c++)
      hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    uint32_t slot = (uint32_t)(hash ^ hash >> 32) & (room - 1);
    while (slots[slot] && strcmp(slots[slot], paths->items[i]) != 0) slot = (slot + 1) & (room - 1);
    if (slots[slot]) continue;
    slots[slot] = paths->items[kept++] = paths->items[i];
  }
  paths->count = kept;
  return SP_OK;
}

sp_status sp_glob_words(const char *const *words, uint32_t count, sp_arena *a, sp_paths *out,
                        sp_error *err) {
  *out = (sp_paths){0};
  for (uint32_t i = 0; i < count; i++) {
    if (!is_pattern(words[i]) || sp_host_look(words[i]) == SP_HOST_FILE) {
      SP_TRY(add(out, words[i], a, err));
      continue;
    }
    uint32_t first = out->count;
    walk w = {a, out, err, 0, SP_OK};
    size_t root = strspn(words[i], "/");
    expand(&w, root ? "/" : "", words[i] + root, 0);
    if (w.status != SP_OK) return w.status;
    if (out->count == first)
      return sp_fail(err, SP_USAGE, NULL, "No files matched pattern: %s", words[i]);
    sort_from(out, first);
  }
  return drop_repeated(out, a, err);
}
