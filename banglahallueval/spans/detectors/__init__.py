"""Detectors: each finds the stretches of an answer that its evidence does not support."""
