/* counter_text.h - tables of hardware counters: LIKWID groups and perf events (cli.md 5.4). */
#ifndef SP_WRITE_COUNTER_TEXT_H
#define SP_WRITE_COUNTER_TEXT_H

#include "profile/select.h"
#include "write/clip.h"

/* One block per selected rank and group; only regions that `select` keeps (NULL: all). Fails with
 * a pattern that hits its limit, or NOMEM. */
sp_status sp_put_counters(sp_buf *out, const sp_profile *p, const sp_select *select,
                          const sp_text_style *style, sp_error *err);

#endif
