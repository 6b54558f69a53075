inspect python/0.7.5/two-nodes.h5 --regions-only
