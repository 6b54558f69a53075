/* privacy_text.c - text without identity: one pass from left to right; at every character the
 * first of these that fits is replaced:
 *
 *   e-mail address   absolute path   IP address   identity value
 *
 * What is left of a path is searched for addresses and identity values in turn. */
#include <string.h>

#include "profile/cleaner.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_separator(char c) { return c == '/' || c == '\\'; }

/* The byte at `at`, or NUL behind the end. */
static char peek(sp_str t, uint32_t at) { return at < t.n ? t.p[at] : '\0'; }

/* ---- addresses: the end of one that begins at `at`, or 0 ------------------------------------ */

static bool is_mail_char(char c) {
  return sp_is_word_char(c) || (c && strchr(".%+-", c)) || (unsigned char)c >= 0x80;
}

static uint32_t mail_end(sp_str t, uint32_t at) {
  if (!is_mail_char(t.p[at]) || (at && is_mail_char(t.p[at - 1]))) return 0;
  uint32_t i = at;
  while (i < t.n && is_mail_char(t.p[i])) i++;
  if (i == at || peek(t, i) != '@') return 0;
  uint32_t domain = ++i, end = i, dot = 0, last_dot = 0; /* `last_dot`: before the last label */
  for (; i < t.n && (sp_is_word_char(t.p[i]) || t.p[i] == '-' || t.p[i] == '.'); i++) {
    if (t.p[i] == '.') {
      dot = i;
    } else { /* a full stop behind the address is not part of it */
      end = i + 1;
      last_dot = dot;
    }
  }
  if (last_dot <= domain || end - last_dot < 3) return 0;
  for (uint32_t k = last_dot + 1; k < end; k++)
    if (!is_letter(t.p[k])) return 0;
  return end;
}

/* Four numbers up to 255, whatever stands around them. */
static uint32_t ipv4_digits(sp_str t, uint32_t at) {
  for (int group = 0; group < 4; group++) {
    if (group && peek(t, at++) != '.') return 0;
    unsigned n = 0, digits = 0;
    for (; is_digit(peek(t, at)) && digits < 4; digits++) n = n * 10 + (unsigned)(t.p[at++] - '0');
    if (!digits || n > 255 || digits > 3) return 0;
  }
  return at;
}

static uint32_t ipv4_end(sp_str t, uint32_t at) {
  char before = at ? t.p[at - 1] : '\0';
  if (!is_digit(t.p[at]) || sp_is_word_char(before) || before == '.') return 0;
  uint32_t end = ipv4_digits(t, at);
  bool goes_on =
      sp_is_word_char(peek(t, end)) || (peek(t, end) == '.' && is_digit(peek(t, end + 1)));
  return end && !goes_on ? end : 0;
}

/* Eight groups, or fewer around one "::"; at least one digit, so that C++ names are none. */
static uint32_t ipv6_end(sp_str t, uint32_t at) {
  char before = at ? t.p[at - 1] : '\0';
  if ((!is_hex(t.p[at]) && t.p[at] != ':') || sp_is_word_char(before) || before == ':') return 0;
  uint32_t i = at, groups = 0;
  bool gap = false, digit = false;
  for (;;) {
    if (peek(t, i) == ':' && peek(t, i + 1) == ':' && !gap) {
      gap = true;
      i += 2;
    } else if (groups && peek(t, i) == ':' && is_hex(peek(t, i + 1))) {
      i++;
    } else if (groups || gap) {
      break;
    }
    uint32_t v4 = groups || gap ? ipv4_digits(t, i) : 0;
    uint32_t from = i;
    for (; is_hex(peek(t, i)) && i - from < 5; i++) digit = digit || is_digit(t.p[i]);
    if (i - from > 4 && !v4) return 0;
    if (v4) {
      i = v4;
      groups += 2;
      digit = true;
      break;
    }
    if (i == from) break; /* "fe80::" */
    groups++;
  }
  bool whole = gap ? groups && groups < 8 : groups == 8;
  return whole && digit && !sp_is_word_char(peek(t, i)) && peek(t, i) != ':' ? i : 0;
}

/* ---- paths --------------------------------------------------------------------------------- */

typedef struct found_path {
  uint32_t end;  /* behind its last byte */
  uint32_t home; /* behind the home directory it begins with; 0 = none */
} found_path;

