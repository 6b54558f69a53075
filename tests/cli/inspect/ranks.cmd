inspect python/0.7.5/ranks.h5 --regions-only --ranks 0-1 3
