"""One detection run from its plan to its files: answers, detector, output, record, summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.paths import short
from banglahallueval.io.records import record_path
from banglahallueval.io.tables import Cells, RowWriter, Table
from banglahallueval.models import server_line
from banglahallueval.models.client import Client
from banglahallueval.runs.earlier import EarlierRows
from banglahallueval.runs.progress import progress_bar
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import complete, repeated
from banglahallueval.runs.table_run import TableRun
from banglahallueval.spans.detection.kept import KeptDetector
from banglahallueval.spans.detection.measure import estimated, first_prompt
from banglahallueval.spans.detection.plan import DetectionPlan
from banglahallueval.spans.detection.tally import Tally, finished
from banglahallueval.spans.detectors.factory import LocalDetector
from banglahallueval.spans.records import Record
from banglahallueval.spans.tables import (
    COLUMNS,
    DETECTION_COLUMNS,
    detection_cells,
    read_detection,
    sample_cells,
)
from banglahallueval.spans.types import Detection, Detector, Sample

KIND = "span detection"
OUTPUT_COLUMNS = (*COLUMNS, *DETECTION_COLUMNS)

# What a message calls a field of a detector's identity, where its name does not say it.
_WORDS = {"label": "detector"}
_FAILURE = OUTPUT_COLUMNS.index("failure")


class DetectionRun:
    """The rows of one output.

    Attributes:
        plan: What is examined.
        rows: What is kept and what is to do.
    """

    def __init__(self, plan: DetectionPlan) -> None:
        """Open the earlier output, if there is one to add to.

        Raises:
            UsageError: If an output exists and may neither be added to nor replaced, or is none of
                a detection run.
        """
        plan.rows.check()
        self.plan = plan
        earlier = None
        if plan.options.adds_to(plan.output):
            table = Table(plan.output)
            if table.columns != OUTPUT_COLUMNS:
                raise UsageError(
                    f"{short(plan.output)} has not the columns of a detection run; name another "
                    "--output, or --overwrite it"
                )
            earlier = EarlierRows(
                table,
                lambda cells: digest(cells[: len(COLUMNS)]),
                lambda number, cells: not cells[_FAILURE],
            )
        self.rows: TableRun[Sample] = TableRun(
            Path(plan.data.source),
            plan.samples,
            lambda sample: digest(sample_cells(sample)),
            earlier=earlier,
            selected=lambda place, sample: place in plan.rows,
        )

    async def write(
        self, detector: Detector, writer: RowWriter, tally: Tally, *, again: int
    ) -> None:
        """Examine what is to do, and write one row per answer.

        Raises:
            RunError: If the run cannot go on.
        """
        plan = self.plan
        bar = progress_bar(self.rows.to_do, plan.label, "answer", quiet=plan.options.quiet)

        async def work(sample: Sample, before: Cells | None) -> Cells:
            found = await detector.detect(sample, again if before else 0)
            tally.add(sample, found)
            tally.examined += 1
            bar.update(1)
            return [*sample_cells(sample), *detection_cells(found)]

        def keep(sample: Sample, before: Cells) -> Cells:
            tally.add(sample, _detection(before, str(plan.output)))
            return before

        with bar:
            await self.rows.write(writer, work, keep, workers=plan.spec.concurrency)


def detect(plan: DetectionPlan) -> int:
    """Carry a plan out.

    Returns:
        The exit status: 0, or 1 if the model gave no reply to an answer.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    plan.check()
    session = RunSession(plan.output, plan.options, store=plan.store, inputs=plan.inputs)
    if plan.options.dry_run:
        _dry_run(plan)
        return 0
    with session:
        return _detect(plan, session)


def _dry_run(plan: DetectionPlan) -> None:
    """Print the first prompt, and what the run would examine and cost."""
    run, to_do = _surveyed(plan)
    count = f"{run.rows.to_do:,} of {run.rows.units:,} answers to examine"
    if plan.spec.client is None:
        print(f"{count} with {plan.label}; nothing was asked")
        return
    print(server_line(plan.spec.client))
    if prompt := first_prompt(plan.spec, to_do):
        print(f"---- first prompt ----\n{prompt}\n----------------------")
    print(f"{count}; {estimated(plan.spec, to_do)}. Nothing was asked.")


def _surveyed(plan: DetectionPlan) -> tuple[DetectionRun, list[Sample]]:
    """Settle what there is to do, and list the answers to examine."""
    run = DetectionRun(plan)
    to_do: list[Sample] = []
    run.rows.survey(to_do.append)
    return run, to_do


