inspect python/0.7.5/recursion.h5 bad/half.h5 python/0.7.5/gpu.h5 --regions-only
