/* privacy.h - what of user, host, paths and environment an output carries: public, team, full. */
#ifndef SP_PROFILE_PRIVACY_H
#define SP_PROFILE_PRIVACY_H

#include "base/buf.h"
#include "profile/profile.h"

typedef enum sp_privacy { SP_PRIVACY_PUBLIC, SP_PRIVACY_TEAM, SP_PRIVACY_FULL } sp_privacy;

bool sp_privacy_parse(const char *word, sp_privacy *out);
const char *sp_privacy_name(sp_privacy level);

/* The identity values of one profile (user, hosts, accounts, home, working directory), gathered
 * once. Lives in `a`. */
typedef struct sp_cleaner sp_cleaner;
sp_status sp_cleaner_make(const sp_profile *p, sp_privacy level, sp_arena *a, sp_cleaner **out,
                          sp_error *err);

typedef enum sp_fate { SP_KEEP, SP_CLEAN, SP_DROP } sp_fate;
/* What happens to a metadata key at this level. */
sp_fate sp_privacy_of_key(sp_str key, sp_privacy level);

/* Appends `text` cleaned at the cleaner's level; true when something changed. At full: as it is. */
bool sp_clean_text(const sp_cleaner *c, sp_str text, sp_buf *out);
/* As sp_clean_text for a source file's path. */
bool sp_clean_source_path(const sp_cleaner *c, sp_str path, sp_buf *out);
/* As sp_clean_text for JSON text (metadata of calls): every string in it, keys too, is cleaned as
 * it reads decoded. Text that is no JSON comes out the same way, string by string. */
bool sp_clean_json(const sp_cleaner *c, sp_str json, sp_buf *out);
/* The path of the profile itself: its file name at public, else as given. */
sp_str sp_clean_profile_path(sp_str path, sp_privacy level);

/* A place of the profile that a level drops or alters. */
typedef struct sp_private_place {
  sp_str
      place; /* "metadata/user", "regions/solve/source_file": raw name bytes; valid in the call */
  sp_fate
      fate; /* SP_DROP, SP_CLEAN; SP_KEEP: a name, never changed, that holds something private */
  bool is_metadata;
} sp_private_place;

typedef void (*sp_private_place_fn)(void *context, const sp_private_place *place);

/* Tells every such place once: metadata by key, region names, texts of regions, then of ranks.
 * Values are never told. What `inspect --secrets` lists (at SP_PRIVACY_PUBLIC) and the note of
 * published outputs counts. Nothing at full. */
sp_status sp_private_places(const sp_profile *p, sp_privacy level, sp_private_place_fn tell,
                            void *context, sp_error *err);

#endif
