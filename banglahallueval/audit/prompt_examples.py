"""Benchmark rows that a prompt shows as an example: models have been told their labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from banglahallueval import prompts
from banglahallueval.audit.checks import Check, count_rows
from banglahallueval.audit.sides import Side, fold
from banglahallueval.tasks import Item, TaskName

_SHORTEST = 20  # code points that a question or context must have to be recognised


def check_prompt_examples(side: Side) -> Iterator[Check]:
    """Check that no prompt of the task shows one of the file's rows."""
    texts = _prompt_texts(side.layout.task.name)
    shown = [[name for name, text in texts.items() if _shows(text, item)] for item in side.items]
    named = sorted({name for each in shown for name in each})
    check = count_rows(side, "rows that a prompt shows as an example", list(map(bool, shown)), 0)
    yield replace(check, detail=", ".join(named))


def _shows(text: str, item: Item) -> bool:
    parts = [fold(part) for part in (item.question, item.context)]
    return any(len(part) >= _SHORTEST and part in text for part in parts)


@cache
def _prompt_texts(task: TaskName) -> dict[str, str]:
    return {name: fold(prompts.template(name)) for name in prompts.all_names(task)}
