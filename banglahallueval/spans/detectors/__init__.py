"""Detectors: who says which characters of an answer are not supported."""
