/* gzip.h - the frame of gzip around deflate: header, checksum, size. */
#ifndef SP_READ_GZIP_H
#define SP_READ_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sp_gzip_result {
  SP_GZIP_DONE,
  SP_GZIP_FULL,    /* `room` is too small; the beginning stands in `out` */
  SP_GZIP_DAMAGED, /* no gzip, cut off, or a checksum that does not match; `out` may hold a part */
  SP_GZIP_NO_MEMORY,
} sp_gzip_result;

/* Unpacks the member at `in`. *took and *gave are set when it is done. */
sp_gzip_result sp_gzip_unpack(const unsigned char *in, size_t in_n, void *out, size_t room,
                              size_t *took, size_t *gave);

#endif
