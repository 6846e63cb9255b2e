"""Hugging Face models on this machine."""
