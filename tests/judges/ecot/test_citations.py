"""A citation stands in the evidence word for word, or it is none."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.ecot.citations import Citation, find
from banglahallueval.text.normalise import for_quotation

EVIDENCE = "ঢাকা  বাংলাদেশের\nরাজধানী। ১৯৭১ সালে “পা\u09dcার” বা\u09dcি-ঘর ছিল; Dhaka\u200c শহর।"


def found(*pieces: str) -> list[str] | None:
    citation = find(pieces, {"context": EVIDENCE})
    return None if citation is None else [EVIDENCE[start:end] for start, end in citation.spans]


@pytest.mark.parametrize(
    ("cited", "raw"),
    [
        ("ঢাকা বাংলাদেশের রাজধানী", "ঢাকা  বাংলাদেশের\nরাজধানী"),
        ("  “ঢাকা বাংলাদেশের রাজধানী।”", "ঢাকা  বাংলাদেশের\nরাজধানী"),
        ("1971 সালে", "১৯৭১ সালে"),
        ('"পাড\u09bcার" বাড\u09bcি–ঘর', "পা\u09dcার” বা\u09dcি-ঘর"),
        ("dhaka শহর", "Dhaka\u200c শহর"),
    ],
)
def test_spellings_that_mean_the_same_words(cited: str, raw: str) -> None:
    """White space, quotes, digits, dashes, case, joiners and both forms of ড় do not matter."""
    assert found(cited) == [raw]


@pytest.mark.parametrize(
    "cited",
    ["ঢাকা শহর", "ঢাক", "রাজধান", "971", "চট্টগ্রাম", "রাজধানী ঢাকা", "", "।", "…", "ঢাকা রাজধানী"],
)
def test_what_is_not_there_word_for_word(cited: str) -> None:
    """Other words, another order, words left out silently, or a part of a word is no citation."""
    assert found(cited) is None


def test_an_ellipsis_leaves_words_out() -> None:
    """Pieces around an ellipsis, or given one by one, are found in their order only."""
    assert found("ঢাকা … ১৯৭১ সালে") == ["ঢাকা", "১৯৭১ সালে"]
    assert found("ঢাকা", "শহর") == ["ঢাকা", "শহর"]
    assert found("১৯৭১ সালে ... ঢাকা") is None


def test_the_text_that_holds_it_is_named() -> None:
    """Of several texts the first that holds all of it counts; pieces do not mix."""
    texts = {"question": "ক খ", "evidence": "খ গ ঘ"}
    assert find(["খ"], texts) == Citation("question", ((2, 3),))
    assert find(["খ গ"], texts) == Citation("evidence", ((0, 3),))
    assert find(["ক … গ"], texts) is None


# A word begins with a letter: a lone mark would join the word before it.
WORDS = st.lists(
    st.builds(
        "{}{}".format,
        st.sampled_from("কখড়aঅ\u09dc\u09df"),
        st.text("কখগড়ঢ়য়়ািে্ঁ০১ab\u200d\u09dc\u09df", max_size=5),
    ),
    min_size=1,
)


@given(WORDS, st.data())
def test_offsets_lead_back_to_the_citation(words: list[str], data: st.DataObject) -> None:
    """Words copied from any place are found, and the raw text at the offsets says the same."""
    raw = " \n".join(words)
    start = data.draw(st.integers(0, len(words) - 1))
    cited = " ".join(words[start : data.draw(st.integers(start + 1, len(words)))])
    if not for_quotation(cited).text.strip():
        return
    citation = find([unicodedata.normalize("NFD", cited)], {"context": raw})
    assert citation is not None
    ((begin, end),) = citation.spans
    assert for_quotation(raw[begin:end]).text.strip() == for_quotation(cited).text.strip()
