"""Abstention-aware evaluation: a model answers only above a confidence, and scores accordingly.

Source: Kalai et al. 2025 (arXiv:2509.04664), as gemini-hallcheck puts it into practice.
"""
