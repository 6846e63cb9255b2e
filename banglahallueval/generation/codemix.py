"""Bangla question answering items in code-mixed Bangla, by a model or offline; never cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import regex
from rapidfuzz import fuzz

from banglahallueval.generation.checks import Failure
from banglahallueval.generation.generator import THINKING_BUDGET, ask_again
from banglahallueval.models.client import Client
from banglahallueval.models.types import Message, Request
from banglahallueval.prompts import fill, template
from banglahallueval.text import bangla
from banglahallueval.text.json_reply import read_object, text_of
from banglahallueval.text.normalise import for_matching
from banglahallueval.text.romanise import romanise, sentence_case, vary_spelling

FIELDS = ("context", "question", "answer")
OFFLINE = "transliteration"  # what the generator column says without a model

# Romanised Bangla is about as long as Bangla; what is far shorter left something out.
_SHORTEST, _LONGEST = 0.75, 1.9
_NEAR = 75  # percent of an answer's letters that its place in the context must have


@dataclass(frozen=True, slots=True)
class Converted:
    """A code-mixed item.

    Attributes:
        texts: Context, question and answer in Latin letters.
        failed: The checks that it fails.
        first_failed: The checks that the first try failed.
    """

    texts: Mapping[str, str]
    failed: tuple[str, ...]
    first_failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spelling:
    """Spelling variation as an option.

    Attributes:
        share: Share of words that are spelled in another common way; 0 for none.
        seed: Decides which.
    """

    share: float = 0.0
    seed: int = 42

    def vary(self, item: Mapping[str, str], row: int) -> dict[str, str]:
        """Vary an item; its answer is spelled as its context is."""
        if not self.share:
            return dict(item)
        passage, asked = f"{self.seed}|{row}|passage", f"{self.seed}|{row}|question"
        seeds = {"context": passage, "answer": passage, "question": asked}
        return {name: vary_spelling(text, self.share, seeds[name]) for name, text in item.items()}


def convert_offline(item: Mapping[str, str]) -> dict[str, str]:
    """Transliterate an item."""
    mixed = {name: sentence_case(romanise(text)) for name, text in item.items()}
    mixed["answer"] = romanise(item["answer"])
    return mixed


async def convert(
    client: Client, item: Mapping[str, str], *, tries: int, temperature: float, seed: int
) -> Converted:
    """Ask a model for an item in code-mixed Bangla until it passes every check.

    Args:
        client: Asks the model.
        item: Context, question and answer in Bangla.
        tries: How often it is asked at most.
        temperature: Sampling temperature.
        seed: Sampling seed.

    Raises:
        ModelError: If no reply came.
        RunError: If no other request can succeed either.
    """
    messages: tuple[Message, ...] = (Message("user", fill(template("convert.codemix"), item)),)
    tokens = budget(item)
    best: Converted | None = None
    first: tuple[str, ...] = ()
    for turn in range(tries):
        spare = THINKING_BUDGET if client.model.thinking else 0
        reply = await client.complete(
            Request(messages, max_tokens=tokens + spare, temperature=temperature, seed=seed)
        )
        mixed = _read(reply.text)
        failures = list(_failures(item, mixed, reply.finish))
        if reply.finish == "length":
            tokens *= 2
        failed = tuple(failure.name for failure in failures)
        first = failed if turn == 0 else first
        if best is None or len(failed) < len(best.failed):
            best = Converted(mixed, failed, first)
        if not failures:
            break
        messages = (*messages, *ask_again(reply.text, failures))
    assert best is not None
    return Converted(best.texts, best.failed, first)


def budget(item: Mapping[str, str]) -> int:
    """Estimate the reply tokens of a whole item; a Latin letter takes at most one token."""
    return 150 + round(_LONGEST * sum(len(text) for text in item.values()))


def failures_of(item: Mapping[str, str], mixed: Mapping[str, str]) -> tuple[str, ...]:
    """List the checks that a code-mixed item fails."""
    return tuple(failure.name for failure in _failures(item, mixed, "stop"))


def anchored(item: Mapping[str, str], mixed: Mapping[str, str]) -> dict[str, str]:
    """Spell a code-mixed answer as its context spells it.

    Only where the Bangla answer stands in the Bangla context, and the code-mixed context has one
    place that is nearly the code-mixed answer.
    """
    answer, context = mixed["answer"].strip(), mixed["context"]
    if not _stands_in(item) or _occurs(answer, context) or not answer:
        return dict(mixed)
    place = fuzz.partial_ratio_alignment(answer.lower(), context.lower(), score_cutoff=_NEAR)
    if place is None or place.dest_end == place.dest_start:
        return dict(mixed)
    # The alignment counts letters; the answer is made of whole words.
    words = [word.span() for word in regex.finditer(r"\S+", context)]
    touched = [s for s in words if s[0] < place.dest_end and s[1] > place.dest_start]
    found = context[touched[0][0] : touched[-1][1]].strip(" ,.;:!?")
    if fuzz.ratio(found.lower(), answer.lower()) < _NEAR:
        return dict(mixed)
    return {**mixed, "answer": found}


def _read(reply: str) -> dict[str, str]:
    read = read_object(reply) or {}
    return {name: text_of(read.get(name)).strip() for name in FIELDS}


def _failures(item: Mapping[str, str], mixed: Mapping[str, str], finish: str) -> Iterator[Failure]:
    if finish in ("length", "context truncated"):
        yield Failure("cut off", "it breaks off; every text must be whole")
    if blank := [name for name in FIELDS if item[name].strip() and not mixed[name]]:
        yield Failure("not JSON", f"{blank[0]} is missing in the JSON object")
        return
    for name in FIELDS:
        given, made = item[name].strip(), mixed[name]
        if bangla.has_bengali(made) or bangla.other_letters(made):
            yield Failure(f"{name}: not Latin", f"{name} has letters that are not Latin")
        if lost := bangla.number_counts(given) - bangla.number_counts(made):
            number = next(iter(lost))
            shown = f"{float(number):g}"
            yield Failure(f"{name}: number lost", f"{name} lacks the number {shown}")
        kept = {word.lower() for word in bangla.latin_words(made)}
        for word in bangla.latin_words(given):
            if word.lower() not in kept:
                yield Failure(f"{name}: name lost", f"{name} lacks {word}")
                break
        if name == "context" and len(made) < _SHORTEST * len(given):
            yield Failure("context: shortened", "context leaves something out; keep every sentence")
        if name == "context" and len(made) > _LONGEST * len(given) + 40:
            yield Failure("context: lengthened", "context adds something; add nothing")
    if _stands_in(item) and not _occurs(mixed["answer"], mixed["context"]):
        yield Failure(
            "answer not in context", "the answer is not in your context; spell it the same in both"
        )


def _stands_in(item: Mapping[str, str]) -> bool:
    """Whether the Bangla answer stands in the Bangla context."""
    return _occurs(item["answer"], item["context"])


def _occurs(answer: str, context: str) -> bool:
    return f" {for_matching(answer)}" in f" {for_matching(context)}"
