/* metadata.h - the typed name/value list of a profile, ordered by name (byte order). */
#ifndef SP_PROFILE_METADATA_H
#define SP_PROFILE_METADATA_H

#include "base/arena.h"
#include "base/str.h"

typedef enum sp_value_kind {
  SP_VALUE_INT,   /* integer */
  SP_VALUE_UINT,  /* unsigned, above INT64_MAX only */
  SP_VALUE_FLOAT, /* real; may be NaN or infinite: sinks print null */
  SP_VALUE_TEXT,
  SP_VALUE_BOOL,
  SP_VALUE_LIST, /* items: SP_VALUE_* scalars, possibly none */
} sp_value_kind;

typedef struct sp_value {
  sp_value_kind kind;
  int64_t integer; /* INT, BOOL (0/1); UINT as its bits */
  double real;     /* FLOAT */
  sp_str text;     /* TEXT */
  struct sp_value *items;
  uint32_t count;
} sp_value;

typedef struct sp_meta {
  sp_str key;
  sp_value value;
} sp_meta;

typedef struct sp_metadata {
  sp_meta *items; /* ascending by key, keys unique */
  uint32_t count, capacity;
} sp_metadata;

/* Puts a value under a key, replacing an equal key. False when memory ran out. */
bool sp_metadata_put(sp_metadata *m, sp_arena *a, sp_str key, sp_value value);
/* The value under `key`, or NULL. */
const sp_value *sp_metadata_get(const sp_metadata *m, const char *key);
/* Integer under `key`: an integer, a whole finite real, or text that is one. False otherwise. */
bool sp_metadata_int(const sp_metadata *m, const char *key, int64_t *out);
/* Text under `key`, or a zeroed sp_str. */
sp_str sp_metadata_text(const sp_metadata *m, const char *key);

#endif
