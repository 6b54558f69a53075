inspect python/0.1/oldest.h5
