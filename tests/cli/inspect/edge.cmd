inspect python/0.7.5/edge.h5 --regions-only
