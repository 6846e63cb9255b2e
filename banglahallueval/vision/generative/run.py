"""One run from its plan to its files: descriptions, judgements, results, report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.tables import Cells, RowWriter, Table
from banglahallueval.models import server_line
from banglahallueval.models.client import open_client
from banglahallueval.models.spending import usage_record
from banglahallueval.runs.asking import loaded, model_record
from banglahallueval.runs.earlier import EarlierRows
from banglahallueval.runs.identity import refuse_other
from banglahallueval.runs.progress import progress_bar
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import complete, repeated
from banglahallueval.runs.table_run import TableRun
from banglahallueval.vision.asking import Asker, Pictures, Settings
from banglahallueval.vision.generative.examining import Examiner
from banglahallueval.vision.generative.measure import Measure
from banglahallueval.vision.generative.plan import SEES_IN_WORDS, Plan
from banglahallueval.vision.generative.report import report
from banglahallueval.vision.generative.results import (
    COLUMNS,
    KEY_COLUMNS,
    KIND,
    cells_of,
    check_columns,
    is_finished,
    trial_of,
    unit_key,
)
from banglahallueval.vision.generative.tally import Tally, finished
from banglahallueval.vision.generative.types import Unit
from banglahallueval.vision.pictures import ShownPictures
from banglahallueval.vision.report_files import report_files


class Generation:
    """The rows of one results file.

    Attributes:
        plan: What is described and judged.
        rows: What is kept and what is to do.
        measure: What that will need.
    """

    def __init__(self, plan: Plan) -> None:
        """Open the earlier results, if there are some to add to.

        Raises:
            UsageError: If results exist and may neither be added to nor replaced, or are no
                results of such a run.
        """
        self.plan = plan
        self.measure = Measure()
        earlier = None
        if plan.options.adds_to(plan.output):
            table = Table(plan.output)
            check_columns(table.columns, str(plan.output))
            shown = ShownPictures(plan.folder, plan.output) if plan.folder else None

            def is_settled(number: int, cells: Cells) -> bool:
                if not is_finished(cells):
                    return False
                if shown:
                    trial = trial_of(cells, str(plan.output))
                    shown.check(trial.item, trial.image_sha256)
                return True

            earlier = EarlierRows(
                table,
                lambda cells: digest(cells[: len(KEY_COLUMNS)]),
                is_settled,
            )
        self.rows: TableRun[Unit] = TableRun(
            plan.data.path,
            plan.units,
            lambda unit: digest(unit_key(unit)),
            earlier=earlier,
            selected=lambda place, unit: unit.item.index in plan.rows,
        )

    def survey(self) -> None:
        """Settle what there is to do, and say which pictures are not there.

        Raises:
            UsageError: If there is none of the pictures, or the earlier results are of others.
        """
        plan, measure = self.plan, self.measure
        self.rows.survey(lambda unit: measure.add(plan, unit))
        if not measure.missing or plan.folder is None:
            return
        said = plan.folder.lacks(plan.data.items, measure.pictures, measure.unreadable)
        if not measure.judged and not self.rows.earlier:
            raise UsageError(
                f"{said}; give --image-root the folder that holds them, or judge descriptions that "
                "you have with --descriptions and --judge captions"
            )
        print(f"Note: {said}; their rows say so")

    async def write(
        self, writer: RowWriter, examiner: Examiner, tally: Tally, *, again: int, workers: int
    ) -> None:
        """Do what is to do, and write one row per item and prompt.

        Args:
            writer: Writes a row of `results.COLUMNS`.
            examiner: Describes and judges.
            tally: Where to count.
            again: Number of earlier runs.
            workers: Most rows under way at once.

        Raises:
            RunError: If the run cannot go on.
        """
        where = str(self.plan.output)
        title = (self.plan.describer or self.plan.judge).model
        bar = progress_bar(self.rows.to_do, title, "description", quiet=self.plan.options.quiet)

        async def work(unit: Unit, before: Cells | None) -> Cells:
            earlier = trial_of(before, where) if before else None
            trial = await examiner.examine(unit, again=again if before else 0, before=earlier)
            tally.add(trial, asked=True)
            bar.update(1)
            return cells_of(trial)

        def keep(unit: Unit, before: Cells) -> Cells:
            tally.add(trial_of(before, where), asked=False)
            return before

        with bar:
            await self.rows.write(writer, work, keep, workers=workers)


def generate(plan: Plan) -> int:
    """Carry a plan out.

    Returns:
        The exit status: 0, or 1 if a request got no reply, or a picture is not there.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    plan.check()
    session = RunSession(
        plan.output,
        plan.options,
        store=plan.store,
        inputs=plan.inputs,
        reports=report_files(plan.output, plan.options),
    )
    if plan.options.dry_run:
        _dry_run(plan)
        return 0
    with session:
        return _generate(plan, session)


