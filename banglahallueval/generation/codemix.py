"""Bangla question answering items in code-mixed Bangla, by a model or offline; never cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from banglahallueval.generation.anchoring import anchored, borrowed_word, occurs, stands_in
from banglahallueval.generation.checks import Failure
from banglahallueval.generation.generator import THINKING_BUDGET, ask_again
from banglahallueval.models.client import Client
from banglahallueval.models.types import Message, Request
from banglahallueval.prompts import fill, template
from banglahallueval.text import bangla
from banglahallueval.text.json_reply import read_object, text_of
from banglahallueval.text.romanising.variants import vary_spelling
from banglahallueval.text.romanising.words import romanise, romanise_sentences

FIELDS = ("context", "question", "answer")
OFFLINE = "transliteration"  # what the generator column says without a model

# Romanised Bangla is about as long as Bangla; what is far shorter left something out.
_SHORTEST, _LONGEST = 0.75, 1.9


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
    mixed = {name: romanise_sentences(text) for name, text in item.items()}
    if not bangla.closing_mark(item["answer"]):
        mixed["answer"] = romanise(item["answer"])  # words of the context, no sentence
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
        mixed = anchored(item, _read(reply.text))
        failures = list(_failures(item, mixed, reply.finish))
        if reply.finish == "length":
            tokens *= 2
        failed = tuple(failure.name for failure in failures)
        first = failed if turn == 0 else first
        if best is None or _rank(failed) < _rank(best.failed):
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


def _rank(failed: tuple[str, ...]) -> tuple[bool, int, int]:
    """Order tries: one that can be read first, then by its answer, then by what else it fails."""
    wrong = sum(name.startswith("answer") for name in failed)
    return "not JSON" in failed, wrong, len(failed)


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
        given = bangla.without_footnotes(item[name]).strip()
        made = bangla.without_footnotes(mixed[name])
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
    if borrowed := borrowed_word(item, mixed):
        yield Failure(
            "answer: another word", f"{borrowed} in the answer is another word of the context"
        )
    if stands_in(item) and not occurs(mixed["answer"], mixed["context"]):
        yield Failure(
            "answer not in context", "the answer is not in your context; spell it the same in both"
        )
