"""Select the samples that a benchmark is built from."""
