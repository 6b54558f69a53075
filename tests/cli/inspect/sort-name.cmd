inspect python/0.7.5/nested.h5 --regions-only --sort name
