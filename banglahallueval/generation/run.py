"""The generation run: from flags to a whole candidate file, its record and its summary."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banglahallueval.cli.flags import read_columns
from banglahallueval.errors import RunError, UsageError
from banglahallueval.generation import report
from banglahallueval.generation.checks import Limits
from banglahallueval.generation.generator import Generator, Settings
from banglahallueval.generation.patterns import Frame, chosen_patterns, load_frame
from banglahallueval.generation.plan import Job, survey
from banglahallueval.generation.writing import Tally, main_file, write_candidates
from banglahallueval.hashing import file_sha256
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.paths import ROOT, default_store, keep_apart, short, slug
from banglahallueval.io.records import command_line, read_record, utc_now, write_record
from banglahallueval.io.tables import Table
from banglahallueval.models.client import open_client, usage_record
from banglahallueval.models.store import ReplyStore
from banglahallueval.runs.summary import stopped
from banglahallueval.runs.workers import locked
from banglahallueval.tasks import TASKS, Task


def generate(args: argparse.Namespace) -> int:
    """Carry out what the flags of `scripts/generate_hallucinations.py` say.

    Returns:
        The exit status: 0, or 1 if candidates got no reply.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    job, frame = _job(args), load_frame(args.task, args.frame)
    settings = _settings(args)
    if args.sentence_gold and args.task not in ("qa", "codemix"):
        raise UsageError("--sentence-gold rewrites answers; qa and codemix have them")
    if args.all_types and args.task != "reasoning":
        raise UsageError("--all-types is for reasoning; other tasks get every pattern anyway")
    if not args.model:
        raise UsageError("--model names the model that writes the candidates; it is missing")
    if args.dry_run:
        report.dry_run(frame, settings, survey(job), args)
        return 0
    with locked(job.output):
        return _carry_out(job, frame, settings, args)


def _job(args: argparse.Namespace) -> Job:
    source = args.input or gold_file(TASKS[args.task])
    table = Table(source)
    layout = find_layout(
        table.columns, args.task, "main", read_columns(args.columns), where=str(source)
    )
    output = args.output or _default_output(args, source)
    keep_apart(source, output=output)
    gold = main_file(output)
    foreign = gold.exists() and (not output.exists() or gold.samefile(source))
    if args.sentence_gold and foreign:
        raise UsageError(
            f"--sentence-gold would write over {gold}, which is not this run's; name another "
            "--output"
        )
    ends = [args.end, args.start + args.limit if args.limit else None]
    return Job(
        table,
        layout,
        output,
        chosen_patterns(args.task, args.patterns),
        in_turn=args.task == "reasoning" and not args.all_types,
        start=args.start,
        end=min((each for each in ends if each is not None), default=None),
        pilot=args.pilot,
        seed=args.seed,
        resume=args.resume,
        overwrite=args.overwrite,
    )


def gold_file(task: Task) -> Path:
    """A task's published main file.

    Raises:
        UsageError: If it is not there.
    """
    path = ROOT / task.files["main"]
    if not path.exists():
        raise UsageError(
            f"no file {short(path)}; fetch it: python scripts/fetch_datasets.py {task.name}, or "
            f'try the committed sample: --input "{short(ROOT / task.samples["main"])}"'
        )
    return path


def _default_output(args: argparse.Namespace, source: Path) -> Path:
    pilot = f"_pilot_{args.pilot}" if args.pilot else ""
    name = f"{args.task}_{source.stem}_{slug(args.model or '')}{pilot}.csv"
    return ROOT / "Hallucination Generated Answers" / name


def _settings(args: argparse.Namespace) -> Settings:
    return Settings(
        Limits(args.length_ratio), args.tries, args.temperature, args.seed, args.max_tokens
    )


def _carry_out(job: Job, frame: Frame, settings: Settings, args: argparse.Namespace) -> int:
    identity = {
        "provider": args.provider,
        "name": args.model,
        "prompt": {"name": frame.name, "sha256": frame.sha256},
        "sentence_gold": args.sentence_gold,
    }
    earlier = read_record(job.output) if args.resume and job.output.exists() else None
    same_maker(identity, earlier, job.output)
    found = survey(job)
    if job.resume and job.output.exists() and found.to_make == 0:
        print(f"{short(job.output)} is complete; nothing left to ask")
        return 0
    store = ReplyStore(default_store(job.output, args), fresh=args.fresh)
    client = open_client(args.provider, args.model, store, args)
    generator = Generator(client, frame, settings)
    tally, started, clock = Tally(), utc_now(), time.monotonic()
    try:
        asyncio.run(write_candidates(job, generator, found, tally, args))
        store.finish()
    except (KeyboardInterrupt, RunError):
        stopped(f"{tally.made} candidates", client)
        raise
    finally:
        store.close()
    runs = list(earlier["runs"]) if earlier else []
    runs.append(
        {
            "command": command_line(),
            "started": started,
            "finished": utc_now(),
            "seconds": round(time.monotonic() - clock, 3),
            "candidates": tally.made,
            "failed_first": dict(tally.first.most_common()),
            "failed_finally": dict(tally.final.most_common()),
            **usage_record(client),
        }
    )
    source = job.table.path
    record = {
        "task": args.task,
        "track": "candidates",
        "input": {"path": str(source), "sha256": file_sha256(source), "rows": found.rows},
        "output": {
            "path": str(job.output),
            "sha256": file_sha256(job.output),
            "rows": tally.rows.total(),
        },
        "generator": {**identity, **client.model.record()},
        "parameters": {
            "patterns": job.patterns,
            "in_turn": job.in_turn,
            "pilot": job.pilot,
            "seed": settings.seed,
            "temperature": settings.temperature,
            "tries": settings.tries,
            "length_ratio": settings.limits.ratio,
        },
        "checks": dict(tally.rows.most_common()),
        "runs": runs,
    }
    write_record(job.output, record)
    if not args.quiet:
        report.finished(job, tally, runs[-1], args)
    return 1 if tally.unanswered else 0


def same_maker(now: Mapping[str, Any], record: Mapping[str, Any] | None, output: Path) -> None:
    """Refuse to put rows of two models or prompts into one file.

    Args:
        now: What must be the same, of this run.
        record: The run record of the output that is there; None where it has none.
        output: The output.

    Raises:
        UsageError: If they differ.
    """
    was = record.get("generator", {}) if record else now
    for what, value in now.items():
        if was.get(what) != value:
            raise UsageError(
                f"{output} was made with {what} {was.get(what)}, this run has {value}; name "
                "another --output, or --overwrite it"
            )
