/* sniff.h - what a file is, from as few of its bytes as tell it. */
#ifndef SP_READ_SNIFF_H
#define SP_READ_SNIFF_H

#include "read/source.h"

typedef enum sp_file_kind {
  SP_FILE_HDF5,
  SP_FILE_JSON,
  SP_FILE_JSON_GZIP,
  SP_FILE_NATIVE_TRACE,
} sp_file_kind;

/* Reads the first 4 KiB (of gzip 64 KiB), and 8 bytes at 4 KiB, 8 KiB, 16 KiB, ... when those tell
 * nothing. What no reader takes is NOT_A_PROFILE, or CORRUPT when it is the rest of a profile,
 * with a sentence that says what it looks like. */
sp_status sp_sniff(sp_source *source, sp_file_kind *kind, sp_error *err);

#endif
