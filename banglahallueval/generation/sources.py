"""Where candidates come from: a gold row, and what a candidate's row says of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from banglahallueval.hashing import digest
from banglahallueval.io.flagged import CHECKS, WRITER
from banglahallueval.io.layouts import Layout
from banglahallueval.io.tables import Cells, Table
from banglahallueval.tasks import TASKS, Item, TaskName

# The columns of a candidate file as published, then ours.
ADDED = (WRITER, CHECKS)
_QA = ("id", "source_id", "pattern", "context", "question", "right_answer", "hallucinated_answer")
COLUMNS: dict[TaskName, tuple[str, ...]] = {
    "qa": (*_QA, *ADDED),
    "codemix": (
        *("id", "source_id", "pattern", "codemix_context", "codemix_question", "codemix_answer"),
        *("hallucinated_answer", *ADDED),
    ),
    "summarization": (
        *("id", "source_id", "pattern", "document", "right_summary", "hallucinated_summary"),
        *ADDED,
    ),
    "reasoning": (
        *("id", "source_id", "question_id", "hallucination_type", "question", "answer"),
        *("reasoning_len", "hallucinated_chain", "error_step", "error_type"),
        *("hallucinated_answer", *ADDED),
    ),
}
# Which of them the model writes; the others are known before it is asked.
WRITTEN = {
    "hallucinated_answer",
    "hallucinated_summary",
    "hallucinated_chain",
    "error_step",
    "error_type",
    *ADDED,
}


@dataclass(frozen=True, slots=True)
class Source:
    """A gold row.

    Attributes:
        row: Its 0-based row in the input.
        id: Its own id, or its row number from 1 where it has none.
        occurrence: Which row with this id it is, from 1.
        repetition: How many rows before it hold the same texts.
        question_id: Reasoning only: the id of the problem.
        item: Its texts; the output is the gold one.
        gold_cell: The gold output as the file has it, with the `#### …` line of a solution.
    """

    row: int
    id: str
    occurrence: int
    repetition: int
    question_id: str
    item: Item
    gold_cell: str

    @property
    def blank(self) -> bool:
        """Whether something is missing that a candidate is made from."""
        texts = (self.item.output, self.item.evidence, self.item.question or self.item.context)
        return not all(text.strip() for text in texts)

    @property
    def closing_line(self) -> str:
        """The `#### …` line that closes a gold solution, with `{}` for its number; or nothing."""
        tail = self.gold_cell[len(self.item.output) :]
        if not TASKS[self.item.task].is_chain or "####" not in tail:
            return ""
        head, _, _ = tail.partition("####")
        return f"{head}#### {{}}"

    def candidate_id(self, pattern: str) -> str:
        """Build the id `ID::PATTERN`, with `#2`, `#3`, … where the source id repeats."""
        again = f"#{self.occurrence}" if self.occurrence > 1 else ""
        return f"{self.id}::{pattern}{again}"

    def known_cells(self, pattern: str) -> dict[str, str]:
        """Build a candidate row's cells that do not come from the model, by column."""
        item = self.item
        cells = {"id": self.candidate_id(pattern), "source_id": self.id}
        match item.task:
            case "qa":
                cells |= {"context": item.context, "right_answer": self.gold_cell}
                cells |= {"pattern": pattern, "question": item.question}
            case "codemix":
                cells |= {"codemix_context": item.context, "codemix_answer": self.gold_cell}
                cells |= {"pattern": pattern, "codemix_question": item.question}
            case "summarization":
                cells |= {"document": item.context, "right_summary": self.gold_cell}
                cells |= {"pattern": pattern}
            case "reasoning":
                cells |= {"question_id": self.question_id, "hallucination_type": pattern}
                cells |= {"question": item.question, "answer": self.gold_cell}
                cells |= {"reasoning_len": str(reasoning_length(self.gold_cell))}
        return cells

    def with_gold(self, gold: str) -> Source:
        """Return the same source with another gold output."""
        return replace(self, item=replace(self.item, output=gold), gold_cell=gold)


def sources(table: Table, layout: Layout) -> Iterator[Source]:
    """Yield every gold row of a table, in file order."""
    seen: Counter[str] = Counter()
    same: Counter[bytes] = Counter()
    at = {name: i for i, name in enumerate(table.columns)}
    # A problem's own id goes into question_id; the published source_id counts the rows.
    names = ("id", "source_id") if layout.task.is_chain else (layout.id or "",)
    id_at = next((at[name] for name in names if name in at), None)
    for row, cells in enumerate(table.rows()):
        item = layout.item(cells)
        own_id = cells[id_at].strip() if id_at is not None else ""
        own_id = own_id or str(row + 1)
        seen[own_id] += 1
        question_id = ""
        if layout.task.is_chain:
            given = cells[at["question_id"]] if "question_id" in at else ""
            question_id = given or hashlib.sha1(item.question.encode()).hexdigest()
        gold_cell = cells[layout.positions[layout.task.output_role]]
        texts = digest((item.question, item.context, gold_cell))
        yield Source(row, own_id, seen[own_id], same[texts], question_id, item, gold_cell)
        same[texts] += 1


def row_key(columns: Sequence[str], cells: Cells) -> bytes:
    """Compute what candidate rows are matched by: all that is known before the model is asked.

    The gold output is left out, since `--sentence-gold` rewrites it.
    """
    gold = {"right_answer", "codemix_answer"}
    known = [c for name, c in zip(columns, cells, strict=True) if name not in WRITTEN | gold]
    return digest(known)


def reasoning_length(solution: str) -> int:
    """Count the code points of a solution without its `#### …` part and edge spaces."""
    return len(solution.partition("####")[0].strip())
