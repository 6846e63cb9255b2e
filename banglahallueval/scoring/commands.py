"""What the scoring scripts call: flags in, tables and files out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.flags import read_columns
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.scoring import tables
from banglahallueval.scoring.estimate import Estimate, Measured, estimate_rate, measure
from banglahallueval.scoring.identify import Named
from banglahallueval.scoring.load import Labelled, load
from banglahallueval.scoring.plots import bengali_font, figures, save
from banglahallueval.scoring.report import write_report
from banglahallueval.scoring.report_tables import overview
from banglahallueval.scoring.results import results
from banglahallueval.tasks import TASKS, TRACKS


def score(doc: str, argv: Sequence[str] | None = None) -> int:
    """Score labelled files: print the tables, and write them where `--output` says."""
    parser = new_parser(doc)
    _add_labelled(parser)
    parser.add_argument("--output", type=Path, metavar="DIR", help="write the tables there too")
    parser.add_argument(
        "--format",
        default="markdown",
        metavar="FORMAT[,…]",
        help=f"{', '.join(tables.FORMATS)}; the first is printed, all are written (%(default)s)",
    )
    parser.add_argument(
        "--against",
        choices=["published"],
        help="place the judges among the published ones",
    )
    args = parser.parse_args(argv)
    forms = [name for name in tables.FORMATS if name in args.format.split(",")]
    if len(forms) < len(args.format.split(",")):
        raise UsageError(f"--format {args.format}: it takes {', '.join(tables.FORMATS)}")
    forms.sort(key=args.format.split(",").index)
    labelled = load(args.labelled, _named(args))
    made = overview(results(labelled), against_published=args.against is not None)
    print(tables.render(made, forms[0]), end="")
    if forms[0] == "markdown":
        for note in labelled.notes:
            print(f"note: {note}")
    if args.output:
        written = tables.write(made, args.output, forms)
        if forms[0] == "markdown":
            print(f"written: {', '.join(map(str, written))}")
    return 0


def estimate(doc: str, argv: Sequence[str] | None = None) -> int:
    """Estimate the true hallucination rate of somebody's own outputs."""
    parser = new_parser(doc)
    given = parser.add_argument_group("from figures, as 0.8 or (for an interval) as 3186/4000")
    given.add_argument("--raw", metavar="SHARE", help="share of the outputs called hallucinated")
    given.add_argument("--detection", metavar="SHARE", help="share of hallucinated ones found")
    given.add_argument("--false-alarms", metavar="SHARE", help="share of right ones alarmed")
    files = parser.add_argument_group("from files")
    files.add_argument("--outputs", nargs="+", metavar="CSV", help="your outputs, labelled")
    files.add_argument(
        "--benchmark", nargs="+", metavar="CSV|DIR", help="the judge's labels of both tracks"
    )
    _add_names(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    shares = (args.raw, args.detection, args.false_alarms)
    if all(shares) and not (args.outputs or args.benchmark):
        found = estimate_rate(*map(Measured.parse, shares))
    elif args.outputs and args.benchmark and not any(shares):
        found = _from_files(args)
    else:
        raise UsageError("give --raw, --detection and --false-alarms, or --outputs and --benchmark")
    print(_as_json(found) if args.json else _as_text(found))
    return 0


def report(doc: str, argv: Sequence[str] | None = None) -> int:
    """Write the HTML report of labelled files, and plots where `--plots` says."""
    parser = new_parser(doc)
    _add_labelled(parser)
    parser.add_argument(
        "--output", type=Path, default=Path("report.html"), help="the page (%(default)s)"
    )
    parser.add_argument("--title", default="BanglaHalluEval report", help="(%(default)s)")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="also write PNG and SVG plots")
    args = parser.parse_args(argv)
    found = results(load(args.labelled, _named(args)))
    made = figures(found)
    write_report(found, made, args.output, args.title)
    print(f"written: {args.output}")
    if args.plots:
        save(made, args.plots)
        print(f"written: {', '.join(f'{name}.png, {name}.svg' for name in made)} in {args.plots}")
        if bengali_font() is None:
            print(
                "no Bengali font was found, so Bangla names in plots may show as boxes; install "
                "Noto Sans Bengali"
            )
    return 0


