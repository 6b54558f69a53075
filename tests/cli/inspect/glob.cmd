inspect '*/0.7.5/*r[ae]*.h5' --regions-only --columns region calls
