"""Keeps a loaded model for the next run that asks the same one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from banglahallueval.models.huggingface.loaded import Loaded

# By all that determines it; None where nothing is kept.
_kept: dict[Hashable, Loaded] | None = None


@contextmanager
def one_model_kept() -> Iterator[None]:
    """Keep the model loaded last, so that runs inside the block load it once between them.

    Its memory is given back when another is loaded, and at the end of the block.
    """
    global _kept
    before, _kept = _kept, {}
    try:
        yield
    finally:
        _kept = before


def loaded_once(key: Hashable, load: Callable[[], Loaded]) -> Loaded:
    """Return the kept model of this key, or load it.

    Args:
        key: All that determines what is loaded.
        load: Loads it.
    """
    if _kept is None:
        return load()
    if key not in _kept:
        _kept.clear()
        _kept[key] = load()
    return _kept[key]
