"""Span-level hallucination detection: which characters of an answer are not supported.

Source: Rykov et al. 2025 (arXiv:2510.04849, PsiloQA) and Vázquez et al. 2025 (Mu-SHROOM).
"""
