"""Replies in many wordings with their right readings; several where a careful reader may differ."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from banglahallueval.models.types import Reply
from banglahallueval.vision.discriminative.naming import read_type
from banglahallueval.vision.discriminative.reading import read_answer
from banglahallueval.vision.generative.naming import read_types
from banglahallueval.vision.generative.reading import (
    read_description,
    read_verdict,
    supplied_description,
)
from banglahallueval.vision.generative.types import Description


def _rows() -> list[tuple[str, str, str]]:
    rows = []
    for line in Path(__file__).with_name("replies.tsv").read_text("utf-8").splitlines():
        kind, right, text = line.split("\t")
        rows.append((kind, right, text.replace("\\n", "\n")))
    return rows


def _kept(found: Description) -> str:
    return "kept" if found.text else found.reason


def _reading(kind: str, text: str) -> str:
    """Read a reply as one of its kind; `!` flags a conflict."""
    reply = Reply(text)
    if kind == "answer":
        answer = read_answer(reply, is_cot=False)
        return answer.label + "!" * answer.conflicts
    if kind == "verdict":
        hallucinates, _ = read_verdict(reply)
        return "unknown" if hallucinates is None else "yes" if hallucinates else "no"
    if kind == "type":
        return read_type(reply, is_cot=False).label
    if kind == "types":
        types, _ = read_types(reply)
        return " ".join(sorted(types)) or "unknown"
    if kind == "description":
        return _kept(read_description(reply, labelled=False))
    return _kept(supplied_description(text))


@pytest.mark.parametrize(("kind", "right", "text"), _rows())
def test_replies_are_read_as_they_are_meant(kind: str, right: str, text: str) -> None:
    assert _reading(kind, text) in right.split("|")


_LENGTHS = (2_000, 8_000)


@pytest.mark.parametrize("kind", ["answer", "verdict", "type", "types", "description", "supplied"])
@pytest.mark.parametrize(
    "piece",
    [
        "not object or ",
        "the object is right; ",
        "I can not confirm that ",
        "it is not true that ",
        "a dog that is not ",
        "যা ছবিতে ",
        "without the picture ",
        "You share the picture, but it shows ",
        'no "errors" in the ',
        "object: no\n",
        "বস্তু নয়, ",
        "[[((",
        "aaaa",
    ],
)
def test_reading_takes_time_in_proportion_to_the_length(kind: str, piece: str) -> None:
    _reading(kind, piece * 100)  # compiles what is compiled once
    short, long = (min(_timed(kind, piece * (n // len(piece))) for _ in range(2)) for n in _LENGTHS)
    assert long < 10 * short + 0.2


def _timed(kind: str, text: str) -> float:
    begun = time.process_time()
    _reading(kind, text)
    return time.process_time() - begun
