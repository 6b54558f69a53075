inspect bad/names-terminal.h5 --regions-only
