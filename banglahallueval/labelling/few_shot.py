"""Few-shot prompts: their examples are drawn with the rows to judge in view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from banglahallueval.io.examples import ExampleOptions, draw_examples
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.prompts import Prompt
from banglahallueval.tasks import Item, TaskName


def with_drawn(
    prompt: Prompt,
    task: TaskName,
    options: ExampleOptions,
    judged: Iterable[Path],
    columns: Mapping[str, str] | None = None,
) -> Prompt:
    """Give a prompt examples that share no source with any row of the files to judge.

    Rows outside a slice count, too, so that all slices of a file are asked alike.

    Args:
        prompt: A prompt with a slot for examples.
        task: The task.
        options: How many examples, and where from.
        judged: The files to judge.
        columns: Role to column name, where they are not the published ones.

    Raises:
        UsageError: If a file cannot be read, or too few examples are left.
    """
    items = (item for path in judged for item in _items(path, task, columns or {}))
    return prompt.with_examples(*draw_examples(task, options, items))


def _items(path: Path, task: TaskName, columns: Mapping[str, str]) -> Iterator[Item]:
    table = Table(path)
    layout = find_layout(table.columns, task, None, columns, where=str(path))
    yield from map(layout.item, table.rows())
