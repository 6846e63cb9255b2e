"""One evaluation from its plan to its files: answers, grades, results, report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from banglahallueval.abstention.asking import Examiner
from banglahallueval.abstention.identity import identity_of, refuse_other
from banglahallueval.abstention.plan import Measure, Plan, Unit
from banglahallueval.abstention.results import (
    COLUMNS,
    KEY_COLUMNS,
    KIND,
    cells_of,
    check_columns,
    key_cells,
    report_files,
    trial_of,
)
from banglahallueval.abstention.types import SETTLED, Trial
from banglahallueval.hashing import digest
from banglahallueval.io.paths import check_not_inputs
from banglahallueval.io.tables import Cells, RowWriter, Table
from banglahallueval.models import server_line
from banglahallueval.models.client import open_client
from banglahallueval.models.spending import usage_record
from banglahallueval.runs.asking import loaded, model_record
from banglahallueval.runs.earlier import EarlierRows
from banglahallueval.runs.progress import progress_bar
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import complete, effort, to_ask_again
from banglahallueval.runs.table_run import TableRun


@dataclass(slots=True)
class Tally:
    """Counts over a run's output.

    Attributes:
        asked: Trials of this run.
        lost: Those among them that got no reply or no grade at all.
        outcomes: All trials by outcome.
        open: Trials without an outcome that counts, by outcome and reason.
    """

    asked: int = 0
    lost: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)

    def add(self, trial: Trial, *, asked: bool) -> None:
        """Count a trial."""
        self.outcomes[trial.outcome] += 1
        self.asked += asked
        self.lost += asked and trial.reason.startswith(("no reply:", "no grade:"))
        if trial.outcome not in SETTLED:
            is_said = trial.reason.startswith("no ")  # no reply: timeout
            self.open[trial.reason if is_said else f"{trial.outcome}: {trial.reason}"] += 1


class Evaluation:
    """The rows of one results file.

    Attributes:
        plan: What is asked.
        rows: What is kept and what is to ask.
        measure: What the trials to ask will need.
    """

    def __init__(self, plan: Plan) -> None:
        """Open the earlier results, if there are some to add to.

        Raises:
            UsageError: If results exist and may neither be added to nor replaced, or are no
                results of an evaluation.
        """
        self.plan = plan
        self.measure = Measure()
        earlier = None
        if plan.options.adds_to(plan.output):
            table = Table(plan.output)
            check_columns(table.columns, str(plan.output))
            places = [COLUMNS.index(name) for name in KEY_COLUMNS]
            earlier = EarlierRows(
                table,
                lambda cells: digest([cells[place] for place in places]),
                lambda number, cells: cells[COLUMNS.index("outcome")] in SETTLED,
            )
        self.rows: TableRun[Unit] = TableRun(
            Path(plan.source),
            plan.units,
            lambda unit: digest(key_cells(*unit)),
            earlier=earlier,
        )

    def survey(self) -> None:
        """Settle what there is to ask.

        Raises:
            UsageError: If the earlier results are those of other questions or thresholds.
        """
        self.rows.survey(lambda unit: self.measure.add(self.plan, unit))

    async def write(
        self, writer: RowWriter, examiner: Examiner, tally: Tally, *, again: int
    ) -> None:
        """Ask what is to ask, and write one row per question and threshold.

        Args:
            writer: Writes a row of `results.COLUMNS`.
            examiner: Asks and grades.
            tally: Where to count.
            again: Number of earlier runs.

        Raises:
            RunError: If the run cannot go on.
        """
        plan = self.plan
        where = str(plan.output)
        is_shown = plan.shows_progress and not plan.options.quiet
        bar = progress_bar(self.rows.to_do, plan.client.model, "answer", quiet=not is_shown)

        async def work(unit: Unit, before: Cells | None) -> Cells:
            question, t = unit
            earlier = trial_of(before, where) if before else None
            trial = await examiner.examine(
                question, t, again=again if before else 0, before=earlier
            )
            tally.add(trial, asked=True)
            bar.update(1)
            return cells_of(trial)

        def keep(unit: Unit, before: Cells) -> Cells:
            tally.add(trial_of(before, where), asked=False)
            return before

        with bar:
            await self.rows.write(writer, work, keep, workers=plan.client.concurrency)


def evaluate(plan: Plan) -> int:
    """Carry a plan out.

    Returns:
        The exit status: 0, or 1 if a question or an answer to grade got no reply.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    check_not_inputs([plan.output], plan.inputs)
    session = RunSession(
        plan.output,
        plan.options,
        store=plan.client.store,
        inputs=plan.inputs,
        reports=report_files(plan.output, plan.options),
    )
    if plan.options.dry_run:
        _dry_run(plan)
        return 0
    with session:
        return _evaluate(plan, session)


