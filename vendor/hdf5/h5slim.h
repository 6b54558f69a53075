/* h5slim.h - what is left of HDF5's error stack in the trimmed library: the text of the first
 * (innermost) failure since the last h5slim_clear(). H5Eprint, H5Ewalk and the like see nothing.
 * The text is a literal of the library, never freed; NULL when nothing failed. Not every failure
 * is an error of the caller's call: HDF5 also notes probes that it expects to fail, so look at the
 * text only after a call has returned failure, and clear before the call. */
#ifndef H5SLIM_H
#define H5SLIM_H

void h5slim_note(const char *text);
const char *h5slim_error(void);
void h5slim_clear(void);

#endif
