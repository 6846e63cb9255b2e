"""The benchmark in the harnesses that people use, and their results back as labelled files."""
