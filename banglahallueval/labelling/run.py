"""One labelling run from its plan to its files: rows, judge, output, record, summary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.layouts import Layout
from banglahallueval.io.records import Shape, record_path, wrong_field
from banglahallueval.io.tables import Table
from banglahallueval.judges.panel import count_unanswered, missing_votes
from banglahallueval.labelling import summary
from banglahallueval.labelling.asking import label_rows, refuse_other_template
from banglahallueval.labelling.first_rows import FirstRows
from banglahallueval.labelling.plan import Plan, open_input
from banglahallueval.labelling.rows import LabelRun, Tally
from banglahallueval.models import local_line
from banglahallueval.models.huggingface.classifier import refuse_unusable
from banglahallueval.models.prices import Estimate
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import complete
from banglahallueval.verdicts import CUT_OFF

# What every labelling record holds; another run's record lacks some of it.
_RECORD: Shape = {
    "task": str,
    "columns": dict,
    "input": {"sha256": str, "rows": int},
    "output": {"sha256": str, "rows": int},
    "judge": dict,
    "labels": {"unknown": int},
    "runs": [{"rows": {"start": int, "end": int}}],
}

# What a message calls a field of a judge's identity, where its name does not say it.
_WORDS = {"name": "model"}


def run(plan: Plan) -> int:
    """Carry a plan out.

    Returns:
        The exit status: 0, or 1 if rows got no reply or `--force-binary` left some unknown.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    if plan.options.dry_run:
        dry_run(plan)
        return 0
    session, table, layout = _opened(plan)
    with session:
        return _label(plan, table, layout, session)


def dry_run(plan: Plan) -> Estimate:
    """Print the first filled prompt and what the run would cost; ask nothing.

    Raises:
        UsageError: If the run itself would refuse the call, its input, the server's address or a
            classifier.
    """
    rows = surveyed(plan)
    if plan.judge.classifier:
        refuse_unusable(plan.judge.classifier)
    summary.left_out(rows)
    summary.dry_run(rows)
    return rows.estimate()


def surveyed(plan: Plan) -> LabelRun:
    """Settle which rows a run would judge; nothing is asked or written.

    Raises:
        UsageError: If the run itself would refuse the call or its input.
    """
    _, table, layout = _opened(plan)
    rows = LabelRun(plan, table, layout)
    rows.survey()
    return rows


def _opened(plan: Plan) -> tuple[RunSession, Table, Layout]:
    store = next((client.store for client in plan.judge.clients), None)
    session = RunSession(plan.output, plan.options, store=store, inputs=[plan.input])
    table, layout = open_input(plan)
    if not plan.options.quiet:
        summary.announce(table, layout, plan.judge.prompt)
    return session, table, layout


def _label(plan: Plan, table: Table, layout: Layout, session: RunSession) -> int:
    source_hash = file_sha256(plan.input)
    done = _slices_done(plan, layout, session, source_hash)
    if plan.own_labels_only:
        _refuse_unknown_origin(session)
    if session.earlier and _is_complete(session, source_hash):
        votes = missing_votes(session.earlier["judge"])
        if votes:
            summary.lacks_votes(votes)
        else:
            complete(plan.output)
        return 1 if votes else 0
    rows = LabelRun(plan, table, layout, done, origin_known=session.record_holds)
    rows.survey()
    summary.left_out(rows)
    if rows.rows.earlier:
        summary.earlier(rows, session)
        if rows.rows.to_do == 0:
            return 0
    clients = [session.open_client(options) for options in plan.judge.clients]
    if plan.judge.classifier and not plan.options.quiet:
        print(local_line(plan.judge.classifier.model))
    tally, first = Tally(), FirstRows()
    with session.writing(rows.columns) as writer:
        judge_record = session.ask(
            label_rows(rows, clients, writer, session.earlier, tally, first),
            lambda: summary.so_far(tally, clients),
        )
    count_unanswered(judge_record, tally.votes_missing)
    entry = session.publish(
        _record(rows, source_hash, judge_record, tally),
        {"rows": {"start": plan.rows.start, "end": rows.end, "judged": tally.judged}},
    )
    if not plan.options.quiet:
        summary.finished(plan.output, layout, tally, entry)
    if votes := missing_votes(judge_record):
        summary.lacks_votes(votes)
    if advice := first.advice():
        print(f"Every row is unknown: {advice}.")
    is_forced_in_vain = plan.judge.force_binary and any(
        reason not in summary.FINAL for reason in tally.reasons
    )
    # A reply cut at its budget may be an answer that rambles; the other two never come to one.
    is_hopeless = advice and CUT_OFF not in tally.reasons
    is_unfinished = tally.unanswered or votes
    return 1 if is_unfinished or is_forced_in_vain or is_hopeless else 0