/* Where a path may begin: not inside a word, a relative path or a link. "-I/usr/x" does. */
static bool may_begin(sp_str t, uint32_t at) {
  if (!at || !t.p[at - 1]) return true;
  char before = t.p[at - 1];
  if (is_letter(before) && at >= 2 && t.p[at - 2] == '-')
    return at == 2 || (unsigned char)t.p[at - 3] <= ' ' || t.p[at - 3] == '=';
  if (before == '/') return at >= 7 && memcmp(t.p + at - 7, "file://", 7) == 0;
  bool is_link = before == ':' && at >= 2 && is_letter(t.p[at - 2]) && t.p[at] == '/' &&
                 peek(t, at + 1) == '/';
  return !is_link && !sp_is_word_char(before) && !strchr(".~+%@)]}-\\", before);
}

static bool ends_path(char c) {
  return (unsigned char)c <= ' ' || c == 0x7F || strchr("\"'`<>|:;,()[]{}?*", c);
}

/* The end of the root of an absolute path, 0 if none begins here. */
static uint32_t root_end(sp_str t, uint32_t at) {
  char c = t.p[at];
  if (c == '/') return peek(t, at + 1) == '/' ? at + 2 : at + 1;
  if (c == '\\') return peek(t, at + 1) == '\\' ? at + 2 : 0;
  if (c == '~') {
    uint32_t i = at + 1;
    if (is_letter(peek(t, i)) || peek(t, i) == '_')
      while (sp_is_word_char(peek(t, i)) || peek(t, i) == '-' || peek(t, i) == '.') i++;
    return is_separator(peek(t, i)) ? i : 0;
  }
  bool drive = is_letter(c) && peek(t, at + 1) == ':' && is_separator(peek(t, at + 2));
  return drive ? at + 3 : 0;
}

/* Behind `n` components from `from`, or 0 if there are fewer. */
static uint32_t skip_components(sp_str t, uint32_t from, uint32_t end, unsigned n) {
  for (; n; n--) {
    while (from < end && is_separator(t.p[from])) from++;
    uint32_t start = from;
    while (from < end && !is_separator(t.p[from])) from++;
    if (from == start) return 0;
  }
  return from;
}

static bool has_prefix(sp_str t, uint32_t at, uint32_t end, sp_str prefix) {
  return prefix.n && prefix.n <= end - at && memcmp(t.p + at, prefix.p, prefix.n) == 0 &&
         (at + prefix.n == end || is_separator(t.p[at + prefix.n]));
}

static uint32_t home_end(const sp_cleaner *c, sp_str t, uint32_t at, uint32_t end, uint32_t root) {
  if (t.p[at] == '~') return root;
  uint32_t longest = 0;
  for (uint32_t i = 0; i < c->home_count; i++)
    if (has_prefix(t, at, end, c->homes[i]) && at + c->homes[i].n > longest)
      longest = at + c->homes[i].n;
  if (longest) return longest;
  if (has_prefix(t, at, end, SP_STR("/root"))) return at + 5;
  if (has_prefix(t, at, end, SP_STR("/home")) || has_prefix(t, at, end, SP_STR("/Users")))
    return skip_components(t, at, end, 2);
  bool windows = root - at == 3 && t.p[at + 1] == ':' && end - root > 6 &&
                 memcmp(t.p + root, "Users", 5) == 0 && is_separator(t.p[root + 5]);
  return windows ? skip_components(t, root, end, 2) : 0;
}

static bool find_path(const sp_cleaner *c, sp_str t, uint32_t at, found_path *out) {
  uint32_t root = strchr("/\\~", t.p[at]) || is_letter(t.p[at]) ? root_end(t, at) : 0;
  if (!root || !t.p[at] || !may_begin(t, at)) return false;
  if (is_letter(t.p[at]) && at && sp_is_word_char(t.p[at - 1])) return false;
  uint32_t end = root;
  char quote = at ? t.p[at - 1] : '\0';
  if (quote == '"' || quote == '\'' || quote == '`') { /* up to the quote, blanks included */
    while (end < t.n && t.p[end] != quote && t.p[end] != '\n') end++;
    if (peek(t, end) != quote) end = root;
  }
  if (end == root)
    while (end < t.n && !ends_path(t.p[end])) end++;
  bool deep = t.p[at] == '~';
  for (uint32_t i = root; i < end && !deep; i++) deep = i > root && is_separator(t.p[i]);
  if (!deep) return false;
  *out = (found_path){end, home_end(c, t, at, end, root)};
  return true;
}

/* ---- the pass ------------------------------------------------------------------------------ */

static bool put_path(const sp_cleaner *c, sp_str t, uint32_t at, found_path p, sp_buf *out);

