"""Spans marked by a model that copies an answer with tags around what its passage contradicts."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator

import regex

from banglahallueval.errors import UsageError
from banglahallueval.prompts import fill, template
from banglahallueval.spans.building.languages import language_name
from banglahallueval.spans.building.step import Asking, Fields, Made, Step, UnusableError
from banglahallueval.spans.offsets import merge
from banglahallueval.spans.tags import read_tagged, tagged
from banglahallueval.spans.types import Span
from banglahallueval.text.bangla import answer_text

_CLUSTER = regex.compile(r"\X")
_SPARE_TOKENS = 200  # for tags


class Annotating(Step):
    """The step that marks spans; see `step.Step`."""

    name = "annotate"
    needs = ("language", "evidence", "question", "gold_answer", "answer")
    author = "annotator"
    adds = ("tagged", "spans")
    prompts = ("spans.annotate",)

    def __init__(self) -> None:
        """Load the prompt."""
        self._template = template("spans.annotate")

    def prompt(self, row: Fields) -> str:
        """Fill the prompt for an answer."""
        values = {
            "language": language_name(row["language"]),
            "context": row["evidence"],
            "question": row["question"],
            "gold": row["gold_answer"],
            "answer": row["answer"],
        }
        return fill(self._template, values)

    def budget(self, row: Fields) -> int:
        """Compute the reply budget; a code point of Bangla takes at most about one token."""
        return _SPARE_TOKENS + round(1.2 * len(row["answer"]))

    async def make(self, asking: Asking, row: Fields) -> Made:
        """Have the answer of a row copied with tags."""
        answer = row["answer"]
        spans = await asking.ask(
            self.prompt(row), lambda reply: read_copy(reply, answer), max_tokens=self.budget(row)
        )
        listed = json.dumps([list(span) for span in spans], separators=(",", ":"))
        return Made({"tagged": tagged(answer, spans), "spans": listed})


def read_copy(reply: str, answer: str) -> tuple[Span, ...]:
    """Find the spans that a model's copy of an answer marks; offsets are those of the answer.

    The copy may differ from the answer in its normal form and in the white space at its ends.

    Raises:
        UnusableError: If it is another text, or its tags are unbalanced, nested or around nothing.
    """
    copy = answer_text(reply)
    if not copy:
        raise UnusableError("empty", "it is empty")
    try:
        plain, spans = read_tagged(copy, "the copy")
    except UsageError as error:
        raise UnusableError("bad tags", str(error)) from None
    lead = len(answer) - len(answer.lstrip())
    plain_lead = len(plain) - len(plain.lstrip())
    ours, theirs = list(_clusters(answer.strip())), list(_clusters(plain.strip()))
    if [normal for *_, normal in ours] != [normal for *_, normal in theirs]:
        raise UnusableError(
            "misaligned", "without its tags it is not the answer; copy the answer letter by letter"
        )
    found = []
    for start, end in spans:
        covered = [
            ours[at][:2]
            for at, (first, last, _) in enumerate(theirs)
            if first < end - plain_lead and last > start - plain_lead
        ]
        if covered:
            found.append(Span(covered[0][0] + lead, covered[-1][1] + lead))
    return merge(found)


def _clusters(text: str) -> Iterator[tuple[int, int, str]]:
    """Give the letters of a text with their signs: start, end, normal form."""
    for cluster in _CLUSTER.finditer(text):
        yield cluster.start(), cluster.end(), unicodedata.normalize("NFC", cluster[0])
