"""The conversion run: from its plan to a whole code-mixed file, its record and its summary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banglahallueval.generation import codemix
from banglahallueval.generation.conversion import ADDED, ConversionPlan, ConversionRun, Tally
from banglahallueval.generation.generate import refuse_other_writer
from banglahallueval.generation.generator import THINKING_BUDGET
from banglahallueval.generation.quality import quality_line
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import short
from banglahallueval.io.tables import RowWriter
from banglahallueval.models import server_line
from banglahallueval.models.client import Client
from banglahallueval.models.prices import estimate
from banglahallueval.models.types import Workload
from banglahallueval.prompts import fill, template
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import complete, effort, repeated, to_ask_again


def convert(plan: ConversionPlan) -> int:
    """Carry a conversion plan out.

    Returns:
        The exit status: 0, or 1 if rows got no reply.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    store = plan.client.store if plan.client else None
    session = RunSession(plan.output, plan.options, store=store, inputs=[plan.input])
    if plan.options.dry_run:
        _dry_run(ConversionRun(plan))
        return 0
    with session:
        return _carry_out(ConversionRun(plan), session)


def _dry_run(rows: ConversionRun) -> None:
    rows.survey()
    if rows.plan.client:
        print(server_line(rows.plan.client))
    if rows.first is not None:
        if rows.plan.client is None:
            print("\n".join(codemix.convert_offline(rows.first).values()))
        else:
            print(fill(template("convert.codemix"), rows.first))
    cost = ""
    if client := rows.plan.client:
        needed = estimate(
            client.provider,
            client.model,
            requests=rows.rows.to_do,
            characters=rows.characters + rows.rows.to_do * len(template("convert.codemix")),
            reply_tokens=rows.reply_tokens,
        )
        cost = f"; {needed}, and more where one is sent back"
    print(f"{rows.rows.to_do} rows to convert{cost}; nothing was asked or written")


def _carry_out(rows: ConversionRun, session: RunSession) -> int:
    plan = rows.plan
    rows.survey()
    repeated(plan.output, rows.rows.repeated)
    if rows.rows.earlier and not rows.rows.to_do:
        complete(plan.output)
        return 0
    provider = plan.client.provider if plan.client else "offline"
    identity = {"provider": provider, "name": plan.writer}
    spelling: dict[str, Any] = {"spelling_variation": plan.spelling_variation}
    if plan.spelling_variation:
        spelling["seed"] = plan.seed
    refuse_other_writer(identity, session.earlier, plan.output)
    refuse_other_writer(spelling, session.earlier, plan.output, field="parameters")
    client = session.open_client(plan.client) if plan.client else None
    tally = Tally()
    with session.writing((*rows.table.columns, *ADDED)) as writer:
        session.ask(_ask(rows, client, writer, tally), lambda: f"{tally.made} rows")
    entry = session.publish(
        {
            "task": "codemix",
            "track": "main",
            "input": {"path": str(plan.input), "sha256": file_sha256(plan.input)},
            "generator": {**identity, **(client.model.record() if client else {})},
            "parameters": {
                "temperature": plan.temperature,
                "seed": plan.seed,
                "tries": plan.tries,
                "spelling_variation": plan.spelling_variation,
            },
            "quality": tally.quality.figures(),
        },
        {
            "rows": tally.made,
            "failed_first": dict(tally.first.most_common()),
            "failed_finally": dict(tally.final.most_common()),
            "mended": tally.mended,
        },
    )
    if not plan.options.quiet:
        _report(plan, tally, entry)
    return 1 if tally.unanswered else 0


async def _ask(rows: ConversionRun, client: Client | None, writer: RowWriter, tally: Tally) -> None:
    try:
        if client:
            await client.model.prepare(_workload(rows))
        await rows.write(client, writer, tally)
    finally:
        if client:
            await client.model.close()


def _workload(rows: ConversionRun) -> Workload:
    tokens = codemix.budget({"context": "x" * rows.longest})
    return Workload(
        requests=rows.rows.to_do,
        longest_prompt=len(template("convert.codemix")) + 3 * rows.longest,
        max_tokens=2 * tokens,
        max_tokens_thinking=2 * tokens + THINKING_BUDGET,
    )


def _report(plan: ConversionPlan, tally: Tally, run: Mapping[str, Any]) -> None:
    print(f"{short(plan.output)}: {tally.made} rows, {tally.passed} pass every check")
    print("  " + effort(tally.made, "done", run))
    for name, number in tally.final.most_common():
        print(f"  {name}: {number}" + (f" (at first {tally.first[name]})" if plan.client else ""))
    if tally.mended:
        print(f"  {tally.mended} rows failed a check at first and passed when asked again")
    if line := quality_line(tally.quality.figures()):
        print(f"  spelling of the file: {line}")
    for reason, number in tally.unanswered.most_common():
        print(f"  blank: {number} {reason}")
    if tally.unanswered:
        to_ask_again("them")
