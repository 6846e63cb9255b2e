"""Krippendorff's alpha for unitizing: his own example, and cases worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.annotation.unitizing import disagreement
from banglahallueval.text.spans import Place

# Krippendorff (1995), page 57: four pairs of observers on a continuum of 24.
EXAMPLE = {
    "A": ([(2, 10), (14, 20)], [(4, 8), (15, 17)]),
    "B": ([(0, 18)], [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 9), (9, 10)]),
    "C": (
        [(2, 8), (10, 12), (14, 18), (20, 22)],
        [(0, 2), (4, 8), (10, 14), (16, 18), (20, 22)],
    ),
    "D": (
        [(0, 2), (2, 10), (10, 14), (14, 20), (20, 24)],
        [(0, 4), (4, 8), (8, 15), (15, 17), (17, 24)],
    ),
}


def alpha(markings: list[list[Place]], length: int) -> float:
    found = disagreement(markings, length)
    return 1 - found.observed / found.expected


def stretched(units: list[Place], factor: int) -> list[Place]:
    return [(start * factor, end * factor) for start, end in units]


@pytest.mark.parametrize(
    ("pair", "observed", "published"),
    [("A", 0.03125, 0.553), ("B", 2.26736, -0.926), ("D", 0.38715, 0.066)],
)
def test_the_published_example(pair: str, observed: float, published: float) -> None:
    """Its alphas are those of a continuum so finely divided that its grain no longer counts."""
    first, second = EXAMPLE[pair]
    assert disagreement([first, second], 24).observed == pytest.approx(observed, abs=1e-5)
    fine = [stretched(first, 50_000), stretched(second, 50_000)]
    assert alpha(fine, 24 * 50_000) == pytest.approx(published, abs=0.003)


def test_the_published_example_on_a_short_continuum() -> None:
    """Its third pair on a continuum of 12: D_o = 0.02777, D_e = 0.05494, alpha = 0.494."""
    halves = [[(start // 2, end // 2) for start, end in units] for units in EXAMPLE["C"]]
    found = disagreement(halves, 12)
    assert found.observed == pytest.approx(1 / 36)
    assert found.expected == pytest.approx(0.05494, abs=1e-5)
    assert alpha(halves, 12) == pytest.approx(0.494, abs=1e-3)


def test_halves_that_never_meet_by_hand() -> None:
    """L = 4, [0, 2) against [2, 4): D_o = 4·4 / (2·16) = 1/2.

    Each unit of 2 meets the other one (16 - 12 + 2) / 3 = 2 and fits once into each of two gaps of
    2, 4 + 4; D_e = 2/4 · 2·10 / (8·7 - 2 - 2) = 10/52, and alpha = 1 - 26/10 = -1.6.
    """
    found = disagreement([[(0, 2)], [(2, 4)]], 4)
    assert found == pytest.approx((1 / 2, 10 / 52))
    assert alpha([[(0, 2)], [(2, 4)]], 4) == pytest.approx(-1.6)


def test_a_unit_that_only_one_observer_sees_by_hand() -> None:
    """L = 5, [1, 3) against nothing: D_o = 2·4 / (2·25) = 4/25.

    The unit of 2 fits into gaps of 2 and 5 once and four times; of 1 not at all: D_e = 2/5 · 4·5 /
    (10·9 - 2) = 1/11.
    """
    assert disagreement([[(1, 3)], []], 5) == pytest.approx((4 / 25, 1 / 11))


def test_three_observers_by_hand() -> None:
    """L = 3, [0, 1), [0, 1) and [0, 2): two pairs differ by (2 - 1)² in their ends.

    D_o = 2·2 / (3·2·9) = 2/27. Units of 1 meet no other (2 - 3 + 1 = 0), gaps 2, 2, 1 take them 2,
    2 and 1 times: 5 each. The unit of 2 meets two others 2·(16 - 12 + 2)/3 = 4 and fits twice: 8.
    D_e = 2/3 · 22 / (9·8 - 2) = 22/105.
    """
    found = disagreement([[(0, 1)], [(0, 1)], [(0, 2)]], 3)
    assert found == pytest.approx((2 / 27, 22 / 105))


def test_no_units_no_disagreement() -> None:
    assert disagreement([[], []], 7) == (0, 0)


@settings(deadline=None)
@given(st.sets(st.integers(0, 12), min_size=2, max_size=8).map(sorted), st.integers(2, 4))
def test_perfect_agreement_is_1(ends: list[int], observers: int) -> None:
    units = list(zip(ends[::2], ends[1::2], strict=False))
    found = disagreement([units] * observers, 13)
    assert found.observed == 0
    assert found.expected > 0
