"""The rows of a step: which of its input it works on, and which of its output it keeps."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.paths import keep_apart
from banglahallueval.io.tables import Cells, RowWriter, Table
from banglahallueval.models.chat import is_expected_to_think
from banglahallueval.models.prices import Estimate, estimate
from banglahallueval.runs.earlier import OPEN, EarlierRows
from banglahallueval.runs.summary import read_as
from banglahallueval.runs.table_run import TableRun
from banglahallueval.spans.building.step import (
    OK,
    Fields,
    Made,
    Step,
    StepPlan,
    Tally,
    reply_budget,
)

STATUS = "status"


@dataclass(frozen=True, slots=True)
class Unit:
    """A row to be made.

    Attributes:
        place: Its place among those that the input makes.
        row: The input row that it is made of, from 0.
        known: The cells that it has before a model is asked.
        fields: The same by column.
    """

    place: int
    row: int
    known: Cells
    fields: Fields


class StepRows:
    """The rows of one step's output.

    Attributes:
        plan: What to read and write.
        step: The step.
        columns: The columns of the output.
        rows: What is kept and what is to make.
        chosen: The place of each row to make, and the place of its model among those of the plan.
        needed: What each model will about need; rows that share a reply need it once.
        longest: Code points of the longest prompt.
        budget: The largest reply budget in tokens.
        budget_thinking: The same for a model that thinks before it answers.
        first: The first row to make.
    """

    def __init__(self, plan: StepPlan, step: Step) -> None:
        """Open the input and the earlier output, if there is one to add to.

        Raises:
            UsageError: If a file is not what the plan takes it for.
        """
        plan.rows.check()
        self.plan = plan
        self.step = step
        self._table = Table(plan.input)
        keep_apart(plan.input, output=plan.output)
        read_as(self._table)
        _check_columns(self._table, step)
        taken = [name for name in self._table.columns if name != STATUS]
        self._known = (*taken, *filter(None, (step.tells_apart,)))
        self.columns = (*self._known, step.author, *step.adds, STATUS)
        self.rows: TableRun[Unit] = TableRun(
            plan.input,
            self.units,
            lambda unit: digest(unit.known),
            earlier=self._earlier(),
            selected=lambda place, unit: unit.row in plan.rows,
        )
        self.chosen: dict[int, int] = {}
        self.needed = [Estimate() for _ in plan.models]
        self.longest = 0
        self.budget = self.budget_thinking = 0
        self._counted: set[tuple[int, bytes]] = set()
        self.first: Unit | None = None

    def survey(self) -> None:
        """Read the input once and settle what there is to make, and by which model.

        Raises:
            UsageError: If it is malformed, the slice is outside it, or the earlier output is that
                of another input.
        """
        self.rows.survey(self._measure)
        if not self.rows.units:
            raise UsageError(
                f"no row of {self.plan.input} is finished, so the step {self.step.name} has "
                "nothing to work on"
            )
        self.plan.rows.end_in(sum(1 for _ in self._table.rows()), self.plan.input)

    def units(self) -> Iterator[Unit]:
        """Give the rows that the input makes, in order; unfinished rows of it make none."""
        place = 0
        for row, cells in enumerate(self._table.rows()):
            fields = self._finished(cells)
            if fields is None:
                continue
            for part in self.step.split(fields):
                if self.step.tells_apart:
                    fields = {**fields, self.step.tells_apart: part}
                yield Unit(place, row, [fields[name] for name in self._known], fields)
                place += 1

    def left_out(self) -> int:
        """Count the rows of the slice that an earlier step did not finish."""
        rows = enumerate(self._table.rows())
        return sum(row in self.plan.rows and not self._finished(cells) for row, cells in rows)

    def is_again(self, unit: Unit) -> bool:
        """Whether an earlier run made the row without success."""
        earlier = self.rows.earlier
        return earlier is not None and OPEN in earlier.states.get(digest(unit.known), b"")

    async def write(self, writer: RowWriter, made: Mapping[int, Made], tally: Tally) -> None:
        """Write the output: the union of what was there and what was made.

        Args:
            writer: Writes one row.
            made: What was made of each unit, by its place.
            tally: Where statuses are counted.
        """

        async def work(unit: Unit, before: Cells | None) -> Cells:
            one = made[unit.place]
            author = self.plan.models[self.chosen[unit.place]].model
            cells = {self.step.author: author, **one.cells, STATUS: one.status}
            tally.statuses[one.status] += 1
            added = self.columns[len(self._known) :]
            return [*unit.known, *(cells.get(name, "") for name in added)]

        def keep(unit: Unit, before: Cells) -> Cells:
            tally.statuses[before[-1]] += 1
            return before

        await self.rows.write(writer, work, keep, workers=1)

    def _finished(self, cells: Cells) -> dict[str, str] | None:
        """Name the cells of an input row; None where a step before did not finish it."""
        fields = dict(zip(self._table.columns, cells, strict=True))
        whole = fields.pop(STATUS, OK) == OK and all(fields[n].strip() for n in self.step.needs)
        return fields if whole else None

    def _measure(self, unit: Unit) -> None:
        # The draw hangs on the row alone, so that slices choose as the whole does.
        drawn = random.Random(f"{self.plan.seed}|{digest(unit.known).hex()}")
        model = drawn.randrange(len(self.plan.models))
        self.chosen[unit.place] = model
        self.first = self.first or unit
        conversation = model, self.step.conversation(unit.fields)
        if conversation in self._counted:
            return
        self._counted.add(conversation)
        size = len(self.step.prompt(unit.fields))
        options = self.plan.models[model]
        needed = self.step.budget(unit.fields)
        budget = reply_budget(options, needed, thinking=False)
        budget_thinking = reply_budget(options, needed, thinking=True)
        self.longest = max(self.longest, size)
        self.budget = max(self.budget, budget)
        self.budget_thinking = max(self.budget_thinking, budget_thinking)
        self.needed[model] += estimate(
            options.provider,
            options.model,
            requests=1,
            characters=size,
            reply_tokens=budget_thinking if is_expected_to_think(options) else budget,
        )

    def _earlier(self) -> EarlierRows | None:
        plan = self.plan
        if not plan.options.adds_to(plan.output):
            return None
        table = Table(plan.output)
        if table.columns != self.columns:
            raise UsageError(
                f"{plan.output} has other columns than this step writes; name another --output, "
                "or --overwrite it"
            )
        width = len(self._known)
        return EarlierRows(
            table,
            lambda cells: digest(cells[:width]),
            lambda number, cells: cells[-1] in self.step.settled,
        )


def _check_columns(table: Table, step: Step) -> None:
    """Refuse an input that is not what the step before writes.

    Raises:
        UsageError: Naming the column.
    """
    for name in step.needs:
        if name not in table.columns:
            raise UsageError(
                f"{table.path} has no column {name!r}, which the step {step.name} reads; name the "
                "output of the step before it"
            )
    for name in (*filter(None, (step.tells_apart,)), step.author, *step.adds):
        if name in table.columns:
            raise UsageError(
                f"{table.path} already has the column {name!r}, which the step {step.name} adds; "
                "name the output of the step before it"
            )
