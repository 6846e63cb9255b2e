"""What a generation run is to do, and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.generation.generator import Settings
from banglahallueval.generation.patterns import Frame
from banglahallueval.generation.sources import COLUMNS
from banglahallueval.io.tables import Cells
from banglahallueval.models.options import ClientOptions
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.tasks import TASKS, TaskName


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """What to make candidates from, with which model, and where to.

    Attributes:
        task: The task.
        input: The gold file.
        output: The candidate file.
        columns: Role to column name, where they are not the published ones.
        patterns: The patterns to make.
        in_turn: Whether each source gets one of them in turn, not all.
        pilot: Number of source rows to draw; None for all.
        sentence_gold: Whether gold answers that are bare spans are made sentences first.
        frame: The prompt.
        settings: How candidates are asked for; its seed is that of the draw, too.
        client: The model and how it is asked.
        rows: The source rows.
        options: What to do with files that exist, and what to show.
    """

    task: TaskName
    input: Path
    output: Path
    columns: Mapping[str, str]
    patterns: tuple[str, ...]
    in_turn: bool
    pilot: int | None
    sentence_gold: bool
    frame: Frame
    settings: Settings
    client: ClientOptions
    rows: RowRange
    options: RunOptions

    @property
    def output_columns(self) -> tuple[str, ...]:
        """The columns of the candidate file."""
        return COLUMNS[self.task]

    @property
    def written_column(self) -> str:
        """The column with the hallucinated output."""
        return TASKS[self.task].outputs["candidates"][0]

    @property
    def main_file(self) -> Path:
        """Where `--sentence-gold` puts the gold file whose answers are sentences."""
        return self.output.with_name(f"{self.output.stem}_main.csv")


@dataclass(slots=True)
class Tally:
    """Counts over a run.

    Attributes:
        made: Candidates asked for in this run.
        rows: Rows of the output by their `checks` cell.
        first, final: Number of candidates of this run that failed each check at first, and in the
            end.
        mended: Candidates that failed at first and pass in the end.
        rejected: Candidates of this run that were left blank since they may be right or could not
            be read, by their failed checks.
        unanswered: Candidates of this run that got no reply, by reason.
        blank: Sources that lack a text.
        unwritten: Gold spans for which no sentence could be had.
        pairs: Per candidate of this run its cells with the first output and with what was written.
    """

    made: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)
    final: Counter[str] = field(default_factory=Counter)
    mended: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    blank: int = 0
    unwritten: int = 0
    pairs: list[tuple[Cells, Cells]] = field(default_factory=list)
