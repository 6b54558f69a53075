inspect python/0.7.5/tasks.h5 --regions-only