static bool clean(const sp_cleaner *c, sp_str t, bool paths, sp_buf *out) {
  bool changed = false;
  uint32_t from = 0; /* what is not yet written */
  for (uint32_t at = 0; at < t.n;) {
    found_path p = {0};
    const char *replacement = NULL;
    uint32_t end = mail_end(t, at);
    if (end) replacement = "[email]";
    bool is_path = !end && paths && find_path(c, t, at, &p);
    if (!end && !is_path) {
      end = ipv4_end(t, at);
      if (!end) end = ipv6_end(t, at);
      if (end) replacement = "[ip]";
    }
    if (!end && !is_path) {
      const sp_identity *found = sp_identity_at(c, t, at);
      if (found) {
        replacement = found->replacement;
        end = at + found->value.n;
      }
    }
    if (!replacement && !is_path) {
      at++;
      continue;
    }
    sp_buf_bytes(out, t.p + from, at - from);
    if (is_path) {
      if (put_path(c, t, at, p, out)) changed = true;
      end = p.end;
    } else {
      sp_buf_text(out, replacement);
      changed = true;
    }
    from = at = end;
  }
  sp_buf_bytes(out, t.p + from, t.n - from);
  return changed;
}

static bool put_path(const sp_cleaner *c, sp_str t, uint32_t at, found_path p, sp_buf *out) {
  uint32_t from = p.home ? p.home : at, end = p.end;
  if (c->level == SP_PRIVACY_TEAM) {
    bool is_short = p.home && t.p[at] == '~' && p.home == at + 1;
    if (p.home) sp_buf_char(out, '~');
    return clean(c, (sp_str){t.p + from, end - from}, false, out) || (p.home && !is_short);
  }
  while (end > from && is_separator(t.p[end - 1])) end--;
  if (end == from) { /* nothing but the home directory */
    sp_buf_char(out, '~');
    return true;
  }
  uint32_t last = end;
  while (last > from && !is_separator(t.p[last - 1])) last--;
  clean(c, (sp_str){t.p + last, end - last}, false, out);
  return true;
}

bool sp_clean_text(const sp_cleaner *c, sp_str text, sp_buf *out) {
  if (c->level != SP_PRIVACY_FULL && text.n) return clean(c, text, true, out);
  if (text.n) sp_buf_str(out, text);
  return false;
}

/* ---- source files -------------------------------------------------------------------------- */

static bool is_absolute(sp_str path) {
  char first = peek(path, 0);
  return is_separator(first) || first == '~' ||
         (is_letter(first) && peek(path, 1) == ':' && is_separator(peek(path, 2)));
}

static bool climbs(sp_str path) {
  for (uint32_t at = 0; at < path.n;) {
    uint32_t from = at;
    while (at < path.n && !is_separator(path.p[at])) at++;
    if (at - from == 2 && memcmp(path.p + from, "..", 2) == 0) return true;
    at++;
  }
  return false;
}

/* What of a source path may stand at this level; `rest` points into `path`. */
static sp_str kept_part(const sp_cleaner *c, sp_str path) {
  sp_str rest = path;
  if (has_prefix(path, 0, path.n, c->working_directory)) {
    rest = (sp_str){path.p + c->working_directory.n, path.n - c->working_directory.n};
    while (rest.n && is_separator(*rest.p)) rest.p++, rest.n--;
  }
  bool inside = rest.n && !is_absolute(rest) && !climbs(rest);
  if (inside) return rest;
  if (c->level == SP_PRIVACY_TEAM) return path;
  uint32_t last = path.n;
  while (last && !is_separator(path.p[last - 1])) last--;
  return (sp_str){path.p + last, path.n - last};
}

bool sp_clean_source_path(const sp_cleaner *c, sp_str path, sp_buf *out) {
  if (c->level == SP_PRIVACY_FULL || !path.n) return sp_clean_text(c, path, out);
  sp_str kept = kept_part(c, path);
  uint32_t root = is_absolute(kept) ? root_end(kept, 0) : 0;
  bool changed = kept.n != path.n;
  if (root && c->level == SP_PRIVACY_TEAM) { /* the whole text is one path, blanks included */
    found_path whole = {kept.n, home_end(c, kept, 0, kept.n, root)};
    return put_path(c, kept, 0, whole, out) || changed;
  }
  return clean(c, kept, false, out) || changed;
}

sp_str sp_clean_profile_path(sp_str path, sp_privacy level) {
  if (level != SP_PRIVACY_PUBLIC) return path;
  uint32_t last = path.n;
  while (last && !is_separator(path.p[last - 1])) last--;
  return (sp_str){path.p + last, path.n - last};
}
