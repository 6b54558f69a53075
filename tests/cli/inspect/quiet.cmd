inspect python/0.7.5/nested.h5 -q
