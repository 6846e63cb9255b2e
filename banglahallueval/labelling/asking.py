"""The part of a labelling run in which a judge is asked: models prepared, rows labelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from banglahallueval.errors import RunError, UnusableModelError, UsageError
from banglahallueval.io.tables import RowWriter
from banglahallueval.judges.classifiers.judge import ClassifierJudge
from banglahallueval.judges.llm import thinking_budget
from banglahallueval.judges.panel import PanelJudge
from banglahallueval.judges.types import Judge
from banglahallueval.labelling.first_rows import FirstRows
from banglahallueval.labelling.plan import Plan
from banglahallueval.labelling.rows import LabelRun, Tally
from banglahallueval.models.client import Client
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.types import Workload
from banglahallueval.runs.progress import Progress
from banglahallueval.verdicts import Verdict


async def label_rows(
    rows: LabelRun,
    clients: Sequence[Client],
    writer: RowWriter,
    earlier: Mapping[str, Any] | None,
    tally: Tally,
    first: FirstRows,
) -> dict[str, Any]:
    """Label; return the judge's record, taken while its models are still loaded.

    Args:
        rows: What is labelled.
        clients: They ask the models of `JudgeSpec.clients`, in that order.
        writer: Writes a row of the output.
        earlier: The record of an output that is added to; None where there is none.
        tally: Where verdicts are counted.
        first: Stops a run that cannot come to verdicts.

    Raises:
        UsageError: If a model is not the one that labelled the output before.
        RunError: If the run cannot go on.
    """
    plan = rows.plan
    judge = plan.judge.build(clients)
    again = len(earlier["runs"]) if earlier else 0

    try:
        await _prepare(judge, rows, clients, earlier)
        if isinstance(judge, ClassifierJudge):
            await judge.prepare()
            record = judge.record()
            _refuse_other_weights(record["model"], _judge_of(earlier), plan)
            refuse_other_template(_template(record), earlier, plan)
        with Progress(rows.rows.to_do, plan.output.stem, quiet=plan.options.quiet) as progress:

            def on_verdict(verdict: Verdict) -> None:
                progress(verdict)
                first.add(verdict)

            await rows.label(judge, writer, again=again, tally=tally, on_verdict=on_verdict)
        return judge.record()
    finally:
        for client in clients:
            await client.model.close()
        if isinstance(judge, ClassifierJudge):
            await judge.close()


async def _prepare(
    judge: Judge,
    rows: LabelRun,
    clients: Sequence[Client],
    earlier: Mapping[str, Any] | None,
) -> None:
    """Prepare the models; a panel goes on without members that cannot be asked."""
    spec, before = rows.plan.judge, _judge_of(earlier)
    members = before.get("members") if spec.members else [before]
    for number, (client, options) in enumerate(zip(clients, spec.clients, strict=True)):
        try:
            await client.model.prepare(_workload(rows, options))
        except RunError as error:
            unusable = UnusableModelError(error)
            if not isinstance(judge, PanelJudge):
                raise unusable from None
            judge.lose(judge.members[number], unusable)
            continue
        if isinstance(members, list) and number < len(members):
            _refuse_other_weights(client.model.record(), members[number], rows.plan)


def _judge_of(earlier: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return earlier["judge"] if earlier else {}


def _refuse_other_weights(now: Mapping[str, Any], judge: Mapping[str, Any], plan: Plan) -> None:
    """Refuse to go on with other weights under the same name, where something tells them apart."""
    model = judge.get("model")
    before = model if isinstance(model, dict) else {}
    for what in ("digest", "revision"):
        was, has = before.get(what), now.get(what)
        if was and has and was != has:
            raise UsageError(
                f"{plan.output} was labelled by a model of {what} {was[:12]}, it now is {has[:12]};"
                " name another --output, or --overwrite it"
            )


def refuse_other_template(now: str, earlier: Mapping[str, Any] | None, plan: Plan) -> None:
    """Refuse to go on with texts given to a classifier in another way than before.

    Raises:
        UsageError: If the earlier run used another template.
    """
    before = _template(_judge_of(earlier))
    if before and now != before:
        raise UsageError(
            f"{plan.output} was labelled with the template {before}, this run has {now}; name "
            "another --output, or --overwrite it"
        )


def _template(judge: Mapping[str, Any]) -> str:
    template = judge.get("template")
    return str(template["name"]) if isinstance(template, dict) and "name" in template else ""


def _workload(rows: LabelRun, options: ClientOptions) -> Workload:
    spec = rows.plan.judge
    assert spec.prompt is not None
    return Workload(
        requests=rows.rows.to_do * spec.replies_per_row,
        longest_prompt=rows.longest,
        max_tokens=options.max_tokens or spec.prompt.max_tokens,
        max_tokens_thinking=options.max_tokens or thinking_budget(spec.prompt),
    )
