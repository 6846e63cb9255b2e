"""Loopback models that write candidates: good ones, and ones that fail in a chosen way."""

from __future__ import annotations

import json
from collections.abc import Callable

import regex

from banglahallueval.generation.patterns import load_frame
from banglahallueval.tasks import TaskName
from tests.servers.answers import Answer, Answerer, Body, hashed, prompt_of

Fault = Callable[[str], "str | Answer"]

_BANGLA = "কমলা লেবুর বাগানে সবুজ ময়না পাখি ঝোপে মিষ্টি গান গাইছিল হঠাৎ বৃষ্টি নামল"
_LATIN = "komola lebur bagane shobuj moyna pakhi jhope mishti gan gaitese hothat brishti namlo"


def asked_in(body: Body) -> str:
    """The last prompt that asks for a candidate: the first turn of the chat."""
    return str(body["messages"][0]["content"])


def item_of(prompt: str) -> str:
    """What a prompt says behind its worked example."""
    return prompt.rpartition("\nNow the ")[2]


def task_of(prompt: str) -> TaskName:
    """Which task's frame a prompt is."""
    words: dict[str, TaskName] = {"code-mixed": "codemix"}
    words |= {"summarization": "summarization", "reasoning": "reasoning"}
    first = prompt.splitlines()[0]
    return next((task for word, task in words.items() if word in first), "qa")


def gold_of(prompt: str) -> str:
    """The right output that a prompt shows."""
    item = item_of(prompt)
    match task_of(prompt):
        case "summarization":
            return item.rpartition("Right summary: ")[2].rpartition("\nWrong summary:")[0]
        case "reasoning":
            return item.rpartition("Right solution:\n")[2].rpartition("\nRight final answer:")[0]
    return item.rpartition("Right answer: ")[2].rpartition("\nWrong answer:")[0]


def pattern_of(prompt: str) -> str:
    """The type of error that a reasoning prompt asks for."""
    return item_of(prompt).rpartition('"error_type": "')[2].partition('"')[0]


def good(prompt: str) -> str:
    """A candidate that passes every check."""
    gold = gold_of(prompt)
    if task_of(prompt) == "reasoning":
        return wrong_chain(gold, pattern_of(prompt))
    words = (_LATIN if task_of(prompt) == "codemix" else _BANGLA).split()
    methods = [method for method, _ in load_frame(task_of(prompt)).methods.values()]
    place = next((n for n, method in enumerate(methods) if method in prompt), 0)
    del words[3 * place]  # so that no two patterns of one source say the same
    turn = (int(hashed(item_of(prompt)) * len(words)) + 3 * place) % len(words)
    text = words[turn]
    for word in (words * 40)[turn + 1 :]:
        if len(text) >= len(gold.strip()) * 0.8:
            break
        text += f" {word}"
    close = regex.search(r"\s?[।?!.]\s*\Z", gold)
    return text + (close[0].rstrip() if close else "")


def wrong_chain(gold: str, pattern: str) -> str:
    """A chain whose last calculation is a slip, or right for another number."""
    lines = gold.rstrip().split("\n")
    head, _, tail = lines[-1].rpartition("<<")
    inside, _, unit = tail.partition(">>")
    expression = inside.partition("=")[0]
    unit = regex.sub(r"^[\d০-৯.,]+", "", unit)
    if pattern == "arithmetic_slip":
        shown = head.rstrip()
        number = bengali(str(value_of(inside.partition("=")[2]) + 3))
    else:
        expression += "+৭"
        shown = regex.sub(r"=\s*(\D*)$", r"+৭ = \1", head)
        number = bengali(str(value_of(inside.partition("=")[2]) + 7))
    lines[-1] = f"{shown}<<{expression}={number}>>{number}{unit}"
    chain = {
        "hallucinated_chain": "\n".join(lines),
        "error_step": len(lines),
        "error_type": pattern,
        "hallucinated_answer": number,
    }
    return json.dumps(chain, ensure_ascii=False)


def value_of(number: str) -> int:
    """The whole number that is written."""
    return int(float(number.replace(",", "")))


def bengali(number: str) -> str:
    """A number with Bengali digits."""
    return number.translate(str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯"))


def writer(*faults: Fault) -> Answerer:
    """A model whose first tries fail in these ways, each prompt in one of them; then it is good."""

    def answer(body: Body) -> Answer:
        prompt = asked_in(body)
        if len(body["messages"]) > 1 or not faults:
            return Answer(good(prompt))
        fault = faults[int(hashed(prompt, 7) * len(faults))]
        given = fault(prompt)
        return given if isinstance(given, Answer) else Answer(given)

    return answer


def stubborn(fault: Fault) -> Answerer:
    """A model that fails in the same way whatever it is told."""

    def answer(body: Body) -> Answer:
        given = fault(asked_in(body))
        return given if isinstance(given, Answer) else Answer(given)

    return answer


__all__ = ["good", "prompt_of", "stubborn", "writer"]
