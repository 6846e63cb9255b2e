"""Answers with their spans as HTML: text stays text, and letters stay whole."""

from __future__ import annotations

from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.spans.evaluation.coloured import LEGEND, answers_markup, marked_text
from banglahallueval.spans.types import Span
from tests.spans.making import TRICKY

HOSTILE = "</p><script>window.hacked = 1</script><img src=x onerror='hacked=1'>&amp;"


class Reader(HTMLParser):
    """Collects the text of a page, its tags, and what each kind of mark holds."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: set[str] = set()
        self.marks: list[tuple[str, str]] = []
        self._open = ""
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "mark":
            self._open = dict(attrs)["class"] or ""
            self.marks.append((self._open, ""))

    def handle_endtag(self, tag: str) -> None:
        self._open = "" if tag == "mark" else self._open

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._open:
            self.marks[-1] = (self._open, self.marks[-1][1] + data)


def entry(key: str, iou: float, spans: list[list[int]], **more: Any) -> dict[str, Any]:
    """An answer as the JSON of an evaluation has it."""
    return {
        "id": key,
        "language": "bn",
        "model": "",
        "question": "",
        "evidence": "",
        "answer": "ঢাকা শহর",
        "spans": [[0, 4]],
        "found": {"it": {"spans": spans, "iou": iou, "ap": 0, "failure": ""}},
        **more,
    }


def page(*answers: Mapping[str, Any], cap: int = 300) -> str:
    return str(answers_markup(answers, "x.json", cap))


def test_what_is_found_missed_and_wrongly_marked_is_told_apart() -> None:
    read = Reader(marked_text("ঢাকা শহর বড়", [Span(0, 8)], [Span(5, 11)]))
    assert read.marks == [
        ("span-gold", "ঢাকা "),
        ("span-gold span-found", "শহর"),
        ("span-found", " বড়"),
    ]


@given(
    st.text(st.sampled_from("কষ্্াো়য\u200d👍🏽<&>'\" a"), max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4),
)
def test_the_text_is_the_answer(
    answer: str, gold: list[tuple[int, int]], found: list[tuple[int, int]]
) -> None:
    """Whatever is marked: nothing lost, nothing twice, no markup of its own."""
    spans = [[Span(*sorted(span)) for span in side] for side in (gold, found)]
    read = Reader(marked_text(answer, *spans))
    assert read.text == answer
    assert read.tags <= {"mark"}


def test_a_letter_is_never_cut() -> None:
    """A span that covers only a vowel sign, or a half of য়, colours the whole letter."""
    for answer, span, letter in (("কি", (1, 2), "কি"), ("\u09af\u09bc", (0, 1), "\u09af\u09bc")):
        assert Reader(marked_text(answer, [Span(*span)], [])).marks == [("span-gold", letter)]
    at = TRICKY.index("\u200d")
    ((_, marked),) = Reader(marked_text(TRICKY, [], [Span(at, at + 1)])).marks
    assert marked == "ক্\u200dষ"


def test_texts_of_data_are_only_text() -> None:
    """Fault of a known demo: the text between spans was not escaped."""
    texts = dict.fromkeys(("id", "language", "model", "question", "evidence"), HOSTILE)
    found = {HOSTILE: {"spans": [[0, 6]], "iou": 0, "ap": 0, "failure": HOSTILE}}
    read = Reader(page(entry("a", 0, [], **texts, answer=HOSTILE, found=found)))
    assert not read.tags & {"script", "img"}
    assert read.text.count(HOSTILE) == 8


def test_the_worst_answers_come_first() -> None:
    """By IoU; of equal ones those with more wrong characters, then those without a result."""
    failed = {"it": {"spans": [], "iou": 0, "ap": 0, "failure": "cut off"}}
    read = Reader(
        page(
            entry("row-good", 1, [[0, 4]]),
            entry("row-failed", 0, [], found=failed),
            entry("row-missed", 0, []),
            entry("row-worse", 0, [[5, 8]]),
        )
    )
    places = [read.text.index(f"row-{key}") for key in ("worse", "missed", "failed", "good")]
    assert places == sorted(places)
    assert "no result: cut off" in read.text


def test_the_cap_is_divided_among_detectors() -> None:
    found = {name: {"spans": [], "iou": 0, "ap": 0, "failure": ""} for name in ("one", "two")}
    html = page(*(entry(str(n), 0, [], found=found) for n in range(10)), cap=6)
    assert html.count("<article") == 6
    assert "one: the 3 answers with the lowest IoU, of 10" in html


def test_the_legend_says_it_in_words() -> None:
    text = Reader(LEGEND).text
    assert "underlined only: hallucinated, and missed" in text
    assert "coloured only: marked by the detector, and not hallucinated" in text


def test_spans_outside_the_answer_are_refused() -> None:
    with pytest.raises(UsageError, match=r"x\.json, answer 'a': the span"):
        page(entry("a", 0, [[0, 99]]))


def test_nothing_is_shown_of_no_detector() -> None:
    assert page() == ""
    assert page(entry("a", 0, [], found={})) == ""
