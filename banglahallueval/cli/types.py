"""Argument types: what a flag's text may be."""

from __future__ import annotations


def count(text: str) -> int:
    """A whole number from 0 (for argparse)."""
    if (number := int(text)) < 0:
        raise ValueError(text)
    return number


def seed(text: str) -> int:
    """A seed: a whole number from 0 (for argparse)."""
    return count(text)


def positive(text: str) -> int:
    """A whole number from 1 (for argparse)."""
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


def positive_number(text: str) -> float:
    """A number above 0 (for argparse)."""
    if not 0 < (number := float(text)) < float("inf"):
        raise ValueError(text)
    return number


def ratio(text: str) -> float:
    """A number above 1 (for argparse)."""
    if not 1 < (number := float(text)) < float("inf"):
        raise ValueError(text)
    return number


def temperature(text: str) -> float:
    """A number from 0 to 2 (for argparse)."""
    if not 0 <= (number := float(text)) <= 2:
        raise ValueError(text)
    return number


def share(text: str) -> float:
    """A number from 0 to 1 (for argparse)."""
    if not 0 <= (number := float(text)) <= 1:
        raise ValueError(text)
    return number


# argparse puts these names into its messages.
count.__name__ = "whole number from 0"
positive.__name__ = "whole number from 1"
positive_number.__name__ = "number above 0"
seed.__name__ = "whole number from 0"
ratio.__name__ = "number above 1"
temperature.__name__ = "number from 0 to 2"
share.__name__ = "number from 0 to 1"
