/* cleaner.h - the identity values that text is searched for; internal to the privacy files. */
#ifndef SP_PROFILE_CLEANER_H
#define SP_PROFILE_CLEANER_H

#include "profile/privacy.h"

typedef struct sp_identity {
  sp_str value;
  const char *replacement; /* "[user]", "[host]", "[account]" */
} sp_identity;

struct sp_cleaner {
  sp_privacy level;
  sp_arena *arena;
  sp_identity *identities;
  uint32_t identity_count, identity_room;
  uint32_t *slots; /* hash table of identities, index + 1; a power of two of them */
  uint32_t slot_count;
  bool has_length[256];              /* lengths of identity values */
  uint32_t longest, expansions_left; /* names that node lists may still give */
  sp_str
      *homes; /* home directories beside /home/NAME and its like, without a separator at the end */
  uint32_t home_count, home_room;
  sp_str working_directory; /* without a separator at the end; zeroed = none */
};

/* The identity value that stands at text[at] as a whole word, the longest of several, or NULL. */
const sp_identity *sp_identity_at(const sp_cleaner *c, sp_str text, uint32_t at);

static inline bool sp_is_word_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

#endif
