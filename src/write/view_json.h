/* view_json.h - a view as a plot-data payload: envelope, rows, extras. */
#ifndef SP_WRITE_VIEW_JSON_H
#define SP_WRITE_VIEW_JSON_H

#include "base/buf.h"
#include "views/view.h"

/* With `indent` as the files of `export plot-data` (one value a line, two spaces); without it one
 * row a line. Equal views give equal bytes. */
void sp_view_json(sp_buf *out, const sp_view *view, bool indent);

#endif
