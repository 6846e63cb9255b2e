"""A data set of answers with marked spans, built step by step as PsiloQA was.

Source: Rykov et al. 2025 (arXiv:2510.04849): passages, questions about them, answers of models that
do not see the passage, spans marked by a language model, and filters.
"""
