inspect -h
