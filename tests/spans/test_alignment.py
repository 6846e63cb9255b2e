"""Marks in a copy fall on the same words of the raw answer, however the copy is written."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
import regex
from hypothesis import assume, given
from hypothesis import strategies as st

from banglahallueval.spans.alignment import UnalignedError, align, locate
from banglahallueval.spans.comparable import Comparable
from banglahallueval.spans.tags import read_tagged, tagged
from banglahallueval.spans.types import Span
from banglahallueval.text.digits import TO_ASCII, TO_BENGALI

WORDS = (
    "বড\u09bc", "বা\u09dcি", "সময\u09bc", "হ\u09df", "ক\u09c7\u09beন", "ঢাকা", "ঢাকায়", "না",
    "১৯৭১", "2024", "৩.১৪", "র‌্যাব", "Dhaka", "ক্ষতি", "👍🏽", "“কথা”", "café", "ISO-8859",
)  # fmt: skip


FORMS: tuple[Literal["NFC", "NFD"] | None, ...] = ("NFC", "NFD", None)


@st.composite
def marked_answers(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    """An answer of words, and places of some words in it, none next to another."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
    spaces = draw(st.lists(st.sampled_from([" ", "\n", "  "]), min_size=12, max_size=12))
    answer, places = "", []
    for word, space in zip(words, spaces, strict=False):
        places.append((len(answer), len(answer) + len(word)))
        answer += word + space
    chosen = draw(st.sets(st.integers(0, len(places) - 1), max_size=4))
    kept = [place for i, place in enumerate(places) if i in chosen and i - 1 not in chosen]
    return answer + draw(st.sampled_from(["", "।", ".", " ।"])), kept


@st.composite
def rewritings(draw: st.DrawFn, text: str) -> str:
    """The same text in another normal form, case, digits, quotes and spacing; tags unharmed."""
    form = draw(st.sampled_from(FORMS))
    digits = draw(st.sampled_from([TO_ASCII, TO_BENGALI, {}]))
    quotes = draw(st.sampled_from([str.maketrans("“”", '""'), {}]))
    blank = draw(st.sampled_from([" ", "\n", "\u00a0", " \n "]))
    parts = []
    for part in regex.split(r"(\[/?HAL\])", text):
        if part not in ("[HAL]", "[/HAL]"):
            part = unicodedata.normalize(form, part) if form else part
            part = regex.sub(r"\s+", blank, part.translate(digits).translate(quotes))
            part = part.upper() if draw(st.booleans()) else part
            part = part.replace("\u200c", "") if draw(st.booleans()) else part
            part = part.replace("।", draw(st.sampled_from(["।", ".", "", " ।"])))
        parts.append(part)
    return "".join(parts)


def carried(copy: str, answer: str) -> tuple[Span, ...]:
    plain, marks = read_tagged(copy, "here")
    return align(Comparable.of(plain), marks, Comparable.of(answer))


@given(marked_answers(), st.data())
def test_marks_fall_on_the_same_words(
    marked: tuple[str, list[tuple[int, int]]], data: st.DataObject
) -> None:
    """Spacing, normal form, case, digits, quotes and closing marks move no span."""
    answer, places = marked
    assume(regex.search(r"\p{L}|\p{N}", answer))  # signs alone must be the same
    copy = data.draw(rewritings(tagged(answer, places)))
    assert carried(copy, answer) == tuple(places)


@given(st.text(max_size=40), st.text(max_size=40), st.data())
def test_spans_lie_in_the_answer(answer: str, copy: str, data: st.DataObject) -> None:
    """Whatever a copy is: an error, or sorted, disjoint, non-empty spans within the answer."""
    ends = st.integers(0, len(copy))
    marks = [tuple(sorted(pair)) for pair in data.draw(st.lists(st.tuples(ends, ends), max_size=3))]
    try:
        spans = align(Comparable.of(copy), marks, Comparable.of(answer))  # type: ignore[arg-type]
    except UnalignedError:
        return
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(set(edges))
    assert all(0 <= edge <= len(answer) for edge in edges)


@given(marked_answers())
def test_quotes_are_found_where_they_stand(marked: tuple[str, list[tuple[int, int]]]) -> None:
    """Each quote has the text of one of its occurrences."""
    answer, places = marked
    quotes = [answer[start:end] for start, end in places]
    found = locate(quotes, Comparable.of(answer))
    assert {answer[start:end] for start, end in found} <= set(quotes)
    assert len(found) == len(places)


