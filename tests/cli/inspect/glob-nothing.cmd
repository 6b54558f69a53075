inspect 'nosuch*.h5'
