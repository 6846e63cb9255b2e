"""Benchmark files of two tasks, with text that is easily spoilt on its way into a harness."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banglahallueval.io.tables import writing

QA_MAIN = ("id", "context", "question", "correct_answer")
QA_CANDIDATES = ("id", "source_id", "pattern", "context", "question", "hallucinated_answer")
REASONING_MAIN = ("id", "question", "answer")
REASONING_CANDIDATES = ("id", "pattern", "question", "hallucinated_chain", "hallucinated_answer")

# Templates of harnesses, both forms of য়, code points of several words, line ends of all kinds.
AWKWARD = (
    "{{ doc.key }} {% raw %} {question}",
    'য় \u09af\u09bc "উদ্ধৃতি" \\u09af \\n',
    "প্রথম\r\nদ্বিতীয়\u2028তৃতীয়\u0085চতুর্থ ",
    "১৯৭১",
    "\u200d\U0001f1e7\U0001f1e9 <b>&amp;</b> !function utils.load",
)


def write(path: Path, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Path:
    """Write a CSV."""
    with writing(path, columns) as writer:
        for row in rows:
            writer.writerow(row)
    return path


def write_benchmark(folder: Path) -> dict[str, Path]:
    """Write main and candidates of qa and reasoning, by TASK.TRACK; one qa row is there twice."""
    questions = [(f"প্রসঙ্গ {text}", f"প্রশ্ন {n}: {text}?") for n, text in enumerate(AWKWARD)]
    main = [(str(n), *texts, AWKWARD[n]) for n, texts in enumerate(questions)]
    candidates = [
        (f"{n}::{pattern}", str(n), pattern, *texts, f"{pattern} {AWKWARD[n]}")
        for n, texts in enumerate(questions)
        for pattern in ("factualness", "inference")
    ]
    sums = [(f"{n} টি আর {n} টি মোট কয়টি? {text}", f"{n} + {n}") for n, text in enumerate(AWKWARD)]
    chains = [(str(n), q, f"{s} = {2 * n}\n#### {2 * n}") for n, (q, s) in enumerate(sums)]
    slips = [
        (str(n), "arithmetic_slip", q, f"{s} = {2 * n + 1}", str(2 * n + 1))
        for n, (q, s) in enumerate(sums)
    ]
    return {
        "qa.main": write(folder / "qa_main.csv", QA_MAIN, main),
        "qa.candidates": write(
            folder / "qa_candidates.csv", QA_CANDIDATES, [*candidates, candidates[2]]
        ),
        "reasoning.main": write(folder / "reasoning_main.csv", REASONING_MAIN, chains),
        "reasoning.candidates": write(
            folder / "reasoning_candidates.csv", REASONING_CANDIDATES, slips
        ),
    }


def input_flags(files: dict[str, Path]) -> list[str]:
    """The flags by which a script takes these files."""
    return [word for name, path in files.items() for word in ("--input", f"{name}={path}")]
