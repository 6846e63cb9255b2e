"""Replies as models write them get the label that a careful reader gives them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

from banglahallueval.models.types import Reply
from banglahallueval.prompts import Style
from banglahallueval.verdicts import read_verdict

TABLE = Path(__file__).with_name("wild.tsv")


def rows() -> Iterator[tuple[Style, str, str]]:
    """The rows of the table, with line breaks put back."""
    for line in TABLE.read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("# "):
            style, right, reply = line.split("\t")
            yield cast("Style", style), right, reply.replace("⏎", "\n")


VARIANTS: dict[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "composed": lambda reply: unicodedata.normalize("NFC", reply),
    "decomposed": lambda reply: unicodedata.normalize("NFD", reply),
    "compatible": lambda reply: unicodedata.normalize("NFKD", reply),
    "in a block": "```\n{}\n```".format,
    "in a tag": "<div>{}</div>".format,
    "after thinking": "<think>maybe yes, maybe no</think>\n\n{}".format,
    "before an end": "{}</s>".format,
    "before a turn": "{}<|im_end|>\n<|im_start|>user\nyes or no? yes. no.".format,
    "among lines": "\n\n{}\n\n".format,
    "lines of Windows": lambda reply: reply.replace("\n", "\r\n"),
    "invisible marks": lambda reply: reply.replace(" ", " \u200b"),
    "hard spaces": lambda reply: reply.replace(" ", "\u00a0"),
    "wide spaces": lambda reply: reply.replace(" ", "  "),
    "typographic marks": lambda reply: reply.replace("'", "’"),
}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_variants_read_alike(variant: Callable[[str], str]) -> None:
    """Case, composition, spaces and what surrounds a reply change nothing in what it says."""
    for style, right, reply in rows():
        verdict = read_verdict(Reply(variant(reply)), style)
        assert (verdict.reason or verdict.label) == right, reply


@pytest.mark.parametrize(
    ("style", "right"), dict.fromkeys((style, right) for style, right, _ in rows())
)
def test_replies_in_the_wild_read_right(style: Style, right: str) -> None:
    """Each reply of the table gets its label, or is unknown for its reason."""
    replies = [reply for *kind, reply in rows() if kind == [style, right]]
    read = {reply: read_verdict(Reply(reply), style) for reply in replies}
    said = {reply: verdict.reason or verdict.label for reply, verdict in read.items()}
    assert {reply: label for reply, label in said.items() if label != right} == {}
