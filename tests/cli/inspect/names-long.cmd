inspect bad/names-long.h5 --regions-only
