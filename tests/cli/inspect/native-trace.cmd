inspect spt/2/little-endian.spt --regions-only
