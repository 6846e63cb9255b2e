"""Spans marked by a model that copies an answer with tags around what its passage contradicts."""

from __future__ import annotations

from banglahallueval.errors import UsageError
from banglahallueval.io.span_columns import listed
from banglahallueval.prompts import fill, template
from banglahallueval.spans.alignment import UnalignedError, align
from banglahallueval.spans.building.languages import language_name
from banglahallueval.spans.building.step import Asking, Fields, Made, Step, UnusableError
from banglahallueval.spans.comparable import Comparable
from banglahallueval.spans.tags import read_tagged, tagged
from banglahallueval.spans.types import Span
from banglahallueval.text.bangla import answer_text

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
        """Compute how many tokens a copy needs: at most about one a code point of Bangla."""
        return _SPARE_TOKENS + round(1.2 * len(row["answer"]))

    async def make(self, asking: Asking, row: Fields) -> Made:
        """Have the answer of a row copied with tags."""
        answer = row["answer"]
        spans = await asking.ask(
            self.prompt(row), lambda reply: read_copy(reply, answer), needed=self.budget(row)
        )
        return Made({"tagged": tagged(answer, spans), "spans": listed(spans)})


def read_copy(reply: str, answer: str) -> tuple[Span, ...]:
    """Find the spans that a model's copy of an answer marks; offsets are those of the answer.

    How far a copy may differ from the answer, see `spans.alignment`.

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
    try:
        return align(Comparable.of(plain), spans, Comparable.of(answer))
    except UnalignedError as error:
        raise UnusableError("misaligned", f"it {error}; copy the answer letter by letter") from None
