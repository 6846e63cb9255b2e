"""One evaluation from its plan to its files: answers, record, tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.tables import Cells, RowWriter, Table
from banglahallueval.models import server_line
from banglahallueval.runs.asking import loaded, model_record
from banglahallueval.runs.earlier import EarlierRows
from banglahallueval.runs.identity import refuse_other
from banglahallueval.runs.progress import progress_bar
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import complete, repeated
from banglahallueval.runs.table_run import TableRun
from banglahallueval.vision.asking import Asker, Outcome, Pictures
from banglahallueval.vision.discriminative.plan import Measure, Plan
from banglahallueval.vision.discriminative.report import report
from banglahallueval.vision.discriminative.results import (
    COLUMNS,
    KEY_COLUMNS,
    Result,
    ask_of,
    cells_of,
    key_cells,
    result_from,
    unanswered,
)
from banglahallueval.vision.discriminative.tally import Tally, finished
from banglahallueval.vision.images import Picture, PictureError
from banglahallueval.vision.pictures import ShownPictures
from banglahallueval.vision.report_files import report_files
from banglahallueval.vision.types import PictureItem, Question


class Evaluation:
    """The rows of one output.

    Attributes:
        plan: What is asked.
        rows: What is kept and what is to ask.
        measure: What the questions to ask will need.
    """

    def __init__(self, plan: Plan) -> None:
        """Open the earlier output, if there is one to add to.

        Raises:
            UsageError: If an output exists and may neither be added to nor replaced, or is none
                of such a run.
        """
        self.plan = plan
        self.measure = Measure()
        earlier = None
        ask = plan.asked.ask
        if plan.options.adds_to(plan.output):
            table = Table(plan.output)
            if ask_of(table.columns) != ask:
                raise UsageError(
                    f"{plan.output} holds no answers to --ask {ask}; name another --output, or "
                    "--overwrite it"
                )
            places = [COLUMNS[ask].index(name) for name in KEY_COLUMNS]
            where = str(plan.output)
            shown = ShownPictures(plan.folder, plan.output) if plan.folder else None

            def is_settled(number: int, cells: Cells) -> bool:
                result = result_from(cells, ask, where)
                if result.answer == "unknown":
                    return False
                if shown:
                    item = PictureItem(result.index, result.image, result.key, "", {})
                    shown.check(item, result.image_sha256)
                return True

            earlier = EarlierRows(
                table,
                lambda cells: digest([cells[place] for place in places]),
                is_settled,
            )
        self.rows: TableRun[Question] = TableRun(
            plan.asked.data.path,
            plan.asked.questions,
            lambda question: digest(key_cells(question)),
            earlier=earlier,
            selected=lambda place, question: plan.asked.selects(question),
        )

    def survey(self) -> None:
        """Settle what there is to ask, and say which pictures are not there.

        Raises:
            UsageError: If there is none of the pictures, or the earlier answers are to others.
        """
        plan, measure = self.plan, self.measure
        self.rows.survey(lambda question: measure.add(plan, question))
        if not measure.missing or plan.folder is None:
            return
        said = plan.folder.lacks(plan.asked.data.items, measure.pictures, measure.unreadable)
        if not measure.requests and not self.rows.earlier:
            raise UsageError(
                f"{said}; give --image-root the folder that holds them, or score replies that you "
                "have with --predictions"
            )
        print(f"Note: {said}; their rows say so")

    async def write(
        self, writer: RowWriter, asker: Asker, pictures: Pictures | None, tally: Tally, again: int
    ) -> None:
        """Ask what is to ask, and write one row per question.

        Args:
            writer: Writes a row of `results.COLUMNS`.
            asker: Asks the model.
            pictures: Loads the pictures; None to ask without them.
            tally: Where to count.
            again: Number of earlier runs.

        Raises:
            RunError: If the run cannot go on.
        """
        plan, ask = self.plan, self.plan.asked.ask
        where = str(plan.output)
        bar = progress_bar(self.rows.to_do, plan.client.model, "question", quiet=plan.options.quiet)

        async def work(question: Question, before: Cells | None) -> Cells:
            defect = plan.asked.defects.of(question) or ""
            result = unanswered(question, defect)
            try:
                picture = await pictures.load(question.item) if pictures else None
            except PictureError as error:
                tally.unreadable.setdefault(question.item.index, str(error))
                result = replace(result, reason=error.reason)
            else:
                outcome = await asker.ask(
                    plan.asked.prompt(question),
                    picture,
                    tokens=plan.asked.wording.tokens,
                    again=again if before else 0,
                )
                result = _answered(plan, result, outcome, picture)
            tally.add(result, asked=True)
            bar.update(1)
            return cells_of(result, ask)

        def keep(question: Question, before: Cells) -> Cells:
            tally.add(result_from(before, ask, where), asked=False)
            return before

        with bar:
            await self.rows.write(writer, work, keep, workers=plan.client.concurrency)


def evaluate(plan: Plan) -> int:
    """Carry a plan out.

    Returns:
        The exit status: 0, or 1 if a picture is missing or a question got no reply.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    plan.asked.check(plan.output)
    session = RunSession(
        plan.output,
        plan.options,
        store=plan.client.store,
        inputs=plan.asked.inputs,
        reports=report_files(plan.output, plan.options),
    )
    if plan.options.dry_run:
        _dry_run(plan)
        return 0
    with session:
        return _evaluate(plan, session)


