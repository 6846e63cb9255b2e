"""Comparing a key with all others at once finds what comparing one by one finds."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz, process

from banglahallueval.judges.evidence import close_keys
from banglahallueval.judges.evidence.close_keys import CloseKeys


def one_by_one(key: str, keys: list[str]) -> tuple[str, float] | None:
    found = process.extractOne(key, keys, scorer=fuzz.ratio, score_cutoff=84)
    return (found[0], found[1]) if found else None


def misspelt(key: str, rng: Random) -> str:
    letters = list(key)
    for _ in range(rng.randint(0, len(key) // 3)):
        at = rng.randrange(len(letters) + 1)
        letters[at : at + rng.randint(0, 1)] = rng.choice(["", "k", "t", "e"])
    return "".join(letters)


@pytest.fixture
def all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(close_keys, "_ONE_BY_ONE", -1)


@pytest.mark.usefixtures("all_at_once")
@pytest.mark.parametrize("longest", [6, 9, 20, 40, 100])
@pytest.mark.parametrize("letters", ["kte", "kgtrlmnsbpdjciue"])
def test_both_ways_find_the_same_key(letters: str, longest: int) -> None:
    """The closest key, the first of equals, and its ratio agree for keys of every length."""
    rng = Random(longest)
    words = ["".join(rng.choices(letters, k=rng.randint(4, longest))) for _ in range(40)]
    keys = list(dict.fromkeys(misspelt(rng.choice(words), rng) for _ in range(300)))
    index = CloseKeys(keys)
    found = 0
    for _ in range(200):
        key = misspelt(rng.choice(words), rng)
        assert index.closest(key) == one_by_one(key, keys)
        found += index.closest(key) is not None
    assert found


def test_many_keys_are_not_compared_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many keys or many look-ups, the comparisons made one by one stay few."""
    compared = 0

    def count(key: str, choices: list[str], **options: Any) -> None:
        nonlocal compared
        compared += len(choices)

    monkeypatch.setattr(process, "extractOne", count)
    rng = Random(1)
    keys = ["".join(rng.choices("kgtrlmnsbpdjciue", k=12)) for _ in range(4000)]
    index = CloseKeys(keys[:2000])
    for key in keys[2000:]:
        index.closest(key)
    assert compared < 60_000


@given(
    st.lists(st.text(min_size=1, max_size=70), min_size=1, max_size=20, unique=True),
    st.text(max_size=120),
)
@settings(deadline=None)
def test_any_script_is_compared(keys: list[str], key: str) -> None:
    """Keys of any letters, rare ones too, are compared."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(close_keys, "_ONE_BY_ONE", -1)
        assert CloseKeys(keys).closest(key) == one_by_one(key, keys)
