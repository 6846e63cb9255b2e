"""Stage 1: hallucinated outputs from gold ones, code-mixing, and the selection of samples."""