def _dry_run(plan: Plan) -> None:
    """Print the first prompts, and what the run would ask whom at what cost."""
    run = Generation(plan)
    run.survey()
    measure = run.measure
    if plan.describer:
        print(server_line(plan.describer))
    print(f"{server_line(plan.judge)}, as the judge, who sees {SEES_IN_WORDS[plan.sees]}")
    if measure.first:
        print(f"---- first prompt, with its picture ----\n{measure.first}")
    if measure.first_judging:
        print(f"---- first prompt to the judge ----\n{measure.first_judging}")
    print("-----------------------------------")
    print(
        f"{run.rows.to_do:,} of {run.rows.units:,} rows to make: {measure.descriptions:,} "
        f"descriptions to ask for, {measure.judged:,} to judge in at most two questions each; "
        f"{measure.estimate(plan)}. Nothing was asked."
    )


def _generate(plan: Plan, session: RunSession) -> int:
    identity = plan.identity()
    refuse_other(session, KIND, identity)
    prompts = _prompts(plan, session)
    run = Generation(plan)
    run.survey()
    repeated(plan.output, run.rows.repeated)
    if run.rows.earlier and not run.measure.judged:
        complete(plan.output)
        report(plan.output, plan.about(), plan.edges, quiet=plan.options.quiet)
        return int(bool(run.measure.missing))
    examiner = _examiner(plan, session)
    tally = Tally()
    with session.writing(COLUMNS) as writer:
        models = session.ask(
            _ask(run, examiner, writer, session, tally),
            lambda: f"{tally.asked} descriptions" if _is_asked(examiner) else "",
        )
    entry = session.publish(
        {
            "kind": KIND,
            "input": plan.data.record(),
            "descriptions": str(plan.supplied.path) if plan.supplied else None,
            "image_root": str(plan.root) if plan.root else None,
            "about": plan.about(),
            "identity": identity,
            "prompts": prompts,
            **models,
            "outcomes": dict(tally.outcomes),
            "open": dict(tally.open.most_common()),
        },
        {
            "descriptions": tally.asked,
            **({} if plan.is_one_model else {"judging": usage_record(examiner.judge.client)}),
        },
    )
    report(plan.output, plan.about(), plan.edges, quiet=plan.options.quiet)
    tally.unreadable = examiner.unreadable
    finished(tally, entry, quiet=plan.options.quiet)
    return 1 if tally.lost else 0


def _is_asked(examiner: Examiner) -> bool:
    """Whether a model was asked anything, so that replies are in the store."""
    askers = (examiner.judge, examiner.describer)
    return any(asker is not None and asker.client.usage.asked for asker in askers)


def _prompts(plan: Plan, session: RunSession) -> dict[str, str]:
    """List the describing prompts of the output, those of earlier runs among them.

    Raises:
        UsageError: If one of an earlier run is not named now, or has another text.
    """
    now = plan.prompts()
    before = (session.earlier or {}).get("prompts", {})
    if not isinstance(before, Mapping):
        return now
    for name, sha256 in before.items():
        if name not in now:
            raise UsageError(
                f"{plan.output} also has --prompt {name}; name all its prompts, or another --output"
            )
        if now[name] != sha256:
            raise UsageError(
                f"{plan.output} was made with another text of --prompt {name}; name another "
                "--output, or --overwrite it"
            )
    return now


def _examiner(plan: Plan, session: RunSession) -> Examiner:
    """Open the models: one client where the judge is the model itself."""
    client = session.open_client(plan.describer or plan.judge)
    quiet = plan.options.quiet
    judge = client
    if plan.describer and not plan.is_one_model:
        judge = open_client(plan.judge, session.open_store(), quiet=quiet)
    if plan.describer and not quiet:
        print(f"{server_line(plan.judge)}, as the judge")
    return Examiner(
        Asker(client, plan.settings) if plan.describer else None,
        Asker(judge, Settings()),
        plan.sees,
        {describing.name: describing for describing in plan.describings},
        Pictures(plan.folder, plan.max_side) if plan.folder else None,
    )


async def _ask(
    run: Generation, examiner: Examiner, writer: RowWriter, session: RunSession, tally: Tally
) -> dict[str, Any]:
    """Ask; return what the record says of the models, taken while they are loaded."""
    plan, measure = run.plan, run.measure
    clients = {"judge": examiner.judge.client}
    if examiner.describer:
        clients["model"] = examiner.describer.client
    workloads = measure.workloads(plan)
    workers = (plan.describer or plan.judge).concurrency
    async with loaded({client: workloads[role] for role, client in clients.items()}):
        await run.write(writer, examiner, tally, again=session.earlier_runs, workers=workers)
        return {role: model_record(client) for role, client in clients.items()}
