/* figures.c - numbers in tables. */
#include "write/figures.h"

#include <math.h>

void sp_put_count(sp_buf *out, uint64_t n) {
  static const char suffix[] = "kMB";
  if (n < 1000) {
    sp_buf_printf(out, "%u", (unsigned)n);
    return;
  }
  double v = (double)n / 1e3;
  unsigned i = 0;
  for (; v >= 999.5 && i < 2; i++) v /= 1e3; /* 999.5k would be printed as 1e+03k */
  sp_buf_printf(out, v >= 999.5 ? "%.0f%c" : "%.3g%c", v, suffix[i]);
}

void sp_put_counter(sp_buf *out, double v) {
  if (isnan(v))
    sp_buf_text(out, "nan");
  else if (isinf(v))
    sp_buf_text(out, v < 0 ? "-inf" : "inf");
  else if (v == floor(v) && fabs(v) < 1e15)
    sp_buf_printf(out, "%.0f", v + 0.0);
  else
    sp_buf_printf(out, "%.6g", v);
}
