"""The judge's work and memory grow with its inputs, not with their square or their product."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from banglahallueval.judges import evidence
from banglahallueval.judges.evidence import evidence_index, judge_item
from banglahallueval.judges.evidence.answer_location import locate_answer
from banglahallueval.judges.evidence.evidence_index import Occurrences, index_evidence
from banglahallueval.judges.evidence.questions import parse_question
from banglahallueval.judges.evidence.word_analysis import analyse_number, analyse_word
from banglahallueval.tasks import Item, TaskName
from banglahallueval.text.phonetic import fold

PACKAGE = str(Path(evidence.__file__).parent)
CACHES = (index_evidence, locate_answer, parse_question, analyse_word, analyse_number, fold)
QUESTION = "gram koyti?"
SENTENCE = "Nilganj-e 64ti gram ache, 1954 sale protishthito."


class CountedIndices(list[int]):
    """Indices that count how many of them are read, in C code too."""

    read = 0

    def __iter__(self) -> Iterator[int]:
        CountedIndices.read += len(self)
        return super().__iter__()


def work(item: Item) -> int:
    """Count the lines that the judge executes from empty caches, and the occurrences it reads."""
    lines = 0

    def count(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal lines
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        lines += event == "line"
        return count

    for cache in CACHES:
        cache.cache_clear()
    CountedIndices.read = 0
    traced = sys.gettrace()
    sys.settrace(count)
    try:
        judge_item(item)
    finally:
        sys.settrace(traced)
    return lines + CountedIndices.read


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(
        evidence_index, "Occurrences", lambda indices: Occurrences(CountedIndices(indices))
    )
    yield
    index_evidence.cache_clear()


def item_of(task: TaskName, long: str, text: str) -> Item:
    return Item(
        task,
        text if "question" in long else QUESTION,
        text if "context" in long else SENTENCE,
        text if "output" in long else SENTENCE,
    )


def words(make: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: " ".join(make(n) for n in range(size))


def letters(n: int) -> str:
    """Write a number in letters that all count in phonetic keys."""
    return "".join("kgtrlmnsbp"[int(digit)] + "i" for digit in f"{n:05}")


SHAPES: dict[str, Callable[[int], str]] = {
    "percentages": lambda size: "5% " * size,
    "colons": lambda size: "1:" * size,
    "dates": lambda size: "21 May 2005, " * size,
    "different dates": words(lambda n: f"{n % 28 + 1} May {1000 + n % 1000},"),
    "lives": lambda size: "জন্ম (১৯৫৪ - ১৯৯৯) " * size,
    "one word": lambda size: "রাজধানী " * size,
    "counts": lambda size: "64ti gram " * size,
    "different counts": words(lambda n: f"{n} gram"),
    "negations": lambda size: "জ্বর নেই। " * size,
    "antonyms": lambda size: "কম বেশি " * size,
    "relations": lambda size: "বাবার নাম " * size,
    "two scripts": lambda size: "ঢাকা dhaka " * size,
    "different words": words(letters),
    "one stem": words(lambda n: "dhak" + "ao" * n),
    "same consonants": words(lambda n: "k" + "".join("ieu"[n // 3**i % 3] for i in range(8)) + "t"),
    "dandas": lambda size: "। " * size,
    "line breaks": lambda size: "ক\n\n" * size,
    "zero-width characters": lambda size: "ক\u200d \u200c" * size,
}


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("task", "long"),
    [
        ("codemix", "question"),
        ("codemix", "context"),
        ("codemix", "output"),
        ("codemix", "context and output"),
        ("codemix", "question, context and output"),
        ("summarization", "context"),  # whose question nobody reads
        ("summarization", "output"),
        ("summarization", "context and output"),
    ],
)
def test_work_grows_with_the_size(task: TaskName, long: str, shape: str) -> None:
    """Four times the size takes less than six times the work; squared, it would be sixteen."""
    small, large = (SHAPES[shape](size) for size in (100, 400))
    growth = len(large) / len(small)
    assert work(item_of(task, long, large)) < 1.5 * growth * work(item_of(task, long, small))


# In a process of its own, whose peak of memory is the judge's.
PEAK_OF_MEMORY = """
import resource
from banglahallueval.judges.evidence import judge_item
from banglahallueval.tasks import Item

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
context = {context!r}
context *= 1_000_000 // len(context)
verdict = judge_item(Item({task!r}, {question!r}, context, {output!r}))
assert verdict.label != "unknown"
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert peak - before < 500_000, f"{{(peak - before) // 1000}} MB"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peaks of memory are counted in kB on Linux")
@pytest.mark.parametrize(
    ("task", "question", "context", "output"),
    [
        (
            "codemix",
            "Rupsha setu kobe uddhodhon kora hoy?",
            "Rupsha setu Khulna shohore obosthito. Setuti 2005 saler 21 May uddhodhon kora hoy. ",
            "2009 saler 21 May",
        ),
        ("qa", "সুমন রায়ের জন্ম কবে ?", "সুমন রায় (১৯৫৪ - ১৯৯৯) খুলনায়। ", "১৯৯৯"),
        ("qa", "সুমন রায়ের জন্ম কবে ?", "সুমন রায় ( জন্ম ১৯৫৪ - ", "১৯৯৯"),
        ("summarization", "", "গত ৪ দিন ধরে তার কানে ব্যথা, কিন্তু জ্বর নেই। ", "৯ দিন ধরে জ্বর।"),
    ],
)
def test_context_of_a_million_characters_fits_in_memory(
    task: str, question: str, context: str, output: str
) -> None:
    """Distances of all words to all words of a huge context took hundreds of gigabytes."""
    code = PEAK_OF_MEMORY.format(task=task, question=question, context=context, output=output)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
