inspect nosuch.h5
