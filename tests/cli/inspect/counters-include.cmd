inspect python/0.7.5/counters.h5 --regions-only --include 'solve'
