"""Bangla text: digits, folding, romanisation, yes and no words, markup, JSON in a reply."""
