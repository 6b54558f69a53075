/* h5_plain.h - the commonest objects read without HDF5.
 *
 * A profile of the oldest layout holds a small group and two small datasets for every region and
 * rank, and HDF5 needs some 250,000 instructions to open those three. The recorders write them in
 * one plain form of the classic format: a version-1 object header in one block; a group whose
 * members fit one B-tree leaf; a contiguous little-endian int64 column without filters. That form
 * is taken apart here, with every offset checked; whatever looks different in any way is left to
 * HDF5, which is also the judge of this file in the tests. */
#ifndef SP_READ_H5_PLAIN_H
#define SP_READ_H5_PLAIN_H

#include "read/h5_file.h"

typedef struct sp_h5_plain {
  enum { SP_H5_PLAIN_GROUP = 1, SP_H5_PLAIN_COLUMN } kind;
  bool has_attributes;
  uint64_t tree, heap;     /* group: relative addresses */
  uint64_t count, address; /* column: values, and the first one's offset in the source */
} sp_h5_plain;

typedef struct sp_h5_member {
  const char *name; /* valid until the next look */
  uint64_t header;  /* relative address of the object's header */
} sp_h5_member;

enum { SP_H5_MEMBERS_MAX = 64, SP_H5_MEMBER_NAMES_MAX = 4096 };

typedef struct sp_h5_members {
  sp_h5_member items[SP_H5_MEMBERS_MAX];
  uint32_t count;
  char names[SP_H5_MEMBER_NAMES_MAX];
} sp_h5_members;

/* Looks at the object whose header lies at a relative address. False: not plain, ask HDF5. */
bool sp_h5_plain_object(sp_h5 *h, uint64_t header, sp_h5_plain *out);
/* The members of a plain group, by name order. False: ask HDF5. */
bool sp_h5_plain_members(sp_h5 *h, const sp_h5_plain *group, sp_h5_members *out);

#endif
