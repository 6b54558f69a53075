inspect python/0.7.5/nested.h5 --regions-only --width 60 --columns region calls total avg min max
