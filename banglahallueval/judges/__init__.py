"""Judges: an item becomes a verdict, by a model, by checks that need none, or by both."""
