inspect python/0.7.5/empty.h5 nosuch.h5 --json
