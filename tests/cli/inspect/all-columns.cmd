inspect python/0.7.5/mpi.h5 --regions-only --columns region ranks calls total percent parent_percent avg gpu_total gpu_avg min max first last std p50 p95 p99 imbalance
