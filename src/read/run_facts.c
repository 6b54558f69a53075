/* run_facts.c - metadata that the model has a place for. */
#include "read/run_facts.h"

/* Ranks that recorded nothing are listed on the metadata's word only up to this many. */
enum { SILENT_RANKS_MAX = 1 << 16 };

void sp_take_run_facts(sp_profile *p) {
  p->has_start_time = sp_metadata_int(&p->metadata, "start_time_ns", &p->start_time_ns);
  p->has_finalize_time = sp_metadata_int(&p->metadata, "finalize_time_ns", &p->finalize_time_ns);
  p->label = sp_metadata_text(&p->metadata, "label");
  if (p->label.n == 0) p->label = (sp_str){0};
}

uint32_t sp_stated_ranks(const sp_profile *p) {
  int64_t size = 0;
  bool stated = sp_metadata_int(&p->metadata, "mpi_size", &size);
  return stated && size >= 1 && size <= SILENT_RANKS_MAX ? (uint32_t)size : 0;
}

sp_status sp_list_silent_ranks(sp_build *b, sp_error *err) {
  sp_profile *p = b->profile;
  int64_t size;
  if (b->count == 0) return SP_OK;
  if (sp_metadata_int(&p->metadata, "mpi_size", &size) && size > SILENT_RANKS_MAX)
    sp_warn(&p->warnings, "ranks-missing", "/metadata/mpi_size",
            "mpi_size says %lld ranks, which cannot be; the ranks that recorded calls are shown",
            (long long)size);
  uint32_t ranks = sp_stated_ranks(p);
  for (uint32_t rank = 0; rank < ranks; rank++)
    if (!sp_build_rank(b, rank)) return sp_fail(err, SP_NOMEM, NULL, "out of memory");
  return SP_OK;
}

void sp_warn_silent_ranks(sp_profile *p, const char *path) {
  uint32_t recorded = 0, silent = 0;
  for (uint32_t i = p->rank_count; i-- > 0;) {
    if (p->ranks[i].row_count)
      recorded++;
    else
      silent = p->ranks[i].number; /* the lowest comes last */
  }
  if (recorded && recorded < p->rank_count)
    sp_warn(&p->warnings, "ranks-missing", path,
            "%u of %u ranks recorded calls; nothing of the others (rank %u first) is in the file",
            recorded, p->rank_count, silent);
}

void sp_take_nodes(sp_profile *p) {
  int64_t nodes;
  bool stated = sp_metadata_get(&p->metadata, "num_nodes") != NULL;
  bool counted = sp_metadata_int(&p->metadata, "num_nodes", &nodes) && nodes > 0;
  p->num_nodes = counted ? nodes : p->num_ranks == 1 && !stated ? 1 : -1;
}
