"""What a loopback model answers, and how an answer is cut into tokens and constrained."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import regex

from tests.servers.asked import Body as Body
from tests.servers.asked import prompt_of as prompt_of

_PIECE = regex.compile(r"\s?[\p{L}\p{M}\p{N}_]+|\s?[^\p{L}\p{M}\p{N}_\s]|\s")
_VERDICTS = {"yes", "no", "true", "false", "হ্যাঁ", "না"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply of a loopback model.

    Attributes:
        text: What it says; None is a null content.
        finish: `stop`, `length` or `content_filter`; `length` also comes by itself from the budget.
        alternatives: Token texts with their probabilities at the verdict's place, given to those
            who ask for log probabilities.
        forced: What it says where the reply is constrained to labels; `text` where empty.
        thinking: Thinking before the answer; it counts against the reply budget.
        refusal: The refusal field of an OpenAI-compatible reply.
    """

    text: str | None = "yes"
    finish: Literal["stop", "length", "content_filter"] = "stop"
    alternatives: Mapping[str, float] = field(default_factory=dict)
    forced: str = ""
    thinking: str = ""
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """An error response in place of an answer: any status, a body sent as it is."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)


Answerer = Callable[[Body], Answer | Failure]


@dataclass(frozen=True, slots=True)
class Piece:
    """A token with the likeliest tokens at its place, as (text, natural-log probability)."""

    text: str
    logprob: float
    top: tuple[tuple[str, float], ...]


def hashed(prompt: str, seed: int = 0) -> float:
    """A number in [0, 1) that only the prompt and the seed decide."""
    digest = hashlib.sha1(f"{seed}\0{prompt}".encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def hashed_p_yes(prompt: str, seed: int = 0) -> float:
    """P(yes) / (P(yes) + P(no)) of `by_hash`: never within 0.05 of one half."""
    share = hashed(prompt, seed)
    return 0.05 + 0.8 * share if share < 0.5 else 0.15 + 0.8 * share


def hashed_label(prompt: str, seed: int = 0) -> Literal["yes", "no"]:
    """The label that `by_hash` gives a prompt; half of all prompts get `yes`."""
    return "yes" if hashed_p_yes(prompt, seed) > 0.5 else "no"


def by_hash(seed: int = 0) -> Answerer:
    """Answers decided by a hash of the prompt, in the shape that the prompt asks for.

    A prompt that shows `"is_hallucinated"` gets the JSON object, one that asks for a final answer
    gets reasoning that names both labels, every other the bare label.
    """

    def answer(body: Body) -> Answer:
        prompt = prompt_of(body)
        p_yes = hashed_p_yes(prompt, seed)
        label = "yes" if p_yes > 0.5 else "no"
        if '"is_hallucinated"' in prompt:
            text, said = json.dumps({"is_hallucinated": label.title()}), str.title
        elif "Final answer" in prompt:
            text, said = f"Step 1: it could be yes or no.\nFinal answer: {label}", str.lower
        else:
            text, said = label, str.lower
        other = str.title if said is str.lower else str.lower
        # 0.9 of the mass is on yes and no, a fifth of it on the other spelling.
        alternatives = {said("yes"): 0.72 * p_yes, said("no"): 0.72 * (1 - p_yes)}
        alternatives |= {other("yes"): 0.18 * p_yes, other("no"): 0.18 * (1 - p_yes), "The": 0.06}
        return Answer(text, alternatives=alternatives, forced=label)

    return answer


def always(answer: Answer | Failure | str) -> Answerer:
    """The same answer to everything."""
    fixed = Answer(answer) if isinstance(answer, str) else answer
    return lambda body: fixed


def in_turn(*answers: Answer | Failure | str) -> Answerer:
    """Each prompt gets the answers in turn, and the last of them from then on."""
    asked: dict[str, int] = {}

    def answer(body: Body) -> Answer | Failure:
        prompt = prompt_of(body)
        turn = min(asked.get(prompt, 0), len(answers) - 1)
        asked[prompt] = turn + 1
        given = answers[turn]
        return Answer(given) if isinstance(given, str) else given

    return answer


def pieces(text: str, alternatives: Mapping[str, float] | None = None) -> list[Piece]:
    """Cut a text into tokens; the last one that is a verdict, else the first, has alternatives."""
    words = _PIECE.findall(text)
    verdicts = [i for i, word in enumerate(words) if word.strip().casefold() in _VERDICTS]
    place = verdicts[-1] if verdicts else 0
    cut = [Piece(word, math.log(0.99), ((word, math.log(0.99)),)) for word in words]
    if alternatives and cut:
        space = " " if words[place].startswith(" ") else ""
        ranked = sorted(alternatives.items(), key=lambda pair: -pair[1])
        top = tuple((space + token, math.log(p)) for token, p in ranked if p > 0)
        unlisted = math.log(max(1 - sum(alternatives.values()), 1e-9))
        cut[place] = Piece(words[place], dict(top).get(words[place], unlisted), top)
    return cut


def constrained(schema: Mapping[str, Any], answer: Answer) -> str:
    """The answer as a JSON text that follows a schema, its enumerations settled by the label."""
    label = (answer.forced or answer.text or "").strip().casefold()
    return json.dumps(_instance(schema, label), ensure_ascii=False)


def _instance(schema: Mapping[str, Any], label: str) -> Any:
    if "enum" in schema:
        matching = [value for value in schema["enum"] if str(value).casefold() == label]
        return (matching or schema["enum"])[0]
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {name: _instance(inner, label) for name, inner in properties.items()}
        case "boolean":
            return label == "yes"
        case "array":
            return []
        case "number" | "integer":
            return 0
        case _:
            return label
