"""Which annotated rows are fit for the data set: by their tags, question and answer."""

from __future__ import annotations

import regex

from banglahallueval.errors import UsageError
from banglahallueval.prompts import fill, template
from banglahallueval.spans.building.languages import language_name
from banglahallueval.spans.building.step import Asking, Fields, Made, Step, UnusableError
from banglahallueval.spans.tags import read_tagged
from banglahallueval.text.json_reply import read_object, text_of
from banglahallueval.text.yes_no import fold
from banglahallueval.verdicts.refusals import refuses

KEPT = "kept"
BAD_TAGS, OTHER_TEXT = "bad tags", "tagged text is not the answer"
INCOMPLETE, SUBJECTIVE, REFUSAL = "incomplete question", "subjective question", "refusal"

_KINDS = {"normal": KEPT, "incomplete": INCOMPLETE, "subjective": SUBJECTIVE}
_EMPHASIS = regex.compile(r"[*_`#]+")
_REPLY_TOKENS = 64
_SCHEMA = {
    "type": "object",
    "properties": {
        "question": {"type": "string", "enum": list(_KINDS)},
        "refusal": {"type": "boolean"},
    },
    "required": ["question", "refusal"],
    "additionalProperties": False,
}


class Filtering(Step):
    """The step that filters; see `step.Step`. Its rows say `kept`, or why they are not."""

    name = "filter"
    needs = ("language", "evidence", "question", "gold_answer", "answer", "tagged", "spans")
    author = "filter"
    adds = ("question_kind", "refusal")
    prompts = ("spans.filter",)
    settled = frozenset({KEPT, BAD_TAGS, OTHER_TEXT, INCOMPLETE, SUBJECTIVE, REFUSAL})

    def __init__(self) -> None:
        """Load the prompt."""
        self._template = template("spans.filter")

    def prompt(self, row: Fields) -> str:
        """Fill the prompt for a row; the passage is not shown, as it is not shown to models."""
        values = {
            "language": language_name(row["language"]),
            "question": row["question"],
            "answer": row["answer"],
        }
        return fill(self._template, values)

    def budget(self, row: Fields) -> int:
        """Compute how many tokens a reply needs."""
        return _REPLY_TOKENS

    async def make(self, asking: Asking, row: Fields) -> Made:
        """Check a row by rule, and ask only about one that passes."""
        if wrong := wrong_tags(row["tagged"], row["answer"]):
            return Made({}, wrong)
        if is_refusal(row["answer"]):
            return Made({"refusal": "rule"}, REFUSAL)
        kind, refusal = await asking.ask(
            self.prompt(row), read_decision, needed=self.budget(row), schema=_SCHEMA
        )
        cells = {"question_kind": kind, "refusal": "model" if refusal else "no"}
        status = _KINDS[kind]
        return Made(cells, REFUSAL if refusal and status == KEPT else status)


def wrong_tags(text: str, answer: str) -> str:
    """Say what is wrong with a tagged text: its tags, or that it is not the answer; empty if fine.

    White space at the ends does not count, as in PsiloQA.
    """
    try:
        plain, _ = read_tagged(text, "")
    except UsageError:
        return BAD_TAGS
    return "" if plain.strip() == answer.strip() else OTHER_TEXT


def is_refusal(answer: str) -> bool:
    """Whether an answer declines to answer, by the words that it begins with."""
    return refuses(fold(_EMPHASIS.sub("", answer)))


def read_decision(reply: str) -> tuple[str, bool]:
    """Read which kind a question is of, and whether the answer is a refusal.

    Raises:
        UnusableError: If the reply does not say both.
    """
    read = read_object(reply) or {}
    words = regex.findall(r"[a-z]+", text_of(read.get("question")).lower())
    kinds = [kind for kind in _KINDS if kind in words]
    refusal = {"true": True, "false": False, "yes": True, "no": False}.get(
        text_of(read.get("refusal")).strip().lower()
    )
    if len(kinds) != 1 or refusal is None:
        raise UnusableError(
            "unreadable", f'it is not {{"question": one of {", ".join(_KINDS)}, "refusal": …}}'
        )
    return kinds[0], refusal
