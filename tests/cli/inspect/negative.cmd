inspect python/0.7.5/negative.h5 --regions-only
