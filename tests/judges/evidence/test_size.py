"""The judge's memory and work grow with a context, not with its square."""

from __future__ import annotations

import subprocess
import sys

import pytest

from banglahallueval.judges.evidence import judge_item
from banglahallueval.tasks import Item, TaskName
from tests.work import lines_run

# In a process of its own, whose peak of memory is the judge's.
JUDGE = """
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

contexts = pytest.mark.parametrize(
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


@pytest.mark.skipif(sys.platform != "linux", reason="peaks of memory are counted in kB on Linux")
@contexts
def test_a_million_characters_fit(task: str, question: str, context: str, output: str) -> None:
    """Distances of all words to all words of a huge context took hundreds of gigabytes."""
    code = JUDGE.format(task=task, question=question, context=context, output=output)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr


@contexts
def test_work_grows_with_a_context_not_with_its_square(
    task: TaskName, question: str, context: str, output: str
) -> None:
    """A context four times as long takes four times the work."""

    def judge(length: int) -> None:
        judge_item(Item(task, question, context * (length // len(context)), output))

    judge(2_500)  # fills the caches of words; contexts have one too
    work = lines_run(lambda: judge(5_000))
    assert lines_run(lambda: judge(20_000)) < 5 * work
