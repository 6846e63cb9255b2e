"""Bangla in Latin letters without a model, as people type it."""
