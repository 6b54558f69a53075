inspect bad/names-direction.h5 --regions-only
