"""The Bangla span set: candidates of the benchmark whose difference from gold can be marked."""
