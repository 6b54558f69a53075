inspect --regions-only -- python/0.7.5/gpu.h5
