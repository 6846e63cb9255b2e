"""How long the offline judges take for very long inputs of every shape.

    python bench/long_inputs.py [--size 100000] [--task qa] [--shape NAME ...]

Prints processor seconds per shape: the shape as evidence, as question and as output, each beside
ordinary short texts, and as all of them at once. Shapes are what a judge may meet by accident or
malice: one word or number repeated, separators alone, one giant word, words that are all distinct
or nearly alike, dates, brackets that never close, combining marks in the wrong order.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import get_args

from banglahallueval.judges.offline import judge_offline
from banglahallueval.tasks import Item, TaskName

_REPEATED = {
    "percentages": "5% ",
    "colons": "1:",
    "years": "১৯৫৪ ",
    "dates in digits": "12/05/1999 ",
    "dates in words": "21 May 2005, ",
    "lives": "(১৯৫৪ - ১৯৯৯) ",
    "open lives": "(জন্ম ১৯৫৪ - ",
    "open brackets": "(" + "123-" * 220,
    "scaled numbers": "৫ হাজার ",
    "counts": "64ti gram ",
    "commas": "1,",
    "points": "1.",
    "citations": "[7] ",
    "open citations": "[7",
    "sums": "5 + 5 = 10 ",
    "annotations": "<<5+5=10>>10 ",
    "unfinished sums": "5 + ",
    "nested brackets": "(",
    "one word": "রাজধানী ",
    "negations": "জ্বর নেই। ",
    "antonyms": "কম বেশি ",
    "relations": "বাবার নাম ",
    "questions": "কত গ্রাম ",
    "suffixes": "১৯৫৪-এর-",
    "two scripts": "ঢাকা dhaka ",
    "scripts in one word": "ঢাকাdhaka",
    "giant word": "ক",
    "giant vowels": "কি",
    "giant number": "9",
    "combining marks": "\u0323\u0301",
    "nukta and hasanta": "\u09bc\u09cd",
    "dandas": "।",
    "newlines": "\n",
    "spaces": " ",
    "points and spaces": ".    ",
    "zero-width joiners": "ক\u200d",
}
_LETTERS = "কখগঘচছজঝটঠডঢতথদধনপফবভমরলশসহ"
_TASKS: tuple[TaskName, ...] = get_args(TaskName)
_ORDINARY = {
    "qa": ("নীলগঞ্জ কবে প্রতিষ্ঠিত হয়?", "নীলগঞ্জ ১৯৫৪ সালে প্রতিষ্ঠিত হয়।", "১৯৫৬ সালে"),
    "codemix": ("Nilganj-e koyti gram?", "Nilganj-e 64ti gram ache.", "68ti gram"),
    "summarization": ("", "গত ৪ দিন ধরে তার কানে ব্যথা, কিন্তু জ্বর নেই।", "৯ দিন ধরে জ্বর।"),
    "reasoning": ("রহিমের ৫টি আম আছে, সে আরও ৩টি কিনল।", "", "৫ + ৩ = <<5+3=8>>৮"),
}


def _word(rng: random.Random, shortest: int, longest: int) -> str:
    return "".join(rng.choices(_LETTERS, k=rng.randint(shortest, longest)))


def _distinct(rng: random.Random) -> dict[str, Callable[[], str]]:
    """Return generators of distinct words and numbers."""
    sequence = count(rng.randrange(10**6, 2 * 10**6))
    return {
        **{f"words of {n} letters": partial(_word, rng, n, n) for n in (3, 4, 5, 8, 13, 20, 50)},
        "words of 3 to 12": partial(_word, rng, 3, 12),
        "words of 40 to 100": partial(_word, rng, 40, 100),
        "words of 9000": partial(_word, rng, 9000, 9000),
        "same beginning": lambda: "বিতিনিসিলি" + _word(rng, 4, 4),
        "same ending": lambda: _word(rng, 4, 4) + "গুলোর",
        "same consonants": lambda: "কি" + "".join(rng.choices("িুেইএউ", k=6)) + "র",
        "Chinese words": lambda: "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(6)),
        "numbers": lambda: str(rng.randrange(10**6)),
        "numbers in sequence": lambda: str(next(sequence)),
        "distinct prices": lambda: f"{rng.randrange(10**6)}.{rng.randrange(10, 99)} টাকা",
        "distinct dates": lambda: f"{rng.randint(1, 31)} May {rng.randint(1000, 2099)}",
    }


def make_texts(size: int, seed: int) -> dict[str, str]:
    """Make a text of each shape.

    Args:
        size: Code points of each text.
        seed: What distinct words depend on.
    """
    texts = {name: (unit * (size // len(unit) + 1))[:size] for name, unit in _REPEATED.items()}
    for name, make in _distinct(random.Random(seed)).items():
        words: list[str] = []
        length = 0
        while length < size:
            words.append(make())
            length += len(words[-1]) + 1
        texts[name] = " ".join(words)[:size]
    return texts


def seconds(task: TaskName, question: str, context: str, output: str) -> float:
    """Return the processor time that one item takes."""
    began = time.process_time()
    judge_offline(Item(task, question, context, output))
    return time.process_time() - began


def measure(task: TaskName, long: tuple[str, str, str]) -> dict[str, float]:
    """Return seconds for a long question, context and output, and for all of them at once."""
    question, context, output = _ORDINARY[task]
    taken = {}
    if question:
        taken["question"] = seconds(task, long[0], context, output)
    if context:
        taken["evidence"] = seconds(task, question, long[1], output)
    taken["output"] = seconds(task, question, context, long[2])
    taken["all"] = seconds(task, long[0] if question else "", long[1] if context else "", long[2])
    return taken


def main() -> None:
    """Print seconds per task and shape."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=100_000, help="code points of a long text")
    parser.add_argument("--task", choices=_TASKS, action="append", help="only this task")
    parser.add_argument("--shape", choices=[*make_texts(1, 1)], action="append", metavar="NAME")
    args = parser.parse_args()
    first, second, third = (make_texts(args.size, seed) for seed in (1, 2, 3))
    columns = ("question", "evidence", "output", "all")
    for task in args.task or _TASKS:
        print(f"{task:22}", *(f"{column:>10}" for column in columns), sep="")
        slowest = 0.0
        for shape in args.shape or first:
            taken = measure(task, (first[shape], second[shape], third[shape]))
            slowest = max(slowest, *taken.values())
            cells = (f"{taken[column]:.2f}" if column in taken else "" for column in columns)
            print(f"  {shape:20}", *(f"{cell:>10}" for cell in cells), sep="", flush=True)
        print(f"  slowest: {slowest:.2f} s\n", flush=True)


if __name__ == "__main__":
    main()
