/* figures.h - numbers in tables for people (statistics 18). */
#ifndef SP_WRITE_FIGURES_H
#define SP_WRITE_FIGURES_H

#include "base/buf.h"

/* 999, 1.6k, 3.2M: three significant digits from 1000 on. */
void sp_put_count(sp_buf *out, uint64_t n);
/* Whole numbers below 1e15 as integers, else six significant digits. */
void sp_put_counter(sp_buf *out, double v);

#endif
