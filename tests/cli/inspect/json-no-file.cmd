inspect nosuch.h5 --json
