"""Draw a sample from a pool, and arrange it in the order it is shown."""

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
# Not a name, for a pattern or a model may have any.
_GOLD = None


@dataclass(frozen=True, slots=True)
class Design:
    """A sampling design.

    Attributes:
        candidates: Number of candidates, divided evenly among the patterns (or models).
        gold: Number of gold rows.
        seed: Seed of every random choice, from 0.
        fill: Whether to complete the sample with unmatched rows where there are too few matches.
        several_per_source: Whether items may share their evidence.
    """

    candidates: int
    gold: int
    seed: int
    fill: bool = False
    several_per_source: bool = False


@dataclass
class Sample:
    """A sample of one form.

    Attributes:
        entries: The entries, in the order they are shown.
        matched: Number of them in matched sets.
        shortfalls: Number missing, by stratum; that of gold is `gold`.
    """

    entries: list[Entry]
    matched: int
    shortfalls: dict[str, int] = field(default_factory=dict)


def draw(pool: Pool, design: Design, excluded_sources: frozenset[bytes] = frozenset()) -> Sample:
    """Draw a sample of one form, stratified by track and pattern.

    Where both tracks are drawn, they come in matched sets: a gold row and its share of each
    pattern, with similar surface features, so that these do not reveal the track. Where the pool
    holds too few matches, the sample is smaller, unless `fill` completes it.

    Args:
        pool: What to draw from.
        design: The sampling design.
        excluded_sources: Sources that must not occur, for they are in another form's sample.
    """
    # The form's name is part of the seed: no two forms share a shuffle.
    rng = np.random.default_rng([design.seed, *pool.form.name.encode()])
    entries = [entry for entry in pool.entries if entry.source not in excluded_sources]
    shuffled = [entries[at] for at in rng.permutation(len(entries))]
    sampler = _Sampler(pool.form, shuffled, design)
    mixes_tracks = design.gold > 0 and design.candidates > 0
    if mixes_tracks:
        sampler.draw_matched_sets()
    matched = len(sampler.drawn)
    if design.fill or not mixes_tracks:
        sampler.draw_unmatched()
    return Sample(arrange(sampler.drawn, rng), matched, sampler.shortfalls())


class _Sampler:
    """Draws entries from a shuffled pool, without replacement."""

    def __init__(self, form: Form, entries: Sequence[Entry], design: Design) -> None:
        self.drawn: list[Entry] = []
        self._form = form
        self._design = design
        self._entries = entries
        self._available: defaultdict[str | None, list[int]] = defaultdict(list)
        for at, entry in enumerate(entries):
            self._available[_stratum(entry)].append(at)
        self._patterns = sorted(name for name in self._available if name is not _GOLD)
        self._targets: Counter[str | None] = Counter({_GOLD: design.gold})
        for number, pattern in enumerate(self._patterns or ["items"]):
            each, extra = divmod(design.candidates, max(1, len(self._patterns)))
            self._targets[pattern] = each + (number < extra)
        self._used_sources: set[bytes] = set()

    def draw_matched_sets(self) -> None:
        """Draw sets of a gold row and its share of each pattern, all of similar propensity."""
        is_gold = np.array([entry.track == "main" for entry in self._entries])
        if not is_gold.any() or is_gold.all():
            return
        features = [
            surface_features.item_features(self._form, entry.texts) for entry in self._entries
        ]
        scores = surface_features.propensities(np.array(features), ~is_gold, self._design.seed)
        variance = (scores[is_gold].var() + scores[~is_gold].var()) / 2
        caliper = _CALIPER * float(np.sqrt(variance))
        log_odds: list[float] = scores.tolist()
        shares = self._pattern_shares()
        share, number = next(shares, None), 0
        for gold in list(self._available[_GOLD]):
            if share is None:
                return
            members = self._matched_set(gold, share, log_odds, caliper)
            if members:
                for member in members:
                    self._take(member, number)
                share, number = next(shares, None), number + 1

    def _matched_set(
        self, gold: int, share: Counter[str], log_odds: Sequence[float], caliper: float
    ) -> list[int]:
        """Match a gold row; returns the set's positions, empty where a pattern has too few."""
        if self._is_used(gold):
            return []
        members, sources = [gold], {self._entries[gold].source}
        for pattern in self._patterns:
            missing = share[pattern]
            for at in self._available[pattern]:
                if not missing:
                    break
                source = self._entries[at].source
                is_new = self._design.several_per_source or source not in sources
                is_similar = abs(log_odds[at] - log_odds[gold]) <= caliper
                if is_similar and is_new and not self._is_used(at):
                    members.append(at)
                    sources.add(source)
                    missing -= 1
            if missing:
                return []
        return members

    def _pattern_shares(self) -> Iterator[Counter[str]]:
        """Yield the number of rows of each pattern in the first set, the second, and so on."""
        gold = self._design.gold
        for number in range(gold):
            yield Counter(
                {
                    pattern: (number + 1) * self._targets[pattern] // gold
                    - number * self._targets[pattern] // gold
                    for pattern in self._patterns
                }
            )

    def draw_unmatched(self) -> None:
        """Draw what is still missing, whatever its surface features."""
        missing = self._missing()
        # The scarcest first, while there are unused sources.
        for stratum in sorted(missing, key=lambda name: len(self._available[name])):
            for at in list(self._available[stratum]):
                if not missing[stratum]:
                    break
                if not self._is_used(at):
                    self._take(at)
                    missing[stratum] -= 1

    def shortfalls(self) -> dict[str, int]:
        """Count the entries missing, by the stratum's name."""
        shortfalls: Counter[str] = Counter()
        for stratum, count in self._missing().items():
            shortfalls["gold" if stratum is _GOLD else stratum] += count
        return dict(shortfalls)

    def _missing(self) -> dict[str | None, int]:
        drawn = Counter(_stratum(entry) for entry in self.drawn)
        return {name: n - drawn[name] for name, n in self._targets.items() if n > drawn[name]}

    def _is_used(self, at: int) -> bool:
        if self._design.several_per_source:
            return False
        return self._entries[at].source in self._used_sources

    def _take(self, at: int, matched_set: int | None = None) -> None:
        entry = self._entries[at]
        self._available[_stratum(entry)].remove(at)
        self._used_sources.add(entry.source)
        self.drawn.append(replace(entry, matched_set=matched_set))


def _stratum(entry: Entry) -> str | None:
    return _GOLD if entry.track == "main" else entry.stratum


def arrange(entries: Sequence[Entry], rng: np.random.Generator) -> list[Entry]:
    """Shuffle so that no two neighbours share a source, as far as that is possible."""
    waiting: dict[bytes, list[Entry]] = defaultdict(list)
    for at in rng.permutation(len(entries)):
        waiting[entries[at].source].append(entries[at])
    order: list[Entry] = []
    last: bytes | None = None
    for left in range(len(entries), 0, -1):
        choices = [source for source in waiting if source != last] or [*waiting]
        # A source with more than half of what is left must come now, or it will follow itself.
        largest = max(choices, key=lambda source: len(waiting[source]))
        if len(waiting[largest]) * 2 > left:
            last = largest
        else:
            weights = np.array([len(waiting[source]) for source in choices], dtype=float)
            last = choices[int(rng.choice(len(choices), p=weights / weights.sum()))]
        order.append(waiting[last].pop())
        if not waiting[last]:
            del waiting[last]
    return order
