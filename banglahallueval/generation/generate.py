"""The generation run: from its plan to a whole candidate file, its record and its summary."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.generation import report
from banglahallueval.generation.candidates import CandidateRun
from banglahallueval.generation.generator import THINKING_BUDGET, Generator
from banglahallueval.generation.plan import GenerationPlan, Tally
from banglahallueval.hashing import file_sha256
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.paths import keep_apart
from banglahallueval.io.tables import RowWriter, Table
from banglahallueval.models.types import Workload
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import complete, read_as, repeated

# What a message calls a field of a writer's identity, where its name does not say it.
_WORDS = {"name": "model", "spelling_variation": "spelling variation"}


def generate(plan: GenerationPlan) -> int:
    """Carry a generation plan out.

    Returns:
        The exit status: 0, or 1 if candidates got no reply.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    table = Table(plan.input)
    layout = find_layout(table.columns, plan.task, "main", plan.columns, where=str(plan.input))
    keep_apart(plan.input, output=plan.output)
    read_as(table)
    gold = plan.main_file
    foreign = gold.exists() and (not plan.output.exists() or gold.samefile(plan.input))
    if plan.sentence_gold and foreign:
        raise UsageError(
            f"--sentence-gold would write over {gold}, which is not this run's; name another "
            "--output"
        )
    session = RunSession(plan.output, plan.options, store=plan.client.store, inputs=[plan.input])
    if plan.options.dry_run:
        rows = CandidateRun(plan, table, layout)
        rows.survey()
        report.dry_run(rows)
        return 0
    with session:
        return _carry_out(CandidateRun(plan, table, layout), session)


def _carry_out(rows: CandidateRun, session: RunSession) -> int:
    plan = rows.plan
    identity = {
        "provider": plan.client.provider,
        "name": plan.client.model,
        "prompt": {"name": plan.frame.name, "sha256": plan.frame.sha256},
        "sentence_gold": plan.sentence_gold,
    }
    refuse_other_writer(identity, session.earlier, plan.output)
    rows.survey()
    repeated(plan.output, rows.rows.repeated)
    if rows.rows.earlier and rows.rows.to_do == 0:
        complete(plan.output)
        return 0
    client = session.open_client(plan.client)
    generator = Generator(client, plan.frame, plan.settings)
    tally = Tally()
    with session.writing(plan.output_columns) as writer:
        session.ask(_ask(rows, generator, writer, tally), lambda: f"{tally.made} candidates")
    entry = session.publish(
        {
            "task": plan.task,
            "track": "candidates",
            "input": {
                "path": str(plan.input),
                "sha256": file_sha256(plan.input),
                "rows": rows.source_rows,
            },
            "generator": {**identity, **client.model.record()},
            "parameters": {
                "patterns": plan.patterns,
                "in_turn": plan.in_turn,
                "pilot": plan.pilot,
                "seed": plan.settings.seed,
                "temperature": plan.settings.temperature,
                "tries": plan.settings.tries,
                "length_ratio": plan.settings.limits.ratio,
            },
            "checks": dict(tally.rows.most_common()),
        },
        {
            "candidates": tally.made,
            "failed_first": dict(tally.first.most_common()),
            "failed_finally": dict(tally.final.most_common()),
            "left_blank": dict(tally.rejected.most_common()),
        },
    )
    if not plan.options.quiet:
        report.finished(rows, tally, entry)
    return 1 if tally.unanswered else 0


async def _ask(rows: CandidateRun, generator: Generator, writer: RowWriter, tally: Tally) -> None:
    model = generator.client.model
    try:
        await model.prepare(_workload(rows, generator))
        await rows.write(generator, writer, tally)
    finally:
        await model.close()


def _workload(rows: CandidateRun, generator: Generator) -> Workload:
    frame, settings = generator.frame, generator.settings
    example = max(len(method) + len(text) for method, text in frame.methods.values())
    _, longest = settings.limits.bounds("x" * rows.longest)
    tokens = generator.budget(longest)
    return Workload(
        requests=rows.rows.to_do,
        # A candidate that is sent back stands in the prompt with the reason, once per further try.
        longest_prompt=len(frame.text) + example + rows.longest + settings.tries * (longest + 300),
        max_tokens=tokens,
        max_tokens_thinking=max(tokens, THINKING_BUDGET),
    )


def refuse_other_writer(
    now: Mapping[str, Any],
    record: Mapping[str, Any] | None,
    output: Path,
    *,
    field: str = "generator",
) -> None:
    """Refuse to put rows of two models, prompts or spellings into one file.

    Args:
        now: What must be the same, of this run.
        record: The run record of the earlier output; None where it has none.
        output: The output.
        field: Where the record tells it.

    Raises:
        UsageError: If they differ.
    """
    was = record.get(field, {}) if record else now
    for what, value in now.items():
        if was.get(what) != value:
            raise UsageError(
                f"{output} was made with the {_WORDS.get(what, what)} {was.get(what)}, this run "
                f"has {value}; name another --output, or --overwrite it"
            )
