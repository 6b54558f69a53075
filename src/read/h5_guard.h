/* h5_guard.h - what HDF5 may be asked to do.
 *
 * Links: hard ones, and soft ones within the file. Datasets: one-dimensional, stored in the file
 * itself, with at most one compression among deflate, LZF and Zstandard, with a declared size that
 * their storage can hold. Everything else is refused by name before HDF5 touches it. */
#ifndef SP_READ_H5_GUARD_H
#define SP_READ_H5_GUARD_H

#include "read/h5_file.h"
#include "read/h5_filters.h"

typedef enum sp_h5_kind { SP_H5_NONE, SP_H5_GROUP, SP_H5_DATASET, SP_H5_OTHER } sp_h5_kind;

/* Opens what a link of `group` leads to. SP_H5_NONE (and *object invalid): there is no such link,
 * or it was refused or leads nowhere, which a warning `link-refused` with path `path` says (names
 * of targets included). `quiet` leaves that warning out. The caller closes *object. */
sp_h5_kind sp_h5_open_link(sp_h5 *h, hid_t group, const char *name, const char *path, bool quiet,
                           hid_t *object);

/* Visits every link of a group by name order. A failing visit ends the walk with its status; a
 * walk that HDF5 cannot finish is CORRUPT. `token` is the place of a hard link's object, else NULL. */
typedef sp_status (*sp_h5_visit)(void *context, hid_t group, const char *name,
                                 const H5O_token_t *token, sp_error *err);
sp_status sp_h5_each_link(sp_h5 *h, hid_t group, const char *path, sp_h5_visit visit, void *context,
                          sp_error *err);

/* How a dataset stores its values. */
typedef enum sp_h5_storage { SP_H5_CONTIGUOUS, SP_H5_CHUNKED, SP_H5_COMPACT } sp_h5_storage;

enum { SP_H5_FILTERS_MAX = 4 };

typedef struct sp_h5_shape {
  uint64_t count; /* values */
  sp_h5_storage storage;
  uint64_t address; /* contiguous: first byte in the source */
  uint64_t chunk;   /* values per chunk */
  unsigned filter_count;
  sp_filter filters[SP_H5_FILTERS_MAX]; /* in the order of writing */
} sp_h5_shape;

/* Looks at an open dataset. The reason of a refusal is in `err` (path filled in), with code
 * CORRUPT, UNSUPPORTED or TOO_LARGE; *code is then the code of the warning that would fit. */
sp_status sp_h5_shape_of(sp_h5 *h, hid_t dataset, const char *path, size_t value_bytes,
                         sp_h5_shape *out, const char **code, sp_error *err);

#endif
