/* Tables for people: frames, widths, cut texts, rounded numbers. */
#include "check.h"

#include "base/utf8.h"
#include "write/clip.h"
#include "write/figures.h"
#include "write/table.h"

static sp_arena arena;

/* Two columns of two rows. */
static sp_table sample(void) {
  sp_table t;
  CHECK(sp_table_begin(&t, &arena, 2, 2));
  sp_table_column(&t, SP_STR("region"));
  sp_table_cell_text(&t, "solve");
  sp_table_cell(&t, sp_terminal_text(&t.text, sp_str_of("日本語 long")));
  sp_table_column(&t, SP_STR("n"));
  sp_table_cell_text(&t, "1.6k");
  sp_table_cell_text(&t, "");
  return t;
}

static const char *drawn(const sp_table *t, sp_table_style style, bool ascii, const uint32_t *order,
                         uint32_t count) {
  static sp_buf out;
  sp_buf_clear(&out);
  sp_table_draw(&out, t, style, ascii, order, count);
  sp_buf_char(&out, '\0');
  return out.data;
}

static void cells_are_padded_by_columns_not_bytes(void) {
  sp_table t = sample();
  CHECK_STR(drawn(&t, SP_TABLE_REGIONS, false, NULL, 0), "  ╭─────────────────────╮\n"
                                                         "  │ region         n    │\n"
                                                         "  ├─────────────────────┤\n"
                                                         "  │ solve          1.6k │\n"
                                                         "  │ 日本語 long         │\n"
                                                         "  ╰─────────────────────╯\n");
  CHECK_INT(sp_table_width(&t, SP_TABLE_REGIONS, 2), 25);
  sp_table_free(&t);
}

static void a_grid_has_joints(void) {
  sp_table t = sample();
  CHECK_STR(drawn(&t, SP_TABLE_GRID, false, NULL, 0), "  ╭─────────────┬──────╮\n"
                                                      "  │ region      │ n    │\n"
                                                      "  ├─────────────┼──────┤\n"
                                                      "  │ solve       │ 1.6k │\n"
                                                      "  │ 日本語 long │      │\n"
                                                      "  ╰─────────────┴──────╯\n");
  CHECK_INT(sp_table_width(&t, SP_TABLE_GRID, 2), 24);
  sp_table_free(&t);
}

static void ascii_frames_hold_ascii_only(void) {
  sp_table t = sample();
  const char *text = drawn(&t, SP_TABLE_GRID, true, NULL, 0);
  CHECK(strncmp(text, "  +-------------+------+\n  | region      | n    |\n", 50) == 0);
  sp_table_free(&t);
}

static void columns_can_be_reordered_and_left_out(void) {
  sp_table t = sample();
  const uint32_t second_first[] = {1, 0}, one[] = {1};
  CHECK(strstr(drawn(&t, SP_TABLE_REGIONS, false, second_first, 2), "│ n       region      │\n"));
  CHECK_STR(drawn(&t, SP_TABLE_REGIONS, false, one, 1), "  ╭──────╮\n"
                                                        "  │ n    │\n"
                                                        "  ├──────┤\n"
                                                        "  │ 1.6k │\n"
                                                        "  │      │\n"
                                                        "  ╰──────╯\n");
  sp_table_free(&t);
}

static void a_header_is_never_tight(void) {
  sp_table t;
  CHECK(sp_table_begin(&t, &arena, 0, 1));
  sp_table_column(&t, SP_STR("total [s]"));
  CHECK(strstr(drawn(&t, SP_TABLE_REGIONS, false, NULL, 0), "│ total [s]   │\n"));
  sp_table_free(&t);
}

static void a_header_from_a_file_is_escaped(void) {
  sp_table t;
  CHECK(sp_table_begin(&t, &arena, 0, 1));
  sp_table_column(&t, SP_STR("a\x1b[2J\n"));
  CHECK(strstr(drawn(&t, SP_TABLE_GRID, false, NULL, 0), "│ a\\x1b[2J\\n   │\n"));
  sp_table_free(&t);
}

static const char *cut_end(const char *text, size_t most, bool full) {
  static sp_buf out;
  sp_text_style style = {.full = full};
  sp_buf_clear(&out);
  size_t width = sp_clip_end(&out, sp_str_of(text), most, &style);
  sp_buf_char(&out, '\0');
  CHECK_INT(width, sp_terminal_width(sp_str_of(out.data)));
  return out.data;
}

static const char *cut_middle(const char *text, size_t most, bool ascii) {
  static sp_buf out;
  sp_text_style style = {.ascii = ascii};
  sp_buf_clear(&out);
  size_t width = sp_clip_middle(&out, sp_str_of(text), most, &style);
  sp_buf_char(&out, '\0');
  CHECK_INT(width, sp_terminal_width(sp_str_of(out.data)));
  CHECK(width <= most);
  return out.data;
}

