inspect python/0.2.7/rank-gaps.h5 --regions-only --columns region ranks calls total imbalance
