"""Files read and written: tables, labelled files, run records, paths, samples."""
