inspect python/0.7.5/recursion.h5 --regions-only
