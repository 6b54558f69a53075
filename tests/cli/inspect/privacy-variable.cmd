PROFSCOPE_PRIVACY=team inspect python/0.7.5/nested.h5 --metadata-only