def _dry_run(plan: Plan) -> None:
    """Print the first prompt, and what the run would ask whom at what cost."""
    evaluation = Evaluation(plan)
    evaluation.survey()
    measure = evaluation.measure
    print(server_line(plan.client))
    if plan.grader:
        print(f"{server_line(plan.grader)}, as the judge")
    if measure.first:
        print(f"---- first prompt ----\n{measure.first}\n----------------------")
    print(
        f"{measure.requests} of {evaluation.rows.units} answers to ask for"
        + (f", at most {measure.graded} to grade" if plan.grader else "")
        + f"; {measure.estimate(plan)}. Nothing was asked."
    )


def _evaluate(plan: Plan, session: RunSession) -> int:
    identity = identity_of(plan)
    refuse_other(plan, identity, session)
    evaluation = Evaluation(plan)
    evaluation.survey()
    if evaluation.rows.earlier and not evaluation.rows.to_do:
        complete(plan.output)
        _report(plan)
        return 0
    client = session.open_client(plan.client)
    grader = None
    if plan.grader:
        if not plan.options.quiet:
            print(f"{server_line(plan.grader)}, as the judge")
        grader = open_client(plan.grader, session.open_store(), quiet=plan.options.quiet)
    tally = Tally()
    with session.writing(COLUMNS) as writer:
        models = session.ask(
            _ask(evaluation, Examiner(client, grader, plan.settings), writer, session, tally),
            lambda: f"{tally.asked} answers" if tally.asked or client.usage.asked else "",
        )
    entry = session.publish(
        {
            "kind": KIND,
            "data": plan.data,
            "thresholds": plan.thresholds,
            "identity": identity,
            **models,
            "outcomes": dict(tally.outcomes),
            "open": dict(tally.open.most_common()),
        },
        {"answers": tally.asked, **({"grading": usage_record(grader)} if grader else {})},
    )
    _report(plan)
    _finish(plan, tally, entry)
    return 1 if tally.lost else 0


async def _ask(
    evaluation: Evaluation,
    examiner: Examiner,
    writer: RowWriter,
    session: RunSession,
    tally: Tally,
) -> dict[str, Any]:
    """Ask; return what the record says of the models, taken while they are loaded."""
    plan, measure = evaluation.plan, evaluation.measure
    clients = {"model": examiner.client}
    workloads = {"model": measure.answering(plan)}
    if examiner.grader:
        clients["grader"] = examiner.grader
        workloads["grader"] = measure.grading()
    async with loaded({client: workloads[role] for role, client in clients.items()}):
        await evaluation.write(writer, examiner, tally, again=session.earlier_runs)
        return {role: model_record(client) for role, client in clients.items()}


def _report(plan: Plan) -> None:
    from banglahallueval.abstention.report import report  # what counts and draws: two seconds

    settings = plan.settings
    grader = plan.grader
    unanswerable = sum(question.unknown_ok for question in plan.questions)
    drawn = [f"{name} {_shown(value)}" for name, value in plan.draw.items() if value]
    about = {
        "model": f"{plan.client.model} ({plan.client.provider})",
        "questions": f"{len(plan.questions)} of {plan.source}"
        + (f" ({', '.join(drawn)})" if drawn else "")
        + (f", {unanswerable} of them unanswerable" if unanswerable else ""),
        "judge": f"{grader.model} ({grader.provider})" if grader else "exact",
        "prompt": f"{settings.language}, temperature {settings.temperature:g}",
    }
    title = f"What {plan.client.model} answers, and what it leaves"
    report(plan.output, title, about, quiet=plan.options.quiet)


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _finish(plan: Plan, tally: Tally, entry: Mapping[str, Any]) -> None:
    """Say what the run took, and what is open."""
    if not plan.options.quiet:
        print("  " + effort(tally.asked, "asked", entry))
        if plan.grader:
            grading = entry["grading"]
            print(f"  grading: {grading['asked']} asked, {grading['from_store']} from the store")
    for reason, count in tally.open.most_common():
        print(f"  {count} without a result: {reason}")
    if tally.open:
        to_ask_again("them")
        print("  What a filter withheld, or a budget cut, seldom comes out otherwise.")
