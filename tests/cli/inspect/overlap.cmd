inspect python/0.7.5/overlap.h5 --regions-only
