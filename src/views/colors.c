/* colors.c - the colour table shared by all kinds. */
#include "views/view.h"

static const char *const tab20[] = {
    "#1f77b4", "#aec7e8", "#ff7f0e", "#ffbb78", "#2ca02c", "#98df8a", "#d62728",
    "#ff9896", "#9467bd", "#c5b0d5", "#8c564b", "#c49c94", "#e377c2", "#f7b6d2",
    "#7f7f7f", "#c7c7c7", "#bcbd22", "#dbdb8d", "#17becf", "#9edae5",
};

/* The order of the floating point operations decides the colour for some n (36, 56, 71, ...): the
 * integer formula i * 20 / (n - 1) gives others. */
static uint32_t table_index(uint32_t i, uint32_t n, uint32_t table_size) {
  if (n <= 1) return 0;
  double x = i == n - 1 ? 1.0 : (double)i * (1.0 / (double)(n - 1));
  uint32_t k = (uint32_t)(x * (double)table_size);
  return k < table_size ? k : table_size - 1;
}

const char *sp_color_tab20(uint32_t i, uint32_t n) {
  return tab20[table_index(i, n, (uint32_t)SP_ARRAY_LEN(tab20))];
}
