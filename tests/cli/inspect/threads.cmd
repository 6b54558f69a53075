inspect python/0.7.5/threads.h5 --regions-only
