"""The rows of a labelling run: which to judge, which labels to keep, and the file they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from banglahallueval.io.flagged import FlaggedRows
from banglahallueval.io.labelled import (
    JUDGED,
    KEPT,
    ORIGIN_COLUMN,
    LabelledOutput,
    output_cells,
)
from banglahallueval.io.layouts import Layout
from banglahallueval.io.tables import Cells, RowWriter, Table
from banglahallueval.judges.hybrid import settled_label
from banglahallueval.judges.llm import thinking_budget
from banglahallueval.judges.offline import OfflineJudge, judge_offline
from banglahallueval.judges.panel import unanswered
from banglahallueval.judges.types import Judge
from banglahallueval.labelling.plan import Plan
from banglahallueval.models.chat import is_expected_to_think
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.prices import Estimate, estimate
from banglahallueval.runs.earlier import EarlierRows
from banglahallueval.runs.table_run import TableRun
from banglahallueval.verdicts import Verdict


@dataclass(slots=True)
class Tally:
    """Counts over an output.

    Attributes:
        labels: Rows by label.
        reasons: Unknown rows by reason.
        kept: Rows by label whose label is of unknown origin; they are among `labels`.
        judged: Rows judged in this run.
        unanswered: Rows of this run that got no reply.
        votes_missing: Rows on which a member of a panel gave no reply, by its slug.
    """

    labels: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    judged: int = 0
    unanswered: int = 0
    votes_missing: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict, *, judged: bool) -> None:
        """Count one row."""
        self.labels[verdict.label] += 1
        self.judged += judged
        self.votes_missing.update(unanswered(verdict.details))
        if verdict.label == "unknown":
            self.reasons[verdict.reason or "reason not recorded"] += 1
            self.unanswered += judged and verdict.reason.startswith("no reply")


class LabelRun:
    """The rows of one labelled file.

    Attributes:
        plan: What to label, with which judge.
        table: The input.
        layout: Where it keeps the items.
        rows: What is kept and what is to judge.
        dropped: Columns of the earlier output that the new one will not have.
        first: The cells of the first row to judge.
        characters: Code points of the prompts of all rows to judge.
        longest: Code points of the longest of these prompts.
        flagged: Number of rows of the slice that are left out: they fail a generation check.
    """

    def __init__(
        self,
        plan: Plan,
        table: Table,
        layout: Layout,
        done: tuple[tuple[int, int], ...] = (),
        *,
        origin_known: bool = True,
    ) -> None:
        """Open the earlier output, if there is one to add to.

        Args:
            plan: What to label, with which judge.
            table: The input.
            layout: Where it keeps the items.
            done: The slices, first row and row after the last, that earlier runs labelled.
            origin_known: Whether a run record tells who labelled the earlier output.

        Raises:
            UsageError: If the output exists and may neither be added to nor replaced, or is not
                this input's.
        """
        plan.rows.check()
        self.plan = plan
        self.table = table
        self.layout = layout
        self.first: Cells | None = None
        # Only a dry run counts these: a run that asks comes to them row by row.
        self.settled = 0
        self._counts_settled = plan.judge.name == "hybrid" and plan.options.dry_run
        self.characters = 0
        self.longest = 0
        self.flagged = 0
        self.dropped: list[str] = []
        self._origin_known = origin_known
        self._flagged = FlaggedRows(() if plan.keep_flagged else table.columns)
        earlier = None
        self._earlier: LabelledOutput | None = None
        if plan.options.adds_to(plan.output):
            self._earlier = LabelledOutput(plan.output, table.columns, layout)
            earlier = EarlierRows(self._earlier.table, self._earlier.key, self._earlier.is_settled)
            self.dropped = self._earlier.dropped_columns(plan.output_columns)
        self.rows: TableRun[Cells] = TableRun(
            table.path,
            table.rows,
            self._earlier.input_key if self._earlier else lambda cells: b"",
            earlier=earlier,
            selected=lambda row, cells: row in plan.rows and self._is_wanted(cells),
            was_selected=lambda row, cells: (
                any(start <= row < end for start, end in done) and self._is_wanted(cells)
            ),
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the output."""
        marks = (ORIGIN_COLUMN,) if self._marks_origin else ()
        return (*self.table.columns, *self.plan.output_columns, *marks)

    @property
    def _marks_origin(self) -> bool:
        return self._earlier is not None and (self._earlier.marks_origin or not self._origin_known)

    @property
    def end(self) -> int:
        """The row after the last of the slice."""
        return self.plan.rows.end_in(self.rows.units, self.table.path)

    def _is_wanted(self, cells: Cells) -> bool:
        return cells not in self._flagged

    def survey(self) -> None:
        """Read the whole input once and settle what there is to judge.

        Raises:
            UsageError: If the input is malformed, the slice is outside it, or the earlier output
                is that of another input.
        """
        self.rows.survey(self._measure)
        if self._flagged.known:
            self.flagged = sum(
                row in self.plan.rows and cells in self._flagged
                for row, cells in enumerate(self.table.rows())
            )
        self.plan.rows.end_in(self.rows.units, self.table.path)

    def _measure(self, cells: Cells) -> None:
        prompt = self.plan.judge.prompt
        item = self.layout.item(cells)
        if self._counts_settled and settled_label(judge_offline(item)):
            self.settled += 1
            return
        if self.first is None:
            self.first = cells
        if prompt is None:
            return
        shown = {slot: text for slot, text in item.slots().items() if slot in prompt.slots}
        if "evidence" in shown:
            # The checked calculations of a chain are about as long as the chain.
            shown["evidence"] = item.reference or item.output
        size = prompt.size + sum(map(len, shown.values()))
        self.longest = max(self.longest, size)
        self.characters += size

    def estimate(self) -> Estimate:
        """Estimate what judging the rows will need of all models, once they are surveyed."""
        return sum(map(self.estimate_of, self.plan.judge.clients), Estimate())

    def estimate_of(self, client: ClientOptions) -> Estimate:
        """Estimate what judging the rows will need of one of the judge's models."""
        judge = self.plan.judge
        if judge.prompt is None:
            return Estimate()
        thinks = is_expected_to_think(client)
        usual = thinking_budget(judge.prompt) if thinks else judge.prompt.max_tokens
        requests = (self.rows.to_do - self.settled) * judge.replies_per_row
        return estimate(
            client.provider,
            client.model,
            requests=requests,
            characters=self.characters * judge.replies_per_row,
            reply_tokens=requests * (client.max_tokens or usual),
        )

    async def label(
        self,
        judge: Judge,
        writer: RowWriter,
        *,
        again: int = 0,
        tally: Tally | None = None,
        on_verdict: Callable[[Verdict], None] = lambda verdict: None,
    ) -> Tally:
        """Judge the rows and write the output: the union of what was there and this slice.

        Args:
            judge: Who judges.
            writer: Writes a row of `columns`.
            again: Number of earlier runs in which the unknown rows were asked.
            tally: Where to count, so that a caller sees the counts of a run that is broken off.
            on_verdict: Called with each verdict as it is reached.

        Raises:
            RunError: If the run cannot go on.
        """
        counts = tally if tally is not None else Tally()
        columns = self.plan.judge.columns
        marks = [JUDGED] if self._marks_origin else []

        def judged(cells: Cells, verdict: Verdict) -> Cells:
            on_verdict(verdict)
            counts.add(verdict, judged=True)
            return cells + output_cells(verdict, columns) + marks

        async def work(cells: Cells, before: Cells | None) -> Cells:
            verdict = await judge.judge(self.layout.item(cells), again if before else 0)
            return judged(cells, verdict)

        def keep(cells: Cells, before: Cells) -> Cells:
            assert self._earlier is not None
            verdict = self._earlier.verdict(before, columns)
            counts.add(verdict, judged=False)
            row = cells + output_cells(verdict, columns)
            if not self._marks_origin:
                return row
            origin = self._earlier.origin(before) if self._origin_known else KEPT
            if origin == KEPT:
                counts.kept[verdict.label] += 1
            return [*row, origin]

        if isinstance(judge, OfflineJudge):
            await self.rows.write_computed(
                writer,
                self.layout.item,
                judge.judge_all,
                judged,
                keep,
                processes=self.plan.workers,
            )
        else:
            await self.rows.write(writer, work, keep, workers=self.plan.judge.concurrency)
        return counts