static void long_texts_say_how_much_is_cut(void) {
  CHECK_STR(cut_end("abcdef", 6, false), "abcdef");
  CHECK_STR(cut_end("abcdef", 4, false), "abcd [+2 bytes]");
  CHECK_STR(cut_end("日本語", 5, false), "日本 [+3 bytes]");
  CHECK_STR(cut_end("abcdef", 4, true), "abcdef");
  CHECK_STR(cut_end("", 4, false), "");
  CHECK_STR(cut_end("a\nb", 2, false), "a [+2 bytes]"); /* the escape \n is two columns wide */
  CHECK_STR(cut_end("a\nb", 4, false), "a\\nb");
}

static void a_middle_gives_way_to_an_ellipsis(void) {
  CHECK_STR(cut_middle("abcdef", 6, false), "abcdef");
  CHECK_STR(cut_middle("abcdef", 5, false), "ab…ef");
  CHECK_STR(cut_middle("abcdef", 5, true), "a...f");
  CHECK_STR(cut_middle("日本語日本語", 7, false), "日…語");
  cut_middle("abcdef", 0, false);
  cut_middle("abcdef", 1, false);
  cut_middle("abcdef", 2, true);
  cut_middle("a\x1b\x1b\x1b\x1b", 9, false);
}

static const char *count_text(uint64_t n) {
  static sp_buf out;
  sp_buf_clear(&out);
  sp_put_count(&out, n);
  sp_buf_char(&out, '\0');
  return out.data;
}

static void counts_have_three_digits_and_carry(void) {
  CHECK_STR(count_text(0), "0");
  CHECK_STR(count_text(999), "999");
  CHECK_STR(count_text(1000), "1k");
  CHECK_STR(count_text(1234), "1.23k");
  CHECK_STR(count_text(1600), "1.6k");
  CHECK_STR(count_text(999499), "999k");
  CHECK_STR(count_text(999500), "1M");
  CHECK_STR(count_text(999999), "1M");
  CHECK_STR(count_text(1000000), "1M");
  CHECK_STR(count_text(999600000), "1B");
  CHECK_STR(count_text(12300000000), "12.3B");
  CHECK_STR(count_text(1234000000000), "1234B");
}

static const char *counter_text(double v) {
  static sp_buf out;
  sp_buf_clear(&out);
  sp_put_counter(&out, v);
  sp_buf_char(&out, '\0');
  return out.data;
}

static void counters_are_whole_or_six_digits(void) {
  CHECK_STR(counter_text(69617470), "69617470");
  CHECK_STR(counter_text(512.5), "512.5");
  CHECK_STR(counter_text(0.5123456789), "0.512346");
  CHECK_STR(counter_text(1e15), "1e+15");
  CHECK_STR(counter_text(999999999999999), "999999999999999");
  CHECK_STR(counter_text(-0.0), "0");
  CHECK_STR(counter_text(-3), "-3");
  CHECK_STR(counter_text((double)NAN), "nan");
  CHECK_STR(counter_text(-(double)NAN), "nan");
  CHECK_STR(counter_text((double)INFINITY), "inf");
  CHECK_STR(counter_text(-(double)INFINITY), "-inf");
}

static void memory_may_run_out_anywhere(void) {
  for (uint64_t n = 1; n < 100; n++) {
    sp_arena own = {0};
    sp_table t;
    sp_buf out = {0};
    sp_alloc_fail_at(n, true);
    bool begun = sp_table_begin(&t, &own, 1, 1);
    if (begun) {
      sp_table_column(&t, SP_STR("region"));
      sp_table_cell_text(&t, "solve");
      sp_table_draw(&out, &t, SP_TABLE_GRID, false, NULL, 0);
    }
    sp_alloc_fail_at(0, false);
    bool done = begun && !out.failed;
    sp_table_free(&t);
    sp_buf_free(&out);
    sp_arena_free(&own);
    if (done) return;
  }
  CHECK(false);
}

int main(void) {
  RUN(cells_are_padded_by_columns_not_bytes);
  RUN(a_grid_has_joints);
  RUN(ascii_frames_hold_ascii_only);
  RUN(columns_can_be_reordered_and_left_out);
  RUN(a_header_is_never_tight);
  RUN(a_header_from_a_file_is_escaped);
  RUN(long_texts_say_how_much_is_cut);
  RUN(a_middle_gives_way_to_an_ellipsis);
  RUN(counts_have_three_digits_and_carry);
  RUN(counters_are_whole_or_six_digits);
  RUN(memory_may_run_out_anywhere);
  sp_arena_free(&arena);
  return CHECK_DONE();
}
