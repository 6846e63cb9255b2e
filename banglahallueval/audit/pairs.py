"""Checks of a main and a candidates file together: are the candidates made from these rows?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from banglahallueval.audit.checks import Check, count_rows
from banglahallueval.audit.sides import Side, fold, source_key
from banglahallueval.errors import UsageError


def check_pair(main: Side, candidates: Side) -> Iterator[Check]:
    """Check that candidates are made from the rows of a main file.

    Rows belong together by their question and context, not by their ids.

    Raises:
        UsageError: If the files share no source at all, with the likely cause.
    """
    keys = [source_key(item) for item in candidates.items]
    gold: dict[tuple[str, str], set[str]] = {}
    for item, output in zip(main.items, main.outputs, strict=True):
        gold.setdefault(source_key(item), set()).add(fold(output))
    if main.items and candidates.items and not gold.keys() & set(keys):
        raise UsageError(f"the two files share no source: {_cause(main, candidates)}")
    yield count_rows(
        candidates, "candidates whose source is not in main", [key not in gold for key in keys], 0
    )
    made = set(keys)
    without = [source_key(item) not in made for item in main.items]
    yield count_rows(main, "rows without a candidate", without)
    if candidates.gold is not None:
        differs = [
            key in gold and fold(output) not in gold[key]
            for key, output in zip(keys, candidates.gold, strict=True)
        ]
        yield count_rows(candidates, "right outputs that are not those of main", differs, 0)


def _cause(main: Side, candidates: Side) -> str:
    """Guess why two files have no source in common."""
    for side in (main, candidates):
        if not any("".join(source_key(item)).strip() for item in side.items):
            return f"{side.name} holds no question and no context"
    own = set(_ids(main, main.layout.id))
    named = _ids(candidates, candidates.layout.source)
    if not own or not any(named):
        return "no question and context of one is in the other; they were made from different files"
    if own & set(named):
        return (
            "their ids agree but their texts do not, so one of them was edited, converted or cut "
            "since; make the candidates again"
        )
    return (
        f"neither ids nor texts agree (main has {min(own)!r}, candidates name "
        f"{next(filter(None, named))!r}); they are of different selections, so take the main file "
        "that the candidates were made from"
    )


def _ids(side: Side, column: str | None) -> Sequence[str]:
    return [cell for cell in side.frame[column].str.strip() if cell] if column else []
