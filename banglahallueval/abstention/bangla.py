"""Ask the questions of the benchmark's own tasks: QA with and without passage, code-mixed QA."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from banglahallueval.abstention.questions import draw
from banglahallueval.abstention.types import Question
from banglahallueval.abstention.unanswerable import Mixed, count_unanswerable
from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.paths import repository_root, short
from banglahallueval.io.tables import Table
from banglahallueval.runs.summary import read_as
from banglahallueval.tasks import TASKS, Item, TaskName

BanglaTask = Literal["qa", "qa-closed", "codemix"]


@dataclass(frozen=True, slots=True)
class _Asked:
    question: Question
    item: Item


def main_file(task: BanglaTask) -> Path:
    """Return the published main file of a task.

    Raises:
        UsageError: If the package does not run from a clone of the repository.
    """
    return repository_root() / TASKS[_name(task)].files["main"]


def read_bangla(
    task: BanglaTask,
    path: Path,
    *,
    limit: int | None = None,
    idk_frac: float = 0.0,
    seed: int = 1234,
) -> Mixed:
    """Read the main rows of a task as questions, in file order; say what could not be used.

    The gold answer is the right one of the file, the source the passage. An unanswerable question
    is one that is shown with another source's passage, of the same topic unless too few are.

    Args:
        task: qa and codemix show the passage, qa-closed shows the question alone.
        path: The file.
        limit: Maximum number of questions, drawn at random.
        idk_frac: Fraction of them to make unanswerable, in [0, 1]; 0 for qa-closed.
        seed: Decides what is drawn and converted.

    Raises:
        UsageError: If the file cannot be read or has no question, a number is out of range, or no
            question can be made unanswerable although some are to be.
    """
    is_closed = task == "qa-closed"
    if is_closed and idk_frac:
        raise UsageError(
            "--idk-frac exchanges passages, and qa-closed shows none; take --task qa or codemix"
        )
    everything = list(_read(_name(task), path, is_closed))
    drawn = draw(everything, limit, seed)
    mixed = _exchange_passages(drawn, [each.item.context for each in everything], idk_frac, seed)
    mixed.report("show a passage of another topic")
    return mixed


def _name(task: BanglaTask) -> TaskName:
    return "codemix" if task == "codemix" else "qa"


def _read(name: TaskName, path: Path, is_closed: bool) -> Iterator[_Asked]:
    """Yield the rows of a file that have all their texts."""
    table = Table(path)
    read_as(table)
    layout = find_layout(table.columns, name, "main", where=short(path))
    id_at = table.columns.index(layout.id) if layout.id else None
    seen: Counter[str] = Counter()
    blank = 0
    for row, cells in enumerate(table.rows(), 1):
        item = layout.item(cells)
        if not all(text.strip() for text in (item.question, item.context, item.output)):
            blank += 1
            continue
        own_id = (cells[id_at].strip() if id_at is not None else "") or str(row)
        seen[own_id] += 1
        repeated = f"#{seen[own_id]}" if seen[own_id] > 1 else ""  # the published file has some
        question = Question(
            id=own_id + repeated,
            text=item.question if is_closed else _with_passage(item.context, item.question),
            gold=item.output,
            source=_key(item.context),
        )
        yield _Asked(question, item)
    if blank:
        print(f"Note: {short(path)}: {blank} rows lack a text and are left out")
    if not seen:
        raise UsageError(f"{short(path)} has no rows with passage, question and answer")


def _with_passage(passage: str, question: str) -> str:
    return f"অনুচ্ছেদ: {passage}\n\nপ্রশ্ন: {question}"


def _key(passage: str) -> str:
    return digest([passage]).hex()


def _exchange_passages(
    asked: Sequence[_Asked], passages: Sequence[str], frac: float, seed: int
) -> Mixed:
    """Show some questions with a passage that does not answer them; each is shown so once.

    Only where too few find one of their topic, others are shown with one of another topic.
    """
    wanted = count_unanswerable(len(asked), frac)
    questions = [each.question for each in asked]
    if not wanted:
        return Mixed(questions, wanted, 0)
    from banglahallueval.abstention.passages import Passages  # what searches: a second

    index = Passages(passages)
    taken: set[str] = set()
    order = random.Random(seed).sample(range(len(asked)), len(asked))
    of_topic = 0
    for any_topic in (False, True):
        for place in order:
            if len(taken) == wanted:
                break
            if questions[place].unknown_ok:
                continue
            item = asked[place].item
            passage = index.unanswering(item, taken, any_topic=any_topic)
            if passage is not None:
                taken.add(passage)
                of_topic += not any_topic
                questions[place] = replace(
                    questions[place],
                    text=_with_passage(passage, item.question),
                    gold="",
                    unknown_ok=True,
                    source=_key(passage),
                )
    return Mixed(questions, wanted, len(taken), unlike=len(taken) - of_topic)
