/* warning.c - the list of warnings. */
#include "profile/warning.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 1000 };

/* Cuts a text that did not fit at a character's start and marks the cut. */
static void mark_cut(char *text, size_t size) {
  size_t end = size - 4;
  while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
  memcpy(text + end, "...", 4);
}

static bool known(const sp_warnings *w, const char *code, const char *path) {
  for (uint32_t i = 0; i < w->count; i++) {
    if (strcmp(w->items[i].path, path) == 0 && strcmp(w->items[i].code, code) == 0) return true;
  }
  return false;
}

static bool make_room(sp_warnings *w) {
  if (w->count < w->capacity) return true;
  uint32_t wanted = w->capacity ? w->capacity * 2 : 16;
  sp_warning *items = sp_arena_array(w->arena, wanted, sizeof *items);
  if (!items) return false;
  if (w->count) memcpy(items, w->items, w->count * sizeof *items);
  w->items = items;
  w->capacity = wanted;
  return true;
}

static void add(sp_warnings *w, const char *code, const char *path, const char *message) {
  /* A full list no longer looks for equals: a million warnings must not cost a million scans. */
  if (w->count >= SP_WARNINGS_MAX) {
    w->dropped++;
    return;
  }
  if (known(w, code, path)) return;
  if (!make_room(w)) return; /* the arena is sticky-failed: its owner sees it */
  char *path_copy = sp_arena_copy(w->arena, path, strlen(path));
  char *message_copy = sp_arena_copy(w->arena, message, strlen(message));
  if (!path_copy || !message_copy) return;
  w->items[w->count++] = (sp_warning){code, path_copy, message_copy};
}

void sp_warn(sp_warnings *w, const char *code, const char *path, const char *fmt, ...) {
  if (!w) return;
  char place[TEXT_MAX + 1], message[TEXT_MAX + 1];
  int length = snprintf(place, sizeof place, "%s", path ? path : "/");
  if (length >= (int)sizeof place) mark_cut(place, sizeof place);
  va_list args;
  va_start(args, fmt);
  length = vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  if (length < 0) message[0] = '\0';
  if (length >= (int)sizeof message) mark_cut(message, sizeof message);
  add(w, code, place, message);
}

void sp_warnings_add(sp_warnings *to, const sp_warnings *from) {
  if (!to || !from) return;
  for (uint32_t i = 0; i < from->count; i++) {
    add(to, from->items[i].code, from->items[i].path, from->items[i].message);
  }
  to->dropped += from->dropped;
}
