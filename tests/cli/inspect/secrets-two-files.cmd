inspect python/0.7.5/nested.h5 python/0.7.5/empty.h5 --secrets
