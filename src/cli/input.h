/* input.h - one profile named on the command line: opened, read, its warnings told, closed. */
#ifndef SP_CLI_INPUT_H
#define SP_CLI_INPUT_H

#include "profile/profile.h"
#include "read/source.h"

typedef struct sp_input {
  const char *path; /* as given */
  sp_source *source;
  sp_profile *profile;
  sp_arena arena; /* for what is computed from the profile */
} sp_input;

/* Opens and reads `in->path`; tells the host that it is in work (host.h, "Containment"). Give it
 * to sp_input_close in any case. */
sp_status sp_input_open(sp_input *in, sp_error *err);
/* IO when the file changed since it was opened: what was read may be torn. */
sp_status sp_input_unchanged(const sp_input *in, sp_error *err);
void sp_input_close(sp_input *in);

/* The time from the first start to the last end over all regions and ranks, clocks aligned;
 * *has_span is false when nothing was timed. */
sp_status sp_input_span(sp_input *in, bool *has_span, int64_t *span_ns, sp_warnings *warnings,
                        sp_error *err);

/* Prints the warnings of a file, one line each: at most 20 and how many more, unrelated clocks as
 * a note. Adds the warning about names that are not UTF-8. */
void sp_input_say_warnings(const sp_input *in, const char *command, sp_warnings *warnings);

#endif
