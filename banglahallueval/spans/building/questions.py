"""Questions about passages: an easy, a medium and a hard one of each, with right answers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from banglahallueval.hashing import digest
from banglahallueval.prompts import fill, template
from banglahallueval.spans.building.languages import language_name
from banglahallueval.spans.building.step import Asking, Fields, Made, Step, UnusableError
from banglahallueval.text.bangla import answer_text
from banglahallueval.text.json_reply import read_object, text_of
from banglahallueval.text.normalise import for_matching

COMPLEXITIES = ("easy", "medium", "hard")

_SHORT_SHARE = 0.66  # of passages whose right answers are asked for as bare spans, as in PsiloQA
_SHORT = "Keep it as short as it can be: a name, a number, a date, a phrase."
_SENTENCE = "Write it as one full sentence."
_REPLY_TOKENS = 1500
_TEXT = {"type": "string"}
_PAIR = {
    "type": "object",
    "properties": {
        "complexity": {"type": "string", "enum": list(COMPLEXITIES)},
        "question": _TEXT,
        "answer": _TEXT,
    },
    "required": ["complexity", "question", "answer"],
    "additionalProperties": False,
}
_SCHEMA = {
    "type": "object",
    "properties": {"pairs": {"type": "array", "items": _PAIR}},
    "required": ["pairs"],
    "additionalProperties": False,
}


class Pair(NamedTuple):
    """A question and its right answer."""

    question: str
    answer: str


class Questions(Step):
    """The step that asks for questions; see `step.Step`."""

    name = "questions"
    needs = ("language", "evidence")
    tells_apart = "complexity"
    author = "generator"
    adds = ("question", "gold_answer")
    prompts = ("spans.questions",)

    def __init__(self, seed: int) -> None:
        """Draw by this seed which passages get short answers."""
        self._seed = seed
        self._template = template("spans.questions")
        self._asked: dict[bytes, asyncio.Task[Mapping[str, Pair]]] = {}

    def split(self, row: Fields) -> Iterator[str]:
        """Give the three complexities."""
        yield from COMPLEXITIES

    def prompt(self, row: Fields) -> str:
        """Fill the prompt for the passage of a row."""
        drawn = random.Random(f"{self._seed}|{digest([row['evidence']]).hex()}").random()
        values = {
            "language": language_name(row["language"]),
            "form": _SHORT if drawn < _SHORT_SHARE else _SENTENCE,
            "context": row["evidence"],
        }
        return fill(self._template, values)

    def budget(self, row: Fields) -> int:
        """Compute how many tokens the three pairs of a passage need."""
        return _REPLY_TOKENS

    async def make(self, asking: Asking, row: Fields) -> Made:
        """Take the question of a row out of the reply that its passage got."""
        complexity = row["complexity"]
        # The three rows of a passage share one conversation; each row has the cells of its own.
        key = self.conversation(row)
        if key not in self._asked:
            task = asyncio.create_task(self._ask(asking, row))
            # Without this, an error that a stopped run waits for no more would be reported at exit.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._asked[key] = task
        pair = (await asyncio.shield(self._asked[key])).get(complexity)
        if pair is None:
            return Made({}, "malformed")
        return Made({"question": pair.question, "gold_answer": pair.answer})

    async def _ask(self, asking: Asking, row: Fields) -> Mapping[str, Pair]:
        """Ask for the pairs of a passage; without those that could not be had in any try."""
        best: dict[str, Pair] = {}

        def pairs_of(reply: str) -> Mapping[str, Pair]:
            nonlocal best
            # Small models copy the example that the prompt shows.
            read = read_pairs(reply).items()
            pairs = {name: pair for name, pair in read if pair.question not in self._template}
            best = pairs if len(pairs) > len(best) else best
            if missing := [name for name in COMPLEXITIES if name not in pairs]:
                raise UnusableError(
                    "malformed",
                    f"the JSON object lacks a pair that is {missing[0]}, with a question of its "
                    "own and an answer",
                )
            return pairs

        try:
            budget = self.budget(row)
            return await asking.ask(self.prompt(row), pairs_of, needed=budget, schema=_SCHEMA)
        except UnusableError:
            if best:
                return best
            raise


def read_pairs(reply: str) -> dict[str, Pair]:
    """Read the pairs of a reply by complexity: an object with `pairs`, or a list of pairs.

    Broken JSON is mended. What is no whole pair, repeats a question, or is of a complexity that is
    there already, is left out.
    """
    pairs: dict[str, Pair] = {}
    asked: set[str] = set()
    for value in _listed(reply):
        if not isinstance(value, Mapping):
            continue
        complexity = text_of(value.get("complexity")).strip().lower()
        pair = Pair(*(text_of(value.get(name)).strip() for name in ("question", "answer")))
        question = for_matching(pair.question)
        if complexity not in COMPLEXITIES or complexity in pairs or not all(pair):
            continue
        if question in asked:
            continue
        asked.add(question)
        pairs[complexity] = pair
    return pairs


def _listed(reply: str) -> list[Any]:
    text = answer_text(reply)
    bracket, brace = text.find("["), text.find("{")
    if 0 <= bracket < brace:  # a bare list
        text = f'{{"pairs": {text[bracket : text.rfind("]") + 1] or text[bracket:]}}}'
    values = (read_object(text) or {}).get("pairs")
    return values if isinstance(values, list) else []