def _from_files(args: argparse.Namespace) -> Estimate:
    outputs = load(args.outputs, _named(args), own_outputs=True)
    benchmark = load(args.benchmark, Named(task=args.task, judge=args.judge, prompt=args.prompt))
    (task, judge), prompt = _one_judge(outputs)
    rows = benchmark.rows
    same = rows[(rows["task"] == task) & (rows["judge"] == judge)]
    if same.empty:
        has = ", ".join(sorted(set(rows["judge"] + " on " + rows["task"])))
        raise UsageError(
            f"--benchmark has no labels of {judge} on {task} (it has {has}); measure this judge, "
            "or say with --judge that they are one"
        )
    if set(same["prompt"]) != {prompt}:
        raise UsageError(
            f"{judge} labelled the outputs with prompt {prompt or 'not recorded'!r} and the "
            f"benchmark with {', '.join(sorted(set(same['prompt'])))!r}; rates hold for one prompt "
            "(--prompt says that they are one)"
        )
    candidate = same["track"].eq("candidates")
    if candidate.all() or not candidate.any():
        raise UsageError(f"--benchmark needs {judge}'s labels of both tracks of {task}")
    for name, labelled in (("--outputs", outputs.rows), ("--benchmark", same)):
        unknown = int(labelled["label"].eq("unknown").sum())
        if unknown:
            of = f"{unknown} of {len(labelled)} rows of {name}"
            print(f"note: {of} are unknown and count as not hallucinated", file=sys.stderr)
    return estimate_rate(measure(outputs.rows), measure(same[candidate]), measure(same[~candidate]))


def _one_judge(outputs: Labelled) -> tuple[tuple[str, str], str]:
    kinds = outputs.rows[["task", "judge", "prompt"]].drop_duplicates()
    if len(kinds) > 1:
        raise UsageError("--outputs holds several tasks, judges or prompts; give one of each")
    task, judge, prompt = kinds.iloc[0]
    return (task, judge), prompt


def _as_text(found: Estimate) -> str:
    lines = [f"estimated rate of hallucinations: {found.value:.4f}"]
    if found.low == found.low:
        lines[0] += f"  95% interval {found.low:.4f} to {found.high:.4f}"
    else:
        lines.append("no interval: give the shares as counts, such as 150/500")
    for name, share in (
        ("raw rate", found.raw),
        ("detection", found.detection),
        ("false alarms", found.false_alarms),
    ):
        rows = f" on rows worth {share.rows:,.0f} independent ones" if share.rows else ""
        lines.append(f"{name}: {share.value:.4f}{rows}")
    if found.clipped:
        lines.append(
            "clipped: the raw rate lies outside what these error rates allow, so the judge errs "
            "otherwise on these outputs, or chance did it"
        )
    lines.append("It holds if the judge errs on these outputs as it does on the benchmark.")
    return "\n".join(lines)


def _as_json(found: Estimate) -> str:
    interval = None if found.low != found.low else [found.low, found.high]
    shares = {
        name: {"value": share.value, "rows": share.rows}
        for name, share in (
            ("raw", found.raw),
            ("detection", found.detection),
            ("false_alarms", found.false_alarms),
        )
    }
    return json.dumps(
        {"rate": found.value, "interval": interval, "clipped": found.clipped, **shares}, indent=2
    )


def _add_labelled(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "labelled", nargs="+", metavar="CSV|DIR", help="labelled files, folders of them, or globs"
    )
    _add_names(parser)
    parser.add_argument("--track", choices=TRACKS, help="track of all the files given")


def _add_names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--task", choices=list(TASKS), help="task of all the files given")
    parser.add_argument("--judge", metavar="NAME", help="judge of all the files given")
    parser.add_argument("--prompt", metavar="NAME", help="prompt of all the files given")
    parser.add_argument(
        "--columns",
        metavar="ROLE=NAME[,…]",
        help="columns of your own files, as in answer=my_answer,context=passage",
    )


def _named(args: argparse.Namespace) -> Named:
    track = getattr(args, "track", None)
    return Named(args.task, track, args.judge, args.prompt, read_columns(args.columns))
