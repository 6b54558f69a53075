/* int128.h - sums of nanoseconds that may not fit 64 bits (292 years and more). */
#ifndef SP_BASE_INT128_H
#define SP_BASE_INT128_H

__extension__ typedef __int128 sp_i128;

#endif
