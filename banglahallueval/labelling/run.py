"""One labelling run from flags to files: survey, judge, output, record, summary."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from banglahallueval.errors import RunError, UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import default_store
from banglahallueval.io.records import command_line, read_record, record_path, utc_now, write_record
from banglahallueval.judges.factory import Judging, build, judge_identity, provider_of
from banglahallueval.judges.llm import thinking_budget
from banglahallueval.labelling import summary as summaries
from banglahallueval.labelling.plan import Plan, Settled, settle
from banglahallueval.labelling.rows import Job, Survey, Tally, label, survey
from banglahallueval.models.client import usage_record
from banglahallueval.models.types import Workload
from banglahallueval.runs.progress import Progress
from banglahallueval.runs.summary import stopped
from banglahallueval.runs.workers import locked


def run(plan: Plan) -> int:
    """Carry a plan out.

    Returns:
        The exit status: 0, or 1 if rows got no reply or `--force-binary` left some unknown.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    args = plan.args
    prepared = settle(plan)
    if not args.quiet:
        summaries.announce(prepared.input, prepared.job.layout, prepared.prompt)
    if args.dry_run:
        summaries.dry_run(
            prepared.prompt,
            prepared.job,
            survey(prepared.job),
            provider_of(plan.judge, args),
            args,
        )
        return 0
    with locked(prepared.output):
        return _carry_out(prepared)


def _carry_out(run: Settled) -> int:
    args, job = run.plan.args, run.job
    identity = judge_identity(run.plan.judge, run.prompt, args)
    earlier = read_record(run.output) if args.resume and run.output.exists() else None
    source_hash = file_sha256(run.input)
    if earlier:
        _same_judge(identity, job, earlier, run.output)
        if earlier["input"]["sha256"] == source_hash:
            rows = [each["rows"] for each in earlier["runs"]]
            done = tuple((each["start"], each["end"]) for each in rows)
            run.job = job = replace(job, done=done)
        if _finished(run, earlier, source_hash):
            summaries.complete(run.output)
            return 0
    found = survey(job)
    if found.earlier:
        if found.to_judge == 0:
            summaries.complete(run.output)
            if not earlier and default_store(run.output, args).exists():
                summaries.without_record(run.output)
            return 0
        summaries.going_on(run.output, found, quiet=args.quiet)
    judging = build(run.plan.judge, run.prompt, args, default_store(run.output, args))
    tally = Tally()
    started, clock = utc_now(), time.monotonic()
    runs = list(earlier["runs"]) if earlier else []
    try:
        judge_record = asyncio.run(_ask(run, judging, found, earlier, tally))
        if judging.client:
            judging.client.store.finish()
    except (KeyboardInterrupt, RunError):
        if tally.judged or (judging.client and judging.client.usage.asked):
            stopped(f"{tally.judged} rows ({summaries.labels(tally)})", judging.client)
        raise
    finally:
        if judging.client:
            judging.client.store.close()
    runs.append(
        {
            "command": command_line(),
            "started": started,
            "finished": utc_now(),
            "seconds": round(time.monotonic() - clock, 3),
            "rows": {"start": job.start, "end": found.end, "judged": tally.judged},
            **usage_record(judging.client),
        }
    )
    write_record(
        run.output,
        {
            "task": job.layout.task.name,
            "track": job.layout.track,
            "columns": dict(job.layout.columns),
            "input": {"path": str(run.input), "sha256": source_hash, "rows": found.rows},
            "output": {
                "path": str(run.output),
                "sha256": file_sha256(run.output),
                "rows": tally.labels.total(),
            },
            "judge": {**identity, **judge_record},
            "labels": {name: tally.labels[name] for name in ("yes", "no", "unknown")},
            "unknown_reasons": dict(tally.reasons.most_common()),
            "runs": runs,
        },
    )
    if not args.quiet:
        summaries.finished(run.output, job.layout, tally, runs[-1])
    forced_in_vain = args.force_binary and any(r != "blank input" for r in tally.reasons)
    return 1 if tally.unanswered or forced_in_vain else 0


async def _ask(
    run: Settled,
    judging: Judging,
    found: Survey,
    earlier: dict[str, Any] | None,
    tally: Tally,
) -> dict[str, Any]:
    """Label; gives the judge's record, taken while its model is still loaded."""
    progress = Progress(found.to_judge, run.output.stem, quiet=run.plan.args.quiet)
    client = judging.client
    again = len(earlier["runs"]) if earlier else 0
    try:
        if client and run.prompt:
            await client.model.prepare(_workload(run, found))
            _same_weights(client.model.record(), earlier, run.output)
        await label(run.job, judging.judge, found, again=again, tally=tally, on_row=progress)
        return judging.judge.record()
    finally:
        progress.close()
        if client:
            await client.model.close()


def _same_weights(now: dict[str, Any], earlier: dict[str, Any] | None, output: Path) -> None:
    """Refuse to go on with other weights under the same name, where the server tells them apart."""
    was = earlier["judge"].get("model", {}).get("digest") if earlier else None
    if was and now.get("digest") and was != now["digest"]:
        raise UsageError(
            f"{output} was labelled by a model of digest {was[:12]}, the server now has "
            f"{now['digest'][:12]}; name another --output, or --overwrite it"
        )


def _workload(run: Settled, found: Survey) -> Workload:
    assert run.prompt is not None
    given = run.plan.args.max_tokens
    # The checked calculations of a chain are about as long as the chain.
    longest = found.longest * 2 if "evidence" in run.prompt.slots else found.longest
    return Workload(
        requests=found.to_judge,
        longest_prompt=longest + len(run.prompt.text),
        max_tokens=given or run.prompt.max_tokens,
        max_tokens_thinking=given or thinking_budget(run.prompt),
    )


def _finished(run: Settled, record: dict[str, Any], source_hash: str) -> bool:
    """Whether the record alone shows that nothing is left, without reading a row."""
    return bool(
        record["input"]["sha256"] == source_hash
        and record["output"]["rows"] == record["input"]["rows"]
        and record["labels"]["unknown"] == 0
        and file_sha256(run.output) == record["output"]["sha256"]
    )


def _same_judge(identity: dict[str, Any], job: Job, record: dict[str, Any], output: Path) -> None:
    """Refuse to put labels of two judges, or on other columns, into one file."""
    if not {"task", "columns", "input", "output", "judge", "labels", "runs"} <= set(record):
        raise UsageError(
            f"{output} is not the output of a labelling run, says {record_path(output)}; "
            "name another --output"
        )
    now = {"task": job.layout.task.name, "columns": _listed(job.layout.columns), **identity}
    before = {**record["judge"], "task": record["task"], "columns": _listed(record["columns"])}
    for what, value in now.items():
        was = before.get(what)
        if was != value:
            raise UsageError(
                f"{output} was labelled with the {what} {_named(was)}, this run has "
                f"{_named(value)}; name another --output, or --overwrite it"
            )


def _listed(columns: Mapping[str, str]) -> str:
    return ",".join(sorted(f"{role}={name}" for role, name in columns.items()))


def _named(value: Any) -> str:
    return str(value["name"]) if isinstance(value, dict) else str(value)
