"""The rows of a code-mixed file: which are converted, which are kept, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.generation import codemix
from banglahallueval.generation.anchoring import anchored
from banglahallueval.generation.codemix import Converted, Spelling
from banglahallueval.generation.quality import Quality
from banglahallueval.hashing import digest
from banglahallueval.io.layouts import Layout, find_layout
from banglahallueval.io.paths import keep_apart
from banglahallueval.io.tables import Cells, RowWriter, Table
from banglahallueval.models.client import Client
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.types import ModelError
from banglahallueval.runs.earlier import EarlierRows
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.runs.progress import progress_bar
from banglahallueval.runs.summary import read_as
from banglahallueval.runs.table_run import TableRun

# A row of the gold file: its place, which decides its spellings, and its cells.
Unit = tuple[int, Cells]

ADDED = ("codemix_context", "codemix_question", "codemix_answer", "generator", "checks")


@dataclass(frozen=True, slots=True)
class ConversionPlan:
    """What to convert, by whom, and where to.

    Attributes:
        input: The Bangla gold file.
        output: The code-mixed file.
        columns: Role to column name, where they are not the published ones.
        client: The model and how it is asked; None to transliterate without one.
        spelling_variation: Share of words, 0 to 1, that get another common spelling.
        temperature: Sampling temperature.
        tries: Maximum number of requests a row.
        seed: Of sampling and of the spellings.
        rows: The rows to convert.
        options: What to do with files that exist, and what to show.
    """

    input: Path
    output: Path
    columns: Mapping[str, str]
    client: ClientOptions | None
    spelling_variation: float
    temperature: float
    tries: int
    seed: int
    rows: RowRange
    options: RunOptions

    @property
    def writer(self) -> str:
        """Who writes the texts: the model's name, or `transliteration`."""
        return self.client.model if self.client else codemix.OFFLINE


@dataclass(slots=True)
class Tally:
    """Counts over a run.

    Attributes:
        made: Rows of this run.
        passed: Number of them that pass every check.
        first, final: Number of them that failed each check at first, and in the end.
        mended: Number of them that failed at first and passed when they were asked again.
        unanswered: Rows without a reply, by reason.
        quality: How the whole output is spelled, rows of earlier runs included.
    """

    made: int = 0
    passed: int = 0
    first: Counter[str] = field(default_factory=Counter)
    final: Counter[str] = field(default_factory=Counter)
    mended: int = 0
    unanswered: Counter[str] = field(default_factory=Counter)
    quality: Quality = field(default_factory=Quality)


class ConversionRun:
    """The rows of one code-mixed file.

    Attributes:
        plan: What to convert.
        table: The gold file.
        layout: Where it keeps the items.
        rows: What is kept and what is to convert.
        first: The first row to convert.
        longest: Code points of the longest row to convert.
        characters: Code points of the texts of all rows to convert.
        reply_tokens: Their reply budgets added up.
    """

    def __init__(self, plan: ConversionPlan) -> None:
        """Open the input and the earlier output, if there is one to add to.

        Raises:
            UsageError: If a file is not what the plan takes it for.
        """
        plan.rows.check()
        self.plan = plan
        self.table = Table(plan.input)
        where = str(plan.input)
        self.layout: Layout = find_layout(self.table.columns, "qa", "main", plan.columns, where)
        self.first: dict[str, str] | None = None
        self.longest = 0
        self.characters = 0
        self.reply_tokens = 0
        keep_apart(plan.input, output=plan.output)
        read_as(self.table)
        taken = [name for name in ADDED if name in self.table.columns]
        if taken:
            raise UsageError(f"{plan.input} already has the column {taken[0]!r}")
        self.rows: TableRun[Unit] = TableRun(
            plan.input,
            lambda: enumerate(self.table.rows()),
            lambda unit: digest(unit[1]),
            earlier=self._earlier(),
            selected=lambda row, unit: row in plan.rows,
        )

    def survey(self) -> None:
        """Read the input once and settle what there is to convert.

        Raises:
            UsageError: If it is malformed, the slice is outside it, or the earlier output is that
                of another input.
        """
        self.rows.survey(self._measure)
        self.plan.rows.end_in(self.rows.units, self.plan.input)

    def _measure(self, unit: Unit) -> None:
        item = self._item(unit[1])
        self.first = self.first or item
        size = sum(map(len, item.values()))
        self.longest = max(self.longest, size)
        self.characters += size
        self.reply_tokens += codemix.budget(item)

    def _earlier(self) -> EarlierRows | None:
        plan = self.plan
        if not plan.options.adds_to(plan.output):
            return None
        table = Table(plan.output)
        if table.columns != (*self.table.columns, *ADDED):
            raise UsageError(
                f"{plan.output} has other columns than this run writes; name another --output, "
                "or --overwrite it"
            )
        width = len(self.table.columns)
        return EarlierRows(
            table,
            lambda cells: digest(cells[:width]),
            lambda number, cells: bool(cells[width].strip()),
        )

    async def write(self, client: Client | None, writer: RowWriter, tally: Tally) -> None:
        """Convert the rows and write the output: the union of what was there and these.

        Args:
            client: Asks the model; None to transliterate without one.
            writer: Writes one row.
            tally: Where to count, so that a caller sees the counts of a run that is broken off.

        Raises:
            RunError: If the run cannot go on.
        """
        plan = self.plan
        spelling = Spelling(plan.spelling_variation, plan.seed)

        async def work(unit: Unit, before: Cells | None) -> Cells:
            row, cells = unit
            item = self._item(cells)
            tally.made += 1
            if not all(text.strip() for text in item.values()):
                tally.final["blank source"] += 1
                bar.update(1)
                return [*cells, "", "", "", "", "blank source"]
            try:
                made = await _convert(client, item, plan)
            except ModelError as error:
                reason = f"no reply: {error.cause}"
                tally.unanswered[reason] += 1
                return [*cells, "", "", "", plan.writer, reason]
            finally:
                bar.update(1)
            mixed = anchored(item, spelling.vary(made.texts, row))
            failed = made.failed
            if not any(name in failed for name in ("cut off", "not JSON")):
                failed = codemix.failures_of(item, mixed)
            tally.first.update(made.first_failed)
            tally.final.update(failed)
            tally.passed += not failed
            tally.mended += bool(made.first_failed) and not failed
            texts = [mixed[name] for name in codemix.FIELDS]
            count(item, texts)
            return [*cells, *texts, plan.writer, "; ".join(failed) or "ok"]

        def keep(unit: Unit, before: Cells) -> Cells:
            width = len(self.table.columns)
            count(self._item(unit[1]), before[width : width + len(codemix.FIELDS)])
            return before

        def count(item: Mapping[str, str], texts: list[str]) -> None:
            for name, text in zip(codemix.FIELDS, texts, strict=True):
                if text:
                    tally.quality.add(item[name], text)

        with progress_bar(self.rows.to_do, plan.output.stem, quiet=plan.options.quiet) as bar:
            await self.rows.write(
                writer,
                work,
                keep,
                workers=plan.client.concurrency if plan.client else 1,
            )

    def _item(self, cells: Cells) -> dict[str, str]:
        item = self.layout.item(cells)
        return {"context": item.context, "question": item.question, "answer": item.output}


async def _convert(
    client: Client | None, item: Mapping[str, str], plan: ConversionPlan
) -> Converted:
    if client is None:
        return Converted(codemix.convert_offline(item), ())
    return await codemix.convert(
        client, item, tries=plan.tries, temperature=plan.temperature, seed=plan.seed
    )