def _detect(plan: DetectionPlan, session: RunSession) -> int:
    _refuse_other(plan, session)
    run, to_do = _surveyed(plan)
    repeated(plan.output, run.rows.repeated)
    if run.rows.earlier and not run.rows.to_do:
        complete(plan.output)
        return 0
    client = session.open_client(plan.spec.client) if plan.spec.client else None
    tally = Tally()
    with session.writing(OUTPUT_COLUMNS) as writer:
        details = session.ask(
            _ask(run, to_do, client, writer, session, tally),
            lambda: f"{tally.examined} answers" if tally.examined or _asked(client) else "",
        )
    entry = session.publish(
        {
            "kind": KIND,
            "data": dict(plan.data.record),
            "detector": plan.described(),
            "details": dict(details),
            "detections": tally.record(),
        },
        {"answers": tally.examined},
    )
    if not plan.options.quiet:
        finished(plan, tally, entry)
    return 1 if tally.unanswered else 0


async def _ask(
    run: DetectionRun,
    to_do: Sequence[Sample],
    client: Client | None,
    writer: RowWriter,
    session: RunSession,
    tally: Tally,
) -> Mapping[str, Any]:
    """Examine; return the detector's record, taken while its model is still loaded."""
    plan = run.plan
    detector = plan.spec.build(client)
    try:
        if client:
            await client.model.prepare(plan.spec.workload(to_do))
        if isinstance(detector, LocalDetector):
            await detector.prepare()
        _refuse_other_weights(detector.record(), session.earlier, plan)
        if plan.runs_model:
            kept = KeptDetector(detector, session.open_store(), plan.spec.identity())
            await run.write(kept, writer, tally, again=session.earlier_runs)
            tally.from_store = kept.from_store
        else:
            await run.write(detector, writer, tally, again=session.earlier_runs)
        return detector.record()
    finally:
        if client:
            await client.model.close()
        if isinstance(detector, LocalDetector):
            await detector.close()


def _asked(client: Client | None) -> bool:
    return client is not None and bool(client.usage.asked)


def _detection(cells: Cells, where: str) -> Detection:
    """Read what an earlier run found out of its row."""
    fields = dict(zip(OUTPUT_COLUMNS, cells, strict=True))
    return read_detection(Record(fields, f"{where}, the row of {fields['id']!r}", 0))


def _refuse_other(plan: DetectionPlan, session: RunSession) -> None:
    """Refuse to add to what another detector found, or nobody knows who.

    Raises:
        UsageError: If it is such.
    """
    if not (plan.options.resume and plan.output.exists()):
        return
    record = session.earlier or {}
    before = record.get("detector")
    if record.get("kind") != KIND or not isinstance(before, dict):
        raise UsageError(
            f"{short(plan.output)} has no record of a detection run beside it; name another "
            "--output, or --overwrite it"
        )
    if not session.record_holds:
        raise UsageError(
            f"{short(plan.output)} was changed since {record_path(plan.output).name} was written, "
            "so it is unknown what found its spans; --overwrite makes it anew from stored replies"
        )
    for what, value in plan.described().items():
        if before.get(what) != value:
            raise UsageError(
                f"{short(plan.output)} was made with the {_WORDS.get(what, what)} "
                f"{_named(before.get(what))}, this run has {_named(value)}; name another --output, "
                "or --overwrite it"
            )
    if asked := plan.template:
        _refuse_other_template(asked, record, plan)


def _named(value: object) -> str:
    return str(value["name"]) if isinstance(value, dict) and "name" in value else str(value)


def _refuse_other_weights(
    now: Mapping[str, Any], earlier: Mapping[str, Any] | None, plan: DetectionPlan
) -> None:
    """Refuse to go on with other weights under the same name.

    Raises:
        UsageError: If the record of an earlier run tells of others.
    """
    before = earlier.get("details", {}) if earlier else {}
    _refuse_other_template(_template(now), earlier or {}, plan)
    was, has = (_weights(details) for details in (before, now))
    if was and has and was != has:
        raise UsageError(
            f"{short(plan.output)} was made by weights {was[:12]}, {plan.label} now has "
            f"{has[:12]}; name another --output, or --overwrite it"
        )


def _refuse_other_template(now: str, record: Mapping[str, Any], plan: DetectionPlan) -> None:
    """Refuse to go on with texts given in another way than an earlier run gave them."""
    before = _template(record.get("details", {}))
    if before and now != before:
        raise UsageError(
            f"{short(plan.output)} was made with the template {before}, this run has {now}; name "
            "another --output, or --overwrite it"
        )


def _template(details: Mapping[str, Any]) -> str:
    """Find how a token classifier was given its texts; empty for other detectors."""
    template = details.get("judge", details).get("template")
    return str(template["name"]) if isinstance(template, dict) and "name" in template else ""


def _weights(details: Mapping[str, Any]) -> str:
    """Find what tells a model's weights from others of its name; empty where nothing does."""
    model = details.get("judge", details).get("model")
    told = [model.get(name) for name in ("digest", "revision")] if isinstance(model, dict) else []
    return next((each for each in told if isinstance(each, str)), "")
