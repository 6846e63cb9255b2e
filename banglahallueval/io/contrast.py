"""The columns by which a contrast set is recognised, labelled or not."""

from __future__ import annotations

from collections.abc import Iterable

CONTRAST_COLUMNS = ("expected", "kind", "style")


def is_contrast(header: Iterable[str]) -> bool:
    """Whether a table with these columns is a contrast set: both classes in one file, no track."""
    return set(CONTRAST_COLUMNS) <= set(header)
