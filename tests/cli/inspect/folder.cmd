inspect python/0.7.5
