"""Samples: strata, matched sets, order, reproducibility."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.annotation.pool import Entry
from banglahallueval.annotation.sampling import Design, arrange, draw
from tests.annotation.pools import PATTERNS, qa_pool


def strata(entries: list[Entry]) -> Counter[str]:
    return Counter(entry.stratum or "gold" for entry in entries)


def test_strata_have_the_sizes_asked_for() -> None:
    """Gold, and every pattern its equal share, where the pool holds enough matches."""
    drawn = draw(qa_pool(), Design(candidates=80, gold=20, seed=42))
    assert strata(drawn.entries) == {"gold": 20, **dict.fromkeys(PATTERNS, 20)}
    assert drawn.shortfalls == {}
    assert drawn.matched == 100


def test_a_remainder_is_spread_over_patterns() -> None:
    """Sizes that do not divide evenly come out in full."""
    drawn = draw(qa_pool(), Design(candidates=10, gold=7, seed=42))
    assert strata(drawn.entries)["gold"] == 7
    assert sorted(strata(drawn.entries)[name] for name in PATTERNS) == [2, 2, 3, 3]


def test_no_two_items_share_a_source() -> None:
    """By default each passage occurs once in a sample."""
    drawn = draw(qa_pool(), Design(candidates=80, gold=20, seed=42))
    assert len({entry.source for entry in drawn.entries}) == 100


def test_several_per_source_never_stand_side_by_side() -> None:
    """With more items per source, neighbours still differ in their passage."""
    pool = qa_pool(sources=12)
    drawn = draw(pool, Design(48, 12, seed=42, fill=True, several_per_source=True))
    assert len(drawn.entries) == 60
    assert all(a.source != b.source for a, b in pairwise(drawn.entries))


def test_the_seed_alone_decides() -> None:
    """Equal seeds give equal samples in equal order; another seed gives another sample."""
    pool = qa_pool()
    first, again, other = (draw(pool, Design(40, 10, seed)).entries for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_each_form_has_its_own_shuffle() -> None:
    """QA and code-mixed sheets of one seed hold their tracks in different places.

    Regression: the published sheets shared one shuffle, so one sheet revealed the other's tracks.
    """
    orders = [
        [entry.track for entry in draw(qa_pool(form=name), Design(80, 20, seed=42)).entries]
        for name in ("qa", "codemix")
    ]
    assert orders[0] != orders[1]


def test_unmatched_rows_are_reported() -> None:
    """Without `fill`, too few matches make a smaller sample with its shortfalls listed."""
    pool = qa_pool(sources=30)
    drawn = draw(pool, Design(candidates=100, gold=25, seed=42))
    found = strata(drawn.entries)
    assert drawn.matched == len(drawn.entries) < 125
    assert drawn.shortfalls == {
        name: 25 - found[name] for name in ("gold", *PATTERNS) if found[name] < 25
    }


def test_fill_completes_the_sample() -> None:
    """With `fill`, only sources limit the size."""
    drawn = draw(qa_pool(sources=30), Design(candidates=20, gold=10, seed=42, fill=True))
    assert drawn.shortfalls == {}


def test_excluded_sources_are_not_drawn() -> None:
    """A form can exclude another's sources."""
    pool = qa_pool()
    excluded = frozenset(entry.source for entry in pool.entries[: len(pool.entries) // 2])
    drawn = draw(pool, Design(40, 10, seed=42), excluded)
    assert not excluded & {entry.source for entry in drawn.entries}


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(0, 5))
def test_neighbours_share_a_source_only_if_they_must(sources: list[int], seed: int) -> None:
    """Neighbours share a source only if one source has more than half of the items."""
    entries = [Entry({}, bytes([s]), "", None, str(n), "", n) for n, s in enumerate(sources)]
    order = arrange(entries, np.random.default_rng(seed))
    assert sorted(e.row for e in order) == list(range(len(entries)))
    if Counter(sources).most_common(1) and max(Counter(sources).values()) <= -(-len(sources) // 2):
        assert all(a.source != b.source for a, b in pairwise(order))
