"""Judge whether Bangla model outputs are hallucinated, and know how far to trust the judgement."""

from importlib.metadata import version

__version__ = version("banglahallueval")
