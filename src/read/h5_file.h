/* h5_file.h - one open HDF5 profile, seen by the h5_* files only.
 *
 * Everything that HDF5 is asked for goes through the functions here and in h5_guard.h: they look
 * before they read, spend from the file's budgets, and turn HDF5's failures into sp_error. */
#ifndef SP_READ_H5_FILE_H
#define SP_READ_H5_FILE_H

#include <hdf5.h>

#include "profile/profile.h"
#include "read/build.h"
#include "read/h5_driver.h"
#include "read/read.h"

enum { SP_H5_PATH_MAX = 160, SP_H5_FIELDS_MAX = 12 };

struct sp_h5_column;

typedef struct sp_h5 {
  sp_profile *profile;
  sp_h5_bytes bytes;
  hid_t access, file;
  uint64_t base; /* size of a user block: addresses count from here */
  bool classic;  /* version-0 superblock with 8-byte addresses: plain objects may be looked at */
  sp_read_limits left; /* budgets not yet spent */
  uint64_t links_left;
  sp_build build; /* regions, ranks and rows found so far */
  /* columnar layout: the shared event columns */
  struct sp_h5_column *events;
  uint64_t event_count;
  bool deltas;
  /* rank groups: where the columns of each row lie */
  struct sp_h5_place *places;
  uint64_t place_count, place_capacity;
} sp_h5;

/* Opens the container: superblock, truncation, a writer that did not close. */
sp_status sp_h5_open(sp_h5 *h, sp_source *source, sp_error *err);
void sp_h5_close(sp_h5 *h);

/* What HDF5 said about its last failure, or a failed read of the source. Clears it. */
sp_status sp_h5_fail(sp_h5 *h, sp_error *err, const char *path, const char *what);
/* HDF5's last reason as text (never NULL), cleared. */
const char *sp_h5_reason(sp_h5 *h);

/* "parent/name" cut to SP_H5_PATH_MAX. */
void sp_h5_join(char *to, const char *parent, const char *name);

/* Takes `n` from a budget; TOO_LARGE naming `what` when it is spent. */
sp_status sp_h5_spend(uint64_t *left, uint64_t n, const char *what, const char *path,
                      sp_error *err);

/* Attributes. A scalar integer (any width and sign); false when absent or something else. */
bool sp_h5_attribute_int(sp_h5 *h, hid_t object, const char *name, int64_t *out);
bool sp_h5_attribute_real(sp_h5 *h, hid_t object, const char *name, double *out);
/* A scalar text, copied to the arena; a zeroed sp_str when absent or something else. */
sp_str sp_h5_attribute_text(sp_h5 *h, hid_t object, const char *name);
/* A list of texts. */
sp_str *sp_h5_attribute_texts(sp_h5 *h, hid_t object, const char *name, uint32_t *count);
/* All attributes as typed values; odd kinds are left out with a warning. */
sp_status sp_h5_attributes(sp_h5 *h, hid_t object, const char *path, sp_metadata *out,
                           sp_error *err);

/* 1-D datasets below an open group, whole, into the arena. Absent: *out stays NULL and count 0
 * with SP_OK when `required` is false, else CORRUPT. */
sp_status sp_h5_ints(sp_h5 *h, hid_t group, const char *parent, const char *name, bool required,
                     int64_t **out, uint64_t *count, sp_error *err);
sp_status sp_h5_reals(sp_h5 *h, hid_t group, const char *parent, const char *name, bool required,
                      double **out, uint64_t *count, sp_error *err);
sp_status sp_h5_texts(sp_h5 *h, hid_t group, const char *parent, const char *name, bool required,
                      sp_str **out, uint64_t *count, sp_error *err);

/* The layouts and parts, each in its own file. */
sp_status sp_h5_read_metadata(sp_h5 *h, sp_error *err);
sp_status sp_h5_read_rank_groups(sp_h5 *h, sp_error *err);
sp_status sp_h5_read_columnar(sp_h5 *h, sp_error *err);
sp_status sp_h5_read_lanes(sp_h5 *h, sp_error *err);
/* Whether a name is rank<k>. */
typedef enum sp_h5_rank_name { SP_H5_NO_RANK, SP_H5_ODD_RANK, SP_H5_RANK } sp_h5_rank_name;
sp_h5_rank_name sp_h5_rank_number(const char *name, uint32_t *number);
/* Visits every usable rank<k> group of the root, ascending; odd ones are named in a warning. */
typedef sp_status (*sp_h5_visit_rank)(sp_h5 *h, hid_t group, const char *path, uint32_t number,
                                      sp_error *err);
sp_status sp_h5_each_rank(sp_h5 *h, sp_h5_visit_rank visit, sp_error *err);

#endif
