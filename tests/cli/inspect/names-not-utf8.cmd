inspect bad/names-not-utf8.h5 --regions-only
