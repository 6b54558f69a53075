inspect python/0.7.5/ranks.h5 --ranks 7
