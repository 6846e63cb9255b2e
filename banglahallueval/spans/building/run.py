"""A step's run: from its plan to a whole output, its record and its summary."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from banglahallueval.generation.generate import refuse_other_writer
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import short
from banglahallueval.io.tables import RowWriter
from banglahallueval.models import server_line
from banglahallueval.models.client import Client, open_client
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.prices import Estimate
from banglahallueval.models.spending import total_usage, usage_record
from banglahallueval.models.types import ModelError, Workload
from banglahallueval.prompts import template
from banglahallueval.runs.progress import progress_bar
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import complete, effort, repeated, to_ask_again
from banglahallueval.runs.workers import work_in_order
from banglahallueval.spans.building.rows import StepRows, Unit
from banglahallueval.spans.building.step import Asking, Made, Step, StepPlan, Tally, UnusableError


def run_step(plan: StepPlan, step: Step) -> int:
    """Carry a step out.

    Returns:
        The exit status: 0, or 1 if rows got no reply.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    store = plan.models[0].store
    session = RunSession(plan.output, plan.options, store=store, inputs=[plan.input])
    if plan.options.dry_run:
        _dry_run(StepRows(plan, step))
        return 0
    with session:
        return _carry_out(StepRows(plan, step), session)


def _dry_run(rows: StepRows) -> None:
    rows.survey()
    for options in rows.plan.models:
        print(server_line(options))
    if rows.first is not None:
        print(rows.step.prompt(rows.first.fields))
    needed = sum(rows.needed, Estimate())
    print(
        f"{rows.step.name}: {rows.rows.to_do} rows to make; {needed}, and more where one is sent "
        "back; nothing was asked or written"
    )


def _carry_out(rows: StepRows, session: RunSession) -> int:
    plan, step = rows.plan, rows.step
    identity = {
        "models": [f"{options.provider}:{options.model}" for options in plan.models],
        "prompts": {name: _sha256(template(name)) for name in step.prompts},
        "seed": plan.seed,
    }
    refuse_other_writer(identity, session.earlier, plan.output)
    rows.survey()
    repeated(plan.output, rows.rows.repeated)
    if rows.rows.earlier and not rows.rows.to_do:
        complete(plan.output)
        return 0
    tally = Tally(left_out=rows.left_out())
    clients: list[Client] = []
    with session.writing(rows.columns) as writer:
        asking = _ask(rows, session, clients, writer, tally)
        session.ask(asking, lambda: f"{tally.made} rows")
    session.clients = []  # the record wants them under names of its own
    usage = total_usage([usage_record(client) for client in clients])
    entry = session.publish(
        {
            "step": step.name,
            "input": {"path": str(plan.input), "sha256": file_sha256(plan.input)},
            "generator": {**identity, "served": [client.model.record() for client in clients]},
            "parameters": {
                "temperature": plan.temperature,
                "tries": plan.tries,
                "max_tokens": plan.models[0].max_tokens,
            },
            "statuses": dict(tally.statuses.most_common()),
        },
        {"rows": tally.made, "unusable": dict(tally.unusable.most_common()), **usage},
    )
    if not plan.options.quiet:
        _report(rows, tally, entry)
    return 1 if tally.unanswered else 0


async def _ask(
    rows: StepRows,
    session: RunSession,
    clients: list[Client],
    writer: RowWriter,
    tally: Tally,
) -> None:
    """Ask one model after the other, so that a local server loads each once; then write."""
    made: dict[int, Made] = {}
    plan = rows.plan
    again = len((session.earlier or {}).get("runs", []))
    for number, options in enumerate(plan.models):
        count = sum(model == number for model in rows.chosen.values())
        if not count:
            continue
        if not plan.options.quiet:
            print(server_line(options))
        client = open_client(options, session.open_store(), quiet=plan.options.quiet)
        session.clients = [client]
        clients.append(client)

        async def work(
            unit: Unit, client: Client = client, options: ClientOptions = options
        ) -> tuple[Unit, Made]:
            times = again if rows.is_again(unit) else 0
            asking = Asking(client, options, plan, tally.unusable, times)
            one = await _make(rows.step, asking, unit, tally)
            bar.update(1)
            return unit, one

        def take(done: tuple[Unit, Made]) -> None:
            made[done[0].place] = done[1]

        todo = (unit for unit in rows.units() if rows.chosen.get(unit.place) == number)
        workers = min(options.concurrency, count)
        try:
            await client.model.prepare(_workload(rows, number))
            with progress_bar(count, rows.step.name, quiet=plan.options.quiet) as bar:
                await work_in_order(todo, work, take, workers=workers)
        finally:
            await client.model.close()
    await rows.write(writer, made, tally)


async def _make(step: Step, asking: Asking, unit: Unit, tally: Tally) -> Made:
    tally.made += 1
    try:
        return await step.make(asking, unit.fields)
    except ModelError as error:
        tally.unanswered += 1
        return Made({}, f"no reply: {error.cause}")
    except UnusableError as error:
        return Made({}, error.name)


def _workload(rows: StepRows, model: int) -> Workload:
    # What is sent back stands in the prompt with the reason, once per further try.
    sent_back = (rows.plan.tries - 1) * (rows.budget + 300)
    requests = rows.needed[model].requests
    return Workload(
        requests=requests * rows.plan.tries,
        longest_prompt=rows.longest + sent_back,
        max_tokens=rows.budget,
        max_tokens_thinking=rows.budget_thinking,
    )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _report(rows: StepRows, tally: Tally, entry: Mapping[str, Any]) -> None:
    total = sum(tally.statuses.values())
    plan = rows.plan
    good = {status: n for status, n in tally.statuses.items() if status in rows.step.settled}
    listed = ", ".join(f"{number} {status}" for status, number in good.items()) or "none finished"
    print(f"{short(plan.output)}: {total} rows; {listed}")
    print("  " + effort(tally.made, "done", entry))
    for name, number in tally.unusable.most_common():
        print(f"  replies that could not be used: {number} {name}")
    open_rows = 0
    for status, number in tally.statuses.most_common():
        if status not in rows.step.settled:
            open_rows += number
            print(f"  blank: {number} {status}")
    if tally.left_out:
        print(f"  left out: {tally.left_out} rows of {short(plan.input)} that are not ok or blank")
    if open_rows:
        to_ask_again("the blank rows")
