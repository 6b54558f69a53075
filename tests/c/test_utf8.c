/* test_utf8.c - decoding, columns, and what may reach a terminal. */
#include "base/utf8.h"
#include "lib/check.h"

static const char *terminal(const char *bytes, size_t n) {
  static sp_buf b;
  sp_str text = {bytes, (uint32_t)n};
  sp_buf_clear(&b);
  size_t columns = sp_terminal_text(&b, text);
  CHECK_INT(columns, sp_terminal_width(text));
  sp_buf_char(&b, '\0');
  return b.data;
}
#define TERMINAL(literal) terminal(literal, sizeof(literal) - 1)

static uint32_t first_of(const char *bytes, uint32_t n, uint32_t *at) {
  *at = 0;
  return sp_utf8_next((sp_str){bytes, n}, at);
}

static void characters_of_every_length_are_decoded(void) {
  uint32_t at;
  CHECK_INT(first_of("A", 1, &at), 'A');
  CHECK_INT(first_of("\xC2\x80", 2, &at), 0x80);
  CHECK_INT(first_of("\xE0\xA0\x80", 3, &at), 0x800);
  CHECK_INT(first_of("\xEF\xBF\xBF", 3, &at), 0xFFFF);
  CHECK_INT(first_of("\xF0\x90\x80\x80", 4, &at), 0x10000);
  CHECK_INT(first_of("\xF4\x8F\xBF\xBF", 4, &at), 0x10FFFF);
  CHECK_INT(at, 4);
}

static void an_invalid_byte_is_given_alone(void) {
  static const char *const bad[] = {"\x80x",
                                    "\xC0\xAF",
                                    "\xC1\xBF",
                                    "\xC2",
                                    "\xE0\x80\xAF",
                                    "\xED\xA0\x80",
                                    "\xF0\x8F\xBF\xBF",
                                    "\xF4\x90\x80\x80",
                                    "\xF5\x80\x80\x80",
                                    "\xFF",
                                    "\xE2\x82",
                                    "\xE2(\xA1"};
  for (size_t i = 0; i < SP_ARRAY_LEN(bad); i++) {
    uint32_t at, c = first_of(bad[i], (uint32_t)strlen(bad[i]), &at);
    CHECK_INT(c, SP_BAD_BYTE | (unsigned char)bad[i][0]);
    CHECK_INT(at, 1);
    CHECK(!sp_utf8_valid(sp_str_of(bad[i])));
  }
  CHECK(sp_utf8_valid(SP_STR("caf\xC3\xA9 \0 \xF0\x9F\x98\x80")));
  CHECK(sp_utf8_valid((sp_str){0}));
}

static void widths_follow_wcwidth(void) {
  CHECK_INT(sp_char_width('a'), 1);
  CHECK_INT(sp_char_width(0xAD), 1);
  CHECK_INT(sp_char_width(0x301), 0);
  CHECK_INT(sp_char_width(0x378), 1);
  CHECK_INT(sp_char_width(0x1100), 2);
  CHECK_INT(sp_char_width(0x1160), 0);
  CHECK_INT(sp_char_width(0x4E00), 2);
  CHECK_INT(sp_char_width(0x9FFF), 2);
  CHECK_INT(sp_char_width(0xA000), 2);
  CHECK_INT(sp_char_width(0xAC00), 2);
  CHECK_INT(sp_char_width(0xFF21), 2);
  CHECK_INT(sp_char_width(0xFF71), 1);
  CHECK_INT(sp_char_width(0x1F600), 2);
  CHECK_INT(sp_char_width(0x20000), 2);
  CHECK_INT(sp_char_width(0x2FFFD), 2);
  CHECK_INT(sp_char_width(0x10FFFF), 1);
}

static void what_commands_a_terminal_is_made_visible(void) {
  CHECK_STR(TERMINAL("plain text"), "plain text");
  CHECK_STR(TERMINAL("a\tb\nc\rd"), "a\\tb\\nc\\x0dd");
  CHECK_STR(TERMINAL("\x1b[31m\x7f\0"), "\\x1b[31m\\x7f\\x00");
  CHECK_STR(TERMINAL("\xC2\x9B"
                     "31m"),
            "\\u{9B}31m");
  CHECK_STR(TERMINAL("\x9B\xFF"), "\\x9b\\xff");
}

static void what_hides_or_reorders_text_is_made_visible(void) {
  CHECK_STR(TERMINAL("\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C"), "\\u{202E}\\u{2066}\\u{61C}");
  CHECK_STR(TERMINAL("\xE2\x80\x8B\xE2\x80\x8F\xEF\xBB\xBF"), "\\u{200B}\\u{200F}\\u{FEFF}");
  CHECK_STR(TERMINAL("\xE2\x80\xA8\xE2\x80\xA9"), "\\u{2028}\\u{2029}");
  CHECK_STR(TERMINAL("\xF3\xA0\x81\x81"), "\\u{E0041}");
}

static void letters_of_every_script_stay(void) {
  CHECK_STR(TERMINAL("\xD7\xA9\xD7\x9C \xE4\xBD\xA0 e\xCC\x81"),
            "\xD7\xA9\xD7\x9C \xE4\xBD\xA0 e\xCC\x81");
  CHECK_INT(sp_terminal_width(SP_STR("\xE4\xBD\xA0 e\xCC\x81")), 4);
  CHECK_INT(sp_terminal_width(SP_STR("\x1b")), 4);
  CHECK_INT(sp_terminal_width((sp_str){0}), 0);
}

static void names_show_only_their_invalid_bytes(void) {
  sp_buf b = {0};
  sp_name_text(&b, SP_STR("a\xFF\tb\xC3\xA9\xC3"));
  sp_buf_char(&b, '\0');
  CHECK_STR(b.data, "a\\xff\tb\xC3\xA9\\xc3");
  sp_buf_free(&b);
}

int main(void) {
  RUN(characters_of_every_length_are_decoded);
  RUN(an_invalid_byte_is_given_alone);
  RUN(widths_follow_wcwidth);
  RUN(what_commands_a_terminal_is_made_visible);
  RUN(what_hides_or_reorders_text_is_made_visible);
  RUN(letters_of_every_script_stay);
  RUN(names_show_only_their_invalid_bytes);
  return CHECK_DONE();
}
