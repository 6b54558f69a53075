inspect python/0.3.3/everything.h5 --regions-only --source solve nope
