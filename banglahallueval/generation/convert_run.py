"""The conversion run: from a Bangla gold file to a code-mixed one."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from banglahallueval.cli.flags import (
    ALL_PROVIDERS,
    add_asking_flags,
    add_run_flags,
    given,
    read_columns,
)
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import count, positive, share, temperature
from banglahallueval.errors import RunError, UsageError
from banglahallueval.generation import codemix
from banglahallueval.generation.codemix import OFFLINE, Converted, Spelling
from banglahallueval.generation.extend import Extension
from banglahallueval.generation.flags import add_model_flags, refuse_ignored
from banglahallueval.generation.generator import THINKING_BUDGET
from banglahallueval.generation.patterns import fill, template
from banglahallueval.generation.run import gold_file, same_maker
from banglahallueval.hashing import file_sha256
from banglahallueval.io.layouts import Layout, find_layout
from banglahallueval.io.paths import ROOT, default_store, keep_apart, short, slug
from banglahallueval.io.records import command_line, read_record, utc_now, write_record
from banglahallueval.io.tables import Cells, Table
from banglahallueval.models.client import Client, concurrency, open_client, usage_record
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import ModelError, Workload
from banglahallueval.runs.summary import effort, resume_command, stopped
from banglahallueval.runs.workers import locked
from banglahallueval.tasks import TASKS

ADDED = ("codemix_context", "codemix_question", "codemix_answer", "generator", "checks")


@dataclass(slots=True)
class Tally:
    """Counts over a run.

    Attributes:
        made: Rows of this run.
        passed: How many of them pass every check.
        first, final: How many of them failed each check at first, and in the end.
        unanswered: Rows without a reply, by reason.
    """

    made: int = 0
    passed: int = 0
    first: Counter[str] = field(default_factory=Counter)
    final: Counter[str] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)


def convert_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """`scripts/convert_codemix.py`."""
    parser = new_parser(doc)
    what = parser.add_argument_group("what is written, and by whom")
    what.add_argument(
        "--provider",
        choices=[*ALL_PROVIDERS, "offline"],
        default="openai",
        help="offline transliterates without a model (default: openai)",
    )
    what.add_argument(
        "--spelling-variation",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="spell so many of the words in another common way, decided by --seed (default: 0)",
    )
    what.add_argument("--seed", type=count, default=42, help="(default: 42)")
    what.add_argument("--temperature", type=temperature, default=0.2, help="(default: 0.2)")
    what.add_argument("--tries", type=positive, default=3, help="per row at most (default: 3)")
    add_run_flags(
        parser,
        reads="the Bangla gold file (default: the qa main file)",
        writes='the code-mixed file (default: under "Codemix/Main dataset")',
        keeps="its converted rows",
    )
    add_model_flags(parser)
    args, defaults = parser.parse_args(argv), vars(parser.parse_args([]))
    if args.provider == "offline":
        asking = given(args, partial(add_asking_flags, verdicts=False))
        asking += [f"--{n}" for n in ("temperature", "tries") if vars(args)[n] != defaults[n]]
        refuse_ignored(args, ["offline"], [f for f in asking if f not in ("--dry-run", "--quiet")])
        args.model = OFFLINE
    elif not args.model:
        raise UsageError("--model names the model that converts; or take --provider offline")
    else:
        refuse_ignored(args, [args.provider])
    return _convert(args)


def _convert(args: argparse.Namespace) -> int:
    source = args.input or gold_file(TASKS["qa"])
    table = Table(source)
    layout = find_layout(table.columns, "qa", "main", read_columns(args.columns), where=str(source))
    name = f"codemix_{source.stem}_{slug(args.model)}.csv"
    output = args.output or ROOT / "Codemix" / "Main dataset" / name
    keep_apart(source, output=output)
    ends = [args.end, args.start + args.limit if args.limit else None]
    end = min((each for each in ends if each is not None), default=None)
    extension = Extension(
        table, output, ADDED, "codemix_context", args.start, end, args.resume, args.overwrite
    )
    extension.survey()
    if args.dry_run:
        return _dry_run(extension, layout, args)
    with locked(output):
        return _carry_out(extension, layout, args)


def _dry_run(extension: Extension, layout: Layout, args: argparse.Namespace) -> int:
    first = next((c for i, c in enumerate(extension.table.rows()) if i in extension.to_do), None)
    if first is not None:
        item = _item(layout, first)
        if args.provider == "offline":
            print("\n".join(codemix.convert_offline(item).values()))
        else:
            print(fill(template("convert.codemix"), item))
    print(f"{len(extension.to_do)} rows to convert; nothing was asked or written")
    return 0


def _carry_out(extension: Extension, layout: Layout, args: argparse.Namespace) -> int:
    output = extension.output
    if args.resume and output.exists() and not extension.to_do:
        print(f"{short(output)} is complete; nothing left to do")
        return 0
    earlier = read_record(output) if args.resume and output.exists() else None
    identity = {"provider": args.provider, "name": args.model}
    same_maker(identity, earlier, output)
    store = client = None
    if args.provider != "offline":
        store = ReplyStore(default_store(output, args), fresh=args.fresh)
        client = open_client(args.provider, args.model, store, args)
    tally, started, clock = Tally(), utc_now(), time.monotonic()
    try:
        asyncio.run(_write(extension, layout, client, tally, args))
        if store:
            store.finish()
    except (KeyboardInterrupt, RunError):
        stopped(f"{tally.made} rows", client)
        raise
    finally:
        if store:
            store.close()
    run: dict[str, Any] = {
        "command": command_line(),
        "started": started,
        "finished": utc_now(),
        "seconds": round(time.monotonic() - clock, 3),
        "rows": tally.made,
        "failed_first": dict(tally.first.most_common()),
        "failed_finally": dict(tally.final.most_common()),
        **usage_record(client),
    }
    path = extension.table.path
    record = {
        "task": "codemix",
        "track": "main",
        "input": {"path": str(path), "sha256": file_sha256(path)},
        "output": {"path": str(output), "sha256": file_sha256(output)},
        "generator": {
            **identity,
            **(client.model.record() if client else {}),
        },
        "parameters": {
            "temperature": args.temperature,
            "seed": args.seed,
            "tries": args.tries,
            "spelling_variation": args.spelling_variation,
        },
        "runs": [*(earlier["runs"] if earlier else []), run],
    }
    write_record(output, record)
    if not args.quiet:
        _report(output, tally, run)
    return 1 if tally.unanswered else 0


async def _write(
    extension: Extension,
    layout: Layout,
    client: Client | None,
    tally: Tally,
    args: argparse.Namespace,
) -> None:
    spelling = Spelling(args.spelling_variation, args.seed)

    async def work(row: int, cells: Cells) -> Cells:
        item = _item(layout, cells)
        tally.made += 1
        try:
            made = await _one(client, item, args)
        except ModelError as error:
            reason = f"no reply: {error.cause}"
            tally.unanswered[reason] += 1
            return ["", "", "", args.model, reason]
        mixed = codemix.anchored(item, spelling.vary(made.texts, row))
        failed = made.failed
        if not any(name in failed for name in ("cut off", "not JSON")):
            failed = codemix.failures_of(item, mixed)
        tally.first.update(made.first_failed)
        tally.final.update(failed)
        tally.passed += not failed
        return [*(mixed[name] for name in codemix.FIELDS), args.model, "; ".join(failed) or "ok"]

    workers = 1 if client is None else concurrency(args.provider, args)
    try:
        if client:
            await client.model.prepare(_workload(extension, layout))
        await extension.write(work, workers, quiet=args.quiet)
    finally:
        if client:
            await client.model.close()


async def _one(client: Client | None, item: dict[str, str], args: argparse.Namespace) -> Converted:
    if client is None:
        return Converted(codemix.convert_offline(item), ())
    return await codemix.convert(
        client, item, tries=args.tries, temperature=args.temperature, seed=args.seed
    )


def _workload(extension: Extension, layout: Layout) -> Workload:
    longest = max(
        (sum(map(len, _item(layout, cells).values())) for cells in extension.table.rows()),
        default=0,
    )
    tokens = codemix.budget({"context": "x" * longest})
    prompt = len(template("convert.codemix"))
    return Workload(
        requests=len(extension.to_do),
        longest_prompt=prompt + 3 * longest,
        max_tokens=2 * tokens,
        max_tokens_thinking=2 * tokens + THINKING_BUDGET,
    )


def _item(layout: Layout, cells: Cells) -> dict[str, str]:
    item = layout.item(cells)
    return {"context": item.context, "question": item.question, "answer": item.output}


def _report(output: Path, tally: Tally, run: dict[str, Any]) -> None:
    print(f"{short(output)}: {tally.made} rows, {tally.passed} pass every check")
    print("  " + effort(tally.made, "done", run))
    for name, number in tally.final.most_common():
        print(f"  {name}: {number} (at first {tally.first[name]})")
    mended = sum((tally.first - tally.final).values())
    if mended:
        print(f"  {mended} failed checks were mended by asking again")
    for reason, number in tally.unanswered.most_common():
        print(f"  blank: {number} {reason}")
    if tally.unanswered:
        print(f"To ask again for them: {resume_command()}")
