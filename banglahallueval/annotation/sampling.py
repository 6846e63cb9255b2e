"""Which rows are drawn, and in which order they are shown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from banglahallueval.annotation import surface_features
from banglahallueval.annotation.forms import Form
from banglahallueval.annotation.pool import Entry, Pool

# Austin 2011 (Pharmaceutical Statistics 10): match within 0.2 standard deviations of the log-odds.
_CALIPER = 0.2


@dataclass(frozen=True, slots=True)
class Design:
    """How to draw.

    Attributes:
        candidates: How many candidates, divided evenly among the patterns (or models).
        gold: How many gold rows.
        seed: Seed of every random choice.
        fill: Complete what no sets that look alike could be found for with any rows.
        several_per_source: Whether items may share their evidence.
    """

    candidates: int
    gold: int
    seed: int
    fill: bool = False
    several_per_source: bool = False


@dataclass
class Drawn:
    """A sample.

    Attributes:
        entries: In the order they are shown.
        matched: How many of them stand in sets that look alike.
        shortfalls: Stratum and how many of it are missing; gold's name is `gold`.
    """

    entries: list[Entry]
    matched: int
    shortfalls: dict[str, int] = field(default_factory=dict)


def draw(pool: Pool, design: Design, taken: frozenset[bytes] = frozenset()) -> Drawn:
    """Draw a sample of one form, stratified by track and pattern.

    Where both tracks are drawn, they come in sets of a gold row and its share of each pattern that
    look alike from outside, for a track that shows is not blind. Where the files hold too few such
    rows, the sample is smaller, unless `fill` completes it.

    Args:
        pool: What to draw from.
        design: How to draw.
        taken: Sources that must not occur, for another form has them.
    """
    # The form's name is part of the seed: no two forms share a shuffle.
    rng = np.random.default_rng([design.seed, *pool.form.name.encode()])
    entries = [entry for entry in pool.entries if entry.source not in taken]
    hand = _Hand(pool.form, [entries[at] for at in rng.permutation(len(entries))], design)
    mixes = design.gold > 0 and design.candidates > 0
    matched = hand.take_matched_sets() if mixes else 0
    if design.fill or not mixes:
        hand.take_any()
    return Drawn(arrange(hand.drawn, rng), matched, hand.shortfalls())


class _Hand:
    """The rows drawn so far, out of a shuffled pool."""

    def __init__(self, form: Form, entries: Sequence[Entry], design: Design) -> None:
        self._form = form
        self.design = design
        self.drawn: list[Entry] = []
        self._free: defaultdict[str, list[int]] = defaultdict(list)
        self._entries = entries
        for at, entry in enumerate(entries):
            self._free[_stratum(entry)].append(at)
        self.strata = sorted(self._free.keys() - {"gold"})
        self.wanted = Counter({"gold": design.gold})
        for number, stratum in enumerate(self.strata or ["items"]):
            each, extra = divmod(design.candidates, max(1, len(self.strata)))
            self.wanted[stratum] = each + (number < extra)
        self._used: set[bytes] = set()

    def take_matched_sets(self) -> int:
        """Draw sets of a gold row and its share of each pattern, all of one propensity."""
        gold = np.array([entry.track == "main" for entry in self._entries])
        if not gold.any() or gold.all():
            return 0
        values = [
            surface_features.item_features(self._form, entry.texts) for entry in self._entries
        ]
        fitted = surface_features.propensities(np.array(values), ~gold, self.design.seed)
        near = _CALIPER * float(np.sqrt((fitted[gold].var() + fitted[~gold].var()) / 2))
        scores: list[float] = fitted.tolist()
        shares = self._shares()
        share, sets = next(shares, None), 0
        for at in list(self._free["gold"]):
            if share is None:
                break
            if self._is_used(at):
                continue
            members = self._set_around(at, share, scores, near)
            if members:
                for member in members:
                    self._take(member, sets)
                share = next(shares, None)
                sets += 1
        return len(self.drawn)

    def _set_around(
        self, gold: int, share: Counter[str], scores: Sequence[float], near: float
    ) -> list[int]:
        members, sources = [gold], {self._entries[gold].source}
        for stratum in self.strata:
            missing = share[stratum]
            for at in self._free[stratum]:
                if not missing:
                    break
                source = self._entries[at].source
                fresh = self.design.several_per_source or source not in sources
                if abs(scores[at] - scores[gold]) <= near and fresh and not self._is_used(at):
                    members.append(at)
                    sources.add(source)
                    missing -= 1
            if missing:
                return []
        return members

    def _shares(self) -> Iterator[Counter[str]]:
        """How many of each pattern belong to the first gold row, the second, and so on."""
        gold = self.design.gold
        for number in range(gold):
            yield Counter(
                {
                    stratum: (number + 1) * self.wanted[stratum] // gold
                    - number * self.wanted[stratum] // gold
                    for stratum in self.strata
                }
            )

    def take_any(self) -> None:
        """Draw what is still wanted without regard to looks."""
        missing = self.shortfalls()
        # The scarcest first, so that they find sources still free.
        for stratum in sorted(missing, key=lambda name: len(self._free[name])):
            for at in list(self._free[stratum]):
                if not missing[stratum]:
                    break
                if not self._is_used(at):
                    self._take(at)
                    missing[stratum] -= 1

    def shortfalls(self) -> dict[str, int]:
        """What is wanted and not drawn, by stratum."""
        have = Counter(_stratum(entry) for entry in self.drawn)
        return {name: n - have[name] for name, n in self.wanted.items() if n > have[name]}

    def _is_used(self, at: int) -> bool:
        return not self.design.several_per_source and self._entries[at].source in self._used

    def _take(self, at: int, number: int | None = None) -> None:
        entry = self._entries[at]
        self._free[_stratum(entry)].remove(at)
        self._used.add(entry.source)
        self.drawn.append(replace(entry, set=number))


def _stratum(entry: Entry) -> str:
    return "gold" if entry.track == "main" else entry.stratum


def arrange(entries: Sequence[Entry], rng: np.random.Generator) -> list[Entry]:
    """Shuffle so that no two neighbours share a source, as far as that is possible."""
    waiting: dict[bytes, list[Entry]] = defaultdict(list)
    for at in rng.permutation(len(entries)):
        waiting[entries[at].source].append(entries[at])
    order: list[Entry] = []
    last: bytes | None = None
    for left in range(len(entries), 0, -1):
        free = [source for source in waiting if source != last] or [*waiting]
        # A source that makes up half of what is left must come now, or it will meet itself.
        most = max(free, key=lambda source: len(waiting[source]))
        if len(waiting[most]) * 2 > left:
            last = most
        else:
            weights = np.array([len(waiting[source]) for source in free], dtype=float)
            last = free[int(rng.choice(len(free), p=weights / weights.sum()))]
        order.append(waiting[last].pop())
        if not waiting[last]:
            del waiting[last]
    return order
