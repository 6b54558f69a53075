inspect '**/gp?.h5' --regions-only
