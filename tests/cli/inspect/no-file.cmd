inspect --regions-only
