inspet a.h5
