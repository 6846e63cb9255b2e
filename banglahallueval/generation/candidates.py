"""The rows of a candidate file: which are made, which are kept, and how each is written."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from banglahallueval.errors import UsageError
from banglahallueval.generation.checks import Candidate
from banglahallueval.generation.generator import Generator, reply_budget
from banglahallueval.generation.patterns import PATTERNS
from banglahallueval.generation.plan import GenerationPlan, Tally
from banglahallueval.generation.siblings import Sibling, Siblings
from banglahallueval.generation.sources import Source, row_key, sources
from banglahallueval.io.layouts import Layout
from banglahallueval.io.tables import Cells, RowWriter, Table, writing
from banglahallueval.models.types import ModelError
from banglahallueval.runs.earlier import EarlierRows
from banglahallueval.runs.progress import progress_bar
from banglahallueval.runs.table_run import TableRun
from banglahallueval.tasks import Task
from banglahallueval.text.bangla import closing_mark

# A candidate: the gold row it is made from, and the pattern of its hallucination.
Unit = tuple[Source, str]


class CandidateRun:
    """The rows of one candidate file.

    Attributes:
        plan: What to make.
        table: The gold file.
        layout: Where it keeps the items.
        rows: What is kept and what is to make.
        source_rows: Number of rows of the gold file.
        chosen: The source rows that candidates are made from, with the patterns of each.
        first: The first candidate to make.
        longest: Code points of the longest source.
        characters: Code points of the prompts of all candidates to make.
        reply_tokens: Their reply budgets added up.
    """

    def __init__(self, plan: GenerationPlan, table: Table, layout: Layout) -> None:
        """Open the earlier output, if there is one to add to.

        Raises:
            UsageError: If the output exists and may neither be added to nor replaced, or has
                other columns.
        """
        self.plan = plan
        self.table = table
        self.layout = layout
        self.source_rows = 0
        self.chosen: dict[int, tuple[str, ...]] = {}
        self.first: Unit | None = None
        self.longest = 0
        self.characters = 0
        self.reply_tokens = 0
        self.rows: TableRun[Unit] = TableRun(
            table.path, self._units, self._key, earlier=self._earlier(), selected=self._is_selected
        )

    def survey(self) -> None:
        """Read the gold file and settle what there is to make.

        Raises:
            UsageError: If the file is malformed, the slice is outside it, or the earlier output
                is that of another file.
        """
        plan = self.plan
        plan.rows.check()
        self.source_rows = sum(1 for _ in self.table.rows())
        rows = list(range(plan.rows.start, plan.rows.end_in(self.source_rows, self.table.path)))
        if plan.pilot is not None and plan.pilot < len(rows):
            rows = sorted(random.Random(plan.settings.seed).sample(rows, plan.pilot))
        for turn, row in enumerate(rows):
            place = row if plan.pilot is None else turn
            own = (plan.patterns[place % len(plan.patterns)],) if plan.in_turn else plan.patterns
            self.chosen[row] = own
        self.rows.survey(self._measure)

    def _measure(self, unit: Unit) -> None:
        source, pattern = unit
        item, frame = source.item, self.plan.frame
        size = len(item.question) + len(item.context) + len(item.output)
        self.longest = max(self.longest, size)
        self.characters += size + len(frame.text) + sum(map(len, frame.methods[pattern]))
        _, longest = self.plan.settings.limits.bounds(item.output)
        self.reply_tokens += reply_budget(self.plan.settings, longest)
        self.first = self.first or unit

    def _units(self) -> Iterator[Unit]:
        for source in sources(self.table, self.layout):
            for pattern in PATTERNS[self.plan.task]:
                yield source, pattern

    def _key(self, unit: Unit) -> bytes:
        source, pattern = unit
        known = source.known_cells(pattern)
        columns = self.plan.output_columns
        return row_key(columns, [known.get(name, "") for name in columns])

    def _is_selected(self, place: int, unit: Unit) -> bool:
        source, pattern = unit
        return pattern in self.chosen.get(source.row, ())

    def _earlier(self) -> EarlierRows | None:
        plan = self.plan
        if not plan.options.adds_to(plan.output):
            return None
        table = Table(plan.output)
        if table.columns != plan.output_columns:
            raise UsageError(
                f"{plan.output} has not the columns of a candidate file of {plan.task} made here; "
                "name another --output, or --overwrite it"
            )
        at = table.columns.index(plan.written_column)
        return EarlierRows(
            table,
            lambda cells: row_key(table.columns, cells),
            lambda number, cells: bool(cells[at].strip()),
        )

    async def write(self, generator: Generator, writer: RowWriter, tally: Tally) -> None:
        """Make the candidates and write the output: the union of what was there and these.

        Args:
            generator: Makes one candidate.
            writer: Writes one row.
            tally: Where to count, so that a caller sees the counts of a run that is broken off.

        Raises:
            RunError: If the run cannot go on.
        """
        plan = self.plan

        async def work(unit: Unit, before: Cells | None) -> Cells:
            source, pattern = unit
            sibling = siblings.announce(source.row)
            try:
                if plan.sentence_gold and not source.blank:
                    source = await _with_sentence(generator, source)
                cells = await self._candidate(generator, source, pattern, sibling, tally)
                sibling.settle(cells[written])
            finally:  # a run that breaks off leaves nobody waiting
                sibling.settle("")
            bar.update(1)
            return cells

        def keep(unit: Unit, before: Cells) -> Cells:
            siblings.announce(unit[0].row).settle(before[written])
            tally.rows[before[-1]] += 1
            return before

        siblings = Siblings()
        written = plan.output_columns.index(plan.written_column)

        with progress_bar(
            self.rows.to_do, plan.output.stem, "candidate", quiet=plan.options.quiet
        ) as bar:
            await self.rows.write(writer, work, keep, workers=plan.client.concurrency)
            if plan.sentence_gold:
                await self._write_main(generator, tally)

    async def _candidate(
        self, generator: Generator, source: Source, pattern: str, sibling: Sibling, tally: Tally
    ) -> Cells:
        tally.made += 1
        if source.blank:
            tally.blank += 1
            tally.rows["blank source"] += 1
            return self._cells(source, pattern, {"checks": "blank source"})
        made = await generator.make(source, pattern, sibling.earlier)
        checks = made.unanswered or "; ".join(made.failed) or "ok"
        tally.rows[checks] += 1
        tally.first.update(made.first_failed)
        tally.final.update(made.failed)
        tally.mended += bool(made.first_failed and not made.failed)
        if made.unanswered:
            tally.unanswered[made.unanswered] += 1
        elif made.is_lost:
            tally.rejected[checks] += 1
        named = {"generator": generator.client.model.model, "checks": checks}
        task = self.layout.task
        output = {} if made.is_lost else _written(task, source, made.kept)
        kept = self._cells(source, pattern, {**output, **named})
        if not made.unanswered:
            first = _written(task, source, made.first)
            tally.pairs.append((self._cells(source, pattern, {**first, **named}), kept))
        return kept

    def _cells(self, source: Source, pattern: str, written: Mapping[str, str]) -> Cells:
        cells = {**source.known_cells(pattern), **written}
        return [cells.get(name, "") for name in self.plan.output_columns]

    async def _write_main(self, generator: Generator, tally: Tally) -> None:
        """Write the gold file that goes with the candidates, with sentences for spans."""
        gold = self.layout.positions[self.layout.task.output_role]
        columns = (*self.table.columns, "gold_span")
        rows = zip(sources(self.table, self.layout), self.table.rows(), strict=True)
        with writing(self.plan.main_file, columns) as writer:
            for source, cells in rows:
                if source.row not in self.chosen:
                    continue
                # Every sentence is in the store by now, so nothing is asked a second time.
                whole = source if source.blank else await _with_sentence(generator, source)
                tally.unwritten += not closing_mark(whole.item.output) and not source.blank
                row = [*cells, cells[gold]]
                row[gold] = whole.gold_cell
                writer.writerow(row)


def _written(task: Task, source: Source, candidate: Candidate) -> dict[str, str]:
    """Build the cells that the model wrote."""
    text = candidate.text
    if not task.is_chain:
        return {task.outputs["candidates"][0]: text}
    # A gold solution closes with its final answer; a chain that does not is told by that alone.
    line = source.closing_line.format(candidate.final) if text and candidate.final else ""
    return {
        "hallucinated_chain": text + line,
        "error_step": candidate.error_step,
        "error_type": candidate.error_type,
        "hallucinated_answer": candidate.final,
    }


async def _with_sentence(generator: Generator, source: Source) -> Source:
    """Return the source with its gold answer as a sentence, where the model writes one."""
    try:
        sentence = await generator.sentence(source)
    except ModelError:
        sentence = None
    return source.with_gold(sentence) if sentence else source
