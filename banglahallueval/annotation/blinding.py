"""Check that nothing but the texts' meaning reveals the track of a sheet's items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import fisher_exact

from banglahallueval.annotation.forms import FORMS
from banglahallueval.annotation.study import key_path, read_key, read_sheet, read_study, sheet_path
from banglahallueval.annotation.track_leak import TrackLeak, measure_leak
from banglahallueval.errors import UsageError
from banglahallueval.tasks import Track

_SAME_ORDER_P = 0.001
_GOLD_NAMES = frozenset({"main", "gold", "correct", "ground_truth", ""})


@dataclass(frozen=True, slots=True)
class KeyedSheet:
    """A sheet and the key to it.

    Attributes:
        name: What to call it in messages.
        sheet, key: The files.
    """

    name: str
    sheet: Path
    key: Path


@dataclass(frozen=True, slots=True)
class BlindingOptions:
    """What to check.

    Attributes:
        sheets: The sheets.
        seed: Seed of splits and permutations, from 0.
    """

    sheets: tuple[KeyedSheet, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class BlindingResult:
    """What the check found.

    Attributes:
        leaks: How well the tracks of each sheet can be told apart.
        shared_orders: Pairs of sheets of which one reveals the other's tracks.
    """

    leaks: tuple[TrackLeak, ...]
    shared_orders: tuple[SharedOrder, ...]

    @property
    def is_blind(self) -> bool:
        """Whether nothing was found to reveal a track."""
        return not self.shared_orders and all(leak.is_blind for leak in self.leaks)


@dataclass(frozen=True, slots=True)
class SharedOrder:
    """Two sheets whose items of one track stand in the same places.

    Attributes:
        first, second: The sheets.
        same: Share of places that hold the same track in both.
        p: Probability of at least that much overlap by chance (Fisher's exact test, one-sided).
    """

    first: str
    second: str
    same: float
    p: float


def sheets_of_study(folder: Path) -> tuple[KeyedSheet, ...]:
    """List the sheets of a study that mix tracks.

    Raises:
        UsageError: If the folder holds no study.
    """
    return tuple(
        KeyedSheet(form, sheet_path(folder, form), key_path(folder, form))
        for form in read_study(folder).digests
        if FORMS[form].task
    )


def check_blinding(options: BlindingOptions) -> BlindingResult:
    """Try to predict the tracks of each sheet, from its surface and from other sheets.

    Raises:
        UsageError: If a sheet or key cannot be read, or a key lacks an item of its sheet.
    """
    leaks = []
    track_orders = {}
    for each in options.sheets:
        sheet, key = read_sheet(each.sheet), read_key(each.key)
        tracks = read_tracks(key, each.key)
        missing = [blind_id for blind_id, _ in sheet.rows if blind_id not in tracks]
        if missing:
            raise UsageError(f"{each.key} has no {missing[0]!r}, which {each.sheet} has")
        leaks.append(measure_leak(sheet, tracks, read_matched_sets(key), options.seed))
        track_orders[each.name] = [tracks[blind_id] for blind_id, _ in sheet.rows]
    return BlindingResult(tuple(leaks), tuple(find_shared_orders(track_orders)))


def read_tracks(key: pd.DataFrame, path: Path) -> dict[str, Track]:
    """Read the track by blind id, from a key of ours or of the published study.

    Published keys have `split`, and a `hallucination_type` for candidates alone.

    Raises:
        UsageError: If the key has none of these columns.
    """
    column = next((name for name in ("track", "split", "hallucination_type") if name in key), None)
    if column is None:
        raise UsageError(
            f"{path} is not a key: it has none of the columns track, split and hallucination_type"
        )
    return {
        str(blind_id): "main" if cell.strip().casefold() in _GOLD_NAMES else "candidates"
        for blind_id, cell in key[column].items()
    }


def read_matched_sets(key: pd.DataFrame) -> dict[str, str]:
    """Read the matched set by blind id; empty where the key has none."""
    cells = key["set"].items() if "set" in key else ()
    return {str(blind_id): cell for blind_id, cell in cells if cell}


def find_shared_orders(track_orders: Mapping[str, Sequence[Track]]) -> list[SharedOrder]:
    """Find pairs of sheets whose track orders overlap more than chance explains.

    Args:
        track_orders: Tracks in the order of the sheet, by the sheet's name.
    """
    shared = []
    for (first, tracks), (second, others) in combinations(track_orders.items(), 2):
        pairs = list(zip(tracks, others, strict=False))
        table = [
            [pairs.count(("main", "main")), pairs.count(("main", "candidates"))],
            [pairs.count(("candidates", "main")), pairs.count(("candidates", "candidates"))],
        ]
        p = float(fisher_exact(np.array(table), alternative="greater")[1])
        if p < _SAME_ORDER_P:
            same = (table[0][0] + table[1][1]) / len(pairs)
            shared.append(SharedOrder(first, second, same, p))
    return shared