def _record(
    rows: LabelRun, source_hash: str, judge_record: Mapping[str, Any], tally: Tally
) -> dict[str, Any]:
    plan, layout = rows.plan, rows.layout
    record: dict[str, Any] = {
        "task": layout.task.name,
        "track": layout.track,
        "columns": dict(layout.columns),
        "input": {"path": str(plan.input), "sha256": source_hash, "rows": rows.rows.units},
        "judge": {**plan.judge.identity(), **judge_record},
        "labels": _per_label(tally.labels),
        "unknown_reasons": dict(tally.reasons.most_common()),
    }
    if rows.flagged:
        record["flagged_left_out"] = rows.flagged
    if tally.kept:  # not the labels of this judge
        record["kept"] = _per_label(tally.kept)
    return record


def _per_label(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: counts[name] for name in ("yes", "no", "unknown")}


def _slices_done(
    plan: Plan, layout: Layout, session: RunSession, source_hash: str
) -> tuple[tuple[int, int], ...]:
    """List the slices of this very input that earlier runs labelled with this judge.

    Raises:
        UsageError: If another judge labelled the output, or judged other columns.
    """
    if not session.earlier:
        return ()
    _refuse_other_judge(plan, layout, session.earlier)
    if session.earlier["input"]["sha256"] != source_hash:
        return ()
    slices = [each["rows"] for each in session.earlier["runs"]]
    return tuple((each["start"], each["end"]) for each in slices)


def _refuse_unknown_origin(session: RunSession) -> None:
    """Refuse to add to labels that may be another judge's.

    Raises:
        UsageError: If no record holds for the output, or it tells of labels of unknown origin.
    """
    is_new = not (session.options.resume and session.output.exists())
    if is_new or (session.record_holds and "kept" not in (session.earlier or {})):
        return
    raise UsageError(
        f"it is unknown who gave all labels of {session.output}; move it away, or label anew with "
        "--fresh"
    )


def _is_complete(session: RunSession, source_hash: str) -> bool:
    """Whether the record alone shows that nothing is left, without reading a row."""
    record = session.earlier
    return bool(
        record
        and session.record_holds
        and record["input"]["sha256"] == source_hash
        and record["output"]["rows"] == record["input"]["rows"]
        and record["labels"]["unknown"] == 0
    )


def _refuse_other_judge(plan: Plan, layout: Layout, record: Mapping[str, Any]) -> None:
    """Refuse to put labels of two judges, or on other columns, into one file."""
    if wrong_field(record, _RECORD, needed=True):
        raise UsageError(
            f"{plan.output} is not the output of a labelling run, says "
            f"{record_path(plan.output)}; name another --output"
        )
    now = {
        "task": layout.task.name,
        "columns": _listed(layout.columns),
        "samples": None,
        **plan.judge.identity(),
    }
    before = {**record["judge"], "task": record["task"], "columns": _listed(record["columns"])}
    for what, value in now.items():
        was = before.get(what)
        if was != value:
            word, old, new = _WORDS.get(what, what), _named(was), _named(value)
            now_has = f"another text or other examples of {new}" if old == new else new
            raise UsageError(
                f"{plan.output} was labelled with the {word} {old}, this run has {now_has}; name "
                "another --output, or --overwrite it"
            )
    if plan.judge.classifier and plan.judge.classifier.template:
        refuse_other_template(plan.judge.classifier.template, record, plan)


def _listed(columns: Mapping[str, str]) -> str:
    return ",".join(sorted(f"{role}={name}" for role, name in columns.items()))


def _named(value: Any) -> str:
    if isinstance(value, dict) and "name" in value:
        return str(value["name"])
    return "none" if value is None else str(value)
