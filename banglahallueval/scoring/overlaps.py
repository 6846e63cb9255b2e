"""Joining of labelled files: systems, repeated rows, and labels that occur in several files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pandas as pd
import regex

from banglahallueval.io.paths import short
from banglahallueval.scoring.labelled_rows import LabelledSource

Part = tuple[LabelledSource, pd.DataFrame]

_FEW_REPEATS = 0.02  # the published files repeat 3 items in 1,000


def join_parts(parts: list[Part], problems: list[str]) -> tuple[list[Part], pd.DataFrame]:
    """Join the rows of the parts, leaving out parts that hold the same labels.

    Args:
        parts: What was read.
        problems: Gets a line for each group of parts that is left out.

    Returns:
        The parts that are left, and their rows with `file`, the part's number, and `system`.
    """
    while parts:
        rows = pd.concat(
            [frame.assign(file=number) for number, (_, frame) in enumerate(parts)],
            ignore_index=True,
        )
        rows["system"] = _systems(rows)
        out: set[int] = set()
        for system, kind, files, twice, items in _shared(rows):
            if twice > items / 2:
                problems.append(
                    f"{_listed(parts, files)}: all hold {system}'s labels of the same rows "
                    f"({kind}); score one of them, or tell their judges apart with --as"
                )
                out.update(files)
        if not out:
            return parts, rows
        parts = [part for number, part in enumerate(parts) if number not in out]
    return [], pd.DataFrame()


def _shared(rows: pd.DataFrame) -> Iterator[tuple[str, str, list[int], int, int]]:
    """Find systems whose labels for one task and track are spread over several files.

    Yields:
        System, task with track, files, items that are in more than one of them, and all items.
    """
    for (system, task, track), group in rows.groupby(["system", "task", "track"], sort=False):
        counts = group.groupby(["key", "file"]).size().unstack(fill_value=0)
        if counts.shape[1] > 1:
            twice = int((counts.gt(0).sum(axis=1) > 1).sum())
            files = [int(number) for number in counts.columns]
            yield str(system), f"{task} {track}", files, twice, len(counts)


def _listed(parts: Sequence[Part], files: Iterable[int]) -> str:
    return ", ".join(short(parts[number][0].path) for number in files)


def notes_on(rows: pd.DataFrame, parts: Sequence[Part]) -> Iterator[str]:
    """Note what a reader of the scores should know about the parts."""
    files = [source for source, _ in parts]
    yield from _repeats(rows, files)
    for system, kind, numbers, twice, _ in _shared(rows):
        if twice:
            where = _listed(parts, numbers)
            yield f"{system}, {kind}: {twice} items occur in more than one of {where}"
    yield from _spellings(files)


def _spellings(files: Iterable[LabelledSource]) -> Iterator[str]:
    """Name judges read from file names that may be one, as `gemma` and `gemma2_27b`."""
    judges = {each.judge for each in files if each.by.get("judge") == "name"}
    squeezed = {judge: regex.sub(r"[^\p{L}\p{M}\p{N}]", "", judge) for judge in judges}
    families: list[list[str]] = []
    # In this order, those that begin with another's letters and digits follow it.
    for judge in sorted(judges, key=lambda judge: (squeezed[judge], judge)):
        if families and squeezed[judge].startswith(squeezed[families[-1][0]]):
            families[-1].append(judge)
        else:
            families.append([judge])
    for family in families:
        if len(family) > 1:
            yield (
                f"judges {', '.join(family)} are read from names of files; if they are one, join "
                "them with --assign"
            )


def _systems(rows: pd.DataFrame) -> pd.Series:
    """Name the systems compared: a judge, with its prompt if it used several on one task."""
    prompts = rows.groupby(["judge", "task"], sort=False)["prompt"].nunique()
    several = set(prompts[prompts > 1].index.get_level_values("judge"))
    style = (
        rows["prompt"].str.partition(".")[2].where(rows["prompt"].str.contains(".", regex=False))
    )
    style = style.fillna(rows["prompt"]).replace("", "prompt not recorded")
    return rows["judge"].where(~rows["judge"].isin(several), rows["judge"] + " (" + style + ")")


def _repeats(rows: pd.DataFrame, files: Sequence[LabelledSource]) -> Iterator[str]:
    """Note files that may hold each row several times because a script appended to them."""
    repeated = rows.duplicated(["file", "key", "pattern"]).groupby(rows["file"]).sum()
    for file, count in zip(files, repeated, strict=True):
        # Files with a run record hold each row of their input once.
        if not file.record and count > _FEW_REPEATS * file.rows:
            yield (
                f"{short(file.path)}: {count:,} of {file.rows:,} rows repeat an item of the same "
                "file; was it appended to twice?"
            )