def _answered(plan: Plan, result: Result, outcome: Outcome, picture: Picture | None) -> Result:
    """Read a reply, and put it beside what was sent."""
    result = replace(
        result,
        reason=outcome.reason,
        reply=outcome.text,
        finish=outcome.reply.finish if outcome.reply else "",
        image_sha256=picture.sha256 if picture else "",
        image_conversion=picture.conversion if picture else "",
    )
    if outcome.reply is None or outcome.reason:
        return result
    return plan.asked.read(result, outcome.reply)


def _dry_run(plan: Plan) -> None:
    """Print the first prompt, and what the run would ask at what cost."""
    evaluation = Evaluation(plan)
    evaluation.survey()
    measure = evaluation.measure
    print(server_line(plan.client))
    if measure.first:
        beside = "with its picture" if plan.folder else "without its picture"
        print(f"---- first prompt, {beside} ----\n{measure.first}\n----------------------")
    print(
        f"{measure.requests:,} of {evaluation.rows.units:,} questions to ask; "
        f"{measure.estimate(plan)}. Nothing was asked."
    )


def _evaluate(plan: Plan, session: RunSession) -> int:
    identity = plan.identity()
    refuse_other(session, plan.kind, identity)
    evaluation = Evaluation(plan)
    evaluation.survey()
    repeated(plan.output, evaluation.rows.repeated)
    if evaluation.rows.earlier and not evaluation.measure.requests:
        complete(plan.output)
        _report(plan, quiet=plan.options.quiet)
        return int(bool(evaluation.measure.missing))
    asker = Asker(session.open_client(plan.client), plan.settings)
    tally = Tally()
    with session.writing(COLUMNS[plan.asked.ask]) as writer:
        model = session.ask(
            _ask(evaluation, asker, writer, session, tally),
            lambda: f"{tally.asked} questions" if asker.client.usage.asked else "",
        )
    asked = plan.asked
    entry = session.publish(
        {
            "kind": plan.kind,
            "input": asked.data.record(),
            "image_root": str(plan.folder.root) if plan.folder else None,
            "ask": asked.ask,
            "asked": plan.wording,
            "about": plan.about(),
            "identity": identity,
            "prompt_text": asked.wording.text,
            "model": model,
            "answers": dict(tally.answers),
            "open": dict(tally.open.most_common()),
        },
        {"questions": tally.asked},
    )
    _report(plan, quiet=plan.options.quiet)
    finished(tally, entry, quiet=plan.options.quiet)
    return 1 if tally.lost else 0


async def _ask(
    evaluation: Evaluation, asker: Asker, writer: RowWriter, session: RunSession, tally: Tally
) -> dict[str, Any]:
    """Ask; return what the record says of the model, taken while it is loaded."""
    plan = evaluation.plan
    pictures = Pictures(plan.folder, plan.max_side) if plan.folder else None
    async with loaded({asker.client: evaluation.measure.workload(plan)}):
        await evaluation.write(writer, asker, pictures, tally, session.earlier_runs)
        return model_record(asker.client)


def _report(plan: Plan, *, quiet: bool) -> None:
    asked = plan.asked
    report(
        plan.output,
        asked.ask,
        asked.scoring,
        plan.wording,
        plan.about(),
        kind=plan.kind,
        quiet=quiet,
    )