@pytest.mark.parametrize(
    ("answer", "copy"),
    [
        ("১৯৭১", "১৯৭২"),
        ("৩.১৪", "৩১৪"),
        ("এটি ৫ টাকা", "এটি টাকা"),
        ("It is red.", "It is not red."),
        ("It is not red.", "It is red."),
        ("বাংলাদেশের রাজধানী ঢাকা", "না বাংলাদেশের রাজধানী ঢাকা"),
        ("বাংলাদেশের বৃহত্তম শহর ঢাকা নগরী বলে পরিচিত", "বাংলাদেশের বৃহত্তম শহর খুলনা নগরী বলে পরিচিত"),
        ("ঢাকা", ""),
        ("?", "!"),
        ("ঢাকা বাংলাদেশের রাজধানী", "ঢাকা বাংলাদেশের"),
    ],
)
def test_changed_words_and_numbers_are_no_copy(answer: str, copy: str) -> None:
    """A model that corrects an answer instead of marking it has not said that it is right."""
    with pytest.raises(UnalignedError, match="changed the answer"):
        carried(copy, answer)


@pytest.mark.parametrize("is_marked", [False, True])
@pytest.mark.parametrize(
    ("answer", "copy"),
    [
        ("-5", "5"),
        ("-৫ ডিগ্রি", "৫ ডিগ্রি"),
        ("5%", "5"),
        ("5°C", "5 C"),
        (".5", "5"),
        ("x < y", "x > y"),
        ("€5", "$5"),
        ("৳৫০০", "৫০০"),
        ("a - b", "a + b"),
        ("a - b", "a b"),
        ("a * b", "a b"),
    ],
)
def test_signs_and_operators_are_part_of_a_number(answer: str, copy: str, is_marked: bool) -> None:
    """Fault: they were punctuation, which a copy may change."""
    for one, other in ((answer, copy), (copy, answer)):
        with pytest.raises(UnalignedError, match="changed the answer"):
            carried(f"[HAL]{one}[/HAL]" if is_marked else one, other)


@pytest.mark.parametrize(
    ("answer", "copy"), [("ISO-8859", "ISO 8859"), ("–5", "-5"), ("- a\n- b", "* a\n* b")]
)
def test_hyphens_in_words_and_bullets_are_punctuation(answer: str, copy: str) -> None:
    assert carried(copy, answer) == ()


def test_a_mark_of_a_number_has_its_sign() -> None:
    """A minus between two numbers is none."""
    assert carried("it is -[HAL]5[/HAL] C", "it is -5 C") == (Span(6, 8),)
    assert locate(["5"], Comparable.of("it is -5 C")) == (Span(6, 8),)
    assert carried("1-[HAL]5[/HAL]", "1-5") == (Span(2, 3),)
    assert carried("1 - [HAL]5[/HAL]", "1 - 5") == (Span(4, 5),)


@pytest.mark.parametrize("copy", ["ঢাকা বাংলাদেশের রাজধনী", "ঢাকা বাংলাদেশর রাজধানী"])
def test_a_misprint_in_a_long_word_is_tolerated(copy: str) -> None:
    """One letter of twenty, and a quarter of a word."""
    assert carried(f"[HAL]{copy[:4]}[/HAL]{copy[4:]}", "ঢাকা বাংলাদেশের রাজধানী") == (Span(0, 4),)


def test_a_repeated_quote_is_the_next_occurrence() -> None:
    answer = Comparable.of("ঢাকা না, ঢাকা")
    assert locate(["ঢাকা", "ঢাকা"], answer) == (Span(0, 4), Span(9, 13))
    assert locate(["ঢাকা"] * 3, answer) == (Span(0, 4), Span(9, 13))


def test_a_quote_is_whole_words_where_there_are_such() -> None:
    """Else it may be a part of a word, but not of a number."""
    assert locate(["ঢাকা"], Comparable.of("ঢাকার না, ঢাকা")) == (Span(10, 14),)
    assert locate(["ঢাকা"], Comparable.of("ঢাকার")) == (Span(0, 4),)
    with pytest.raises(UnalignedError, match="not in the answer"):
        locate(["19"], Comparable.of("in 1915"))


def test_a_quote_with_a_misprint_is_found() -> None:
    answer = "The capital of Bangladesh is Chittagong, in the south."
    (span,) = locate(["capital of Bangladsh is Chittagong"], Comparable.of(answer))
    assert answer[slice(*span)] == "capital of Bangladesh is Chittagong"


@pytest.mark.parametrize("quote", ["খুলনা", "", "?!", "capital of India is Chittagong"])
def test_a_quote_of_other_words_is_none(quote: str) -> None:
    with pytest.raises(UnalignedError, match="not in the answer"):
        locate([quote], Comparable.of("The capital of Bangladesh is Chittagong"))


def test_a_mark_around_nothing_is_none() -> None:
    with pytest.raises(UnalignedError, match="not in the answer"):
        align(Comparable.of("ঢাকা  না"), [(5, 6)], Comparable.of("ঢাকা না"))
