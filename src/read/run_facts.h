/* run_facts.h - what the metadata says of the run, for every reader that has metadata. */
#ifndef SP_READ_RUN_FACTS_H
#define SP_READ_RUN_FACTS_H

#include "read/build.h"

/* Clock readings and label of the profile, from its metadata. */
void sp_take_run_facts(sp_profile *p);
/* mpi_size, or 0 when it is absent or cannot be: nothing may be sized by what metadata claims. */
uint32_t sp_stated_ranks(const sp_profile *p);
/* Lists the ranks below mpi_size, so that those that recorded nothing are shown too; a size that
 * cannot be is named in a warning. Nothing to do when no row was found. */
sp_status sp_list_silent_ranks(sp_build *b, sp_error *err);
/* After sp_build_finish: says at `path` how many ranks of the list recorded nothing. */
void sp_warn_silent_ranks(sp_profile *p, const char *path);
/* num_nodes as the format defines it; num_ranks must be set. */
void sp_take_nodes(sp_profile *p);

#endif
