inspect python/0.7.5/gpu.h5 --regions-only
