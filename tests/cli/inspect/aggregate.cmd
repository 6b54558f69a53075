inspect python/0.7.5/aggregate.h5 --regions-only --columns region calls total avg min max first std p50 imbalance
