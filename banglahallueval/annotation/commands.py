"""What the scripts under `annotation/` call: flags in, studies and tables out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from banglahallueval.annotation import adjudication, blinding, comparison, report
from banglahallueval.annotation.agreement import majority
from banglahallueval.annotation.forms import FORMS, FormName
from banglahallueval.annotation.inputs import Files, draw_parts
from banglahallueval.annotation.labels import Labels, read_labels
from banglahallueval.annotation.sampling import Design
from banglahallueval.annotation.study import (
    FORMATS,
    Format,
    check_name,
    parts_of,
    read_key,
    read_sheet,
    read_study_name,
    write_study,
)
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import RunError, UsageError
from banglahallueval.scoring.load import find_files
from banglahallueval.scoring.tables import ReportTable, render, write
from banglahallueval.tasks import Track

# Candidates and gold of the published study.
_SIZES: dict[FormName, tuple[int, int]] = {
    "qa": (200, 50),
    "codemix": (200, 50),
    "summarization": (150, 50),
    "reasoning": (250, 50),
    "conversion": (100, 0),
    "model_outputs": (150, 0),
}


def draw_sample(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Draw a study; exit status 0 even where it is smaller than asked, which is printed."""
    parser = new_parser(doc)
    add = parser.add_argument
    add("--output-dir", type=Path, required=True, metavar="DIR", help="the study's folder")
    add("--study", metavar="NAME", help="its name (that of the folder)")
    add("--annotators", default="annotator1,annotator2,annotator3", metavar="NAME[,…]")
    add("--forms", nargs="+", choices=list(FORMS), help="which (all; model_outputs with --answers)")
    add("--format", nargs="+", choices=FORMATS, default=["html"], help="what to write (html)")
    add("--seed", type=int, default=42, help="of every random choice (%(default)s)")
    add("--several-per-source", action="store_true", help="items may share their evidence")
    add("--fill", action="store_true", help="complete the numbers with items whose looks may tell")
    add("--overwrite", action="store_true", help="replace a study that is there")
    sizes = parser.add_argument_group("sizes")
    for name, (candidates, gold) in _SIZES.items():
        flag, size = f"--{name.replace('_', '-')}", (candidates, gold)[: 2 if gold else 1]
        meta = ("CANDIDATES", "GOLD")[: len(size)]
        shown = " ".join(map(str, size))
        sizes.add_argument(flag, nargs=len(size), type=int, default=size, metavar=meta, help=shown)
    inputs = parser.add_argument_group("inputs (the benchmark's files)")
    add = inputs.add_argument
    add("--samples", action="store_true", help="take the samples that come with the repository")
    add("--main", action="append", default=[], metavar="TASK=CSV", help="a task's gold rows")
    add("--candidates", action="append", default=[], metavar="TASK=CSV", help="its candidates")
    add("--answers", action="append", default=[], metavar="[MODEL=]CSV", help="models' answers")
    args = parser.parse_args(argv)

    annotators = [check_name(n.strip(), "annotator") for n in args.annotators.split(",")]
    if len(set(annotators)) < len(annotators):
        raise UsageError(f"--annotators {args.annotators}: a name is there twice")
    study = check_name(args.study or args.output_dir.resolve().name, "study")
    forms = args.forms or [n for n in FORMS if n != "model_outputs" or args.answers]
    designs = {}
    for name in forms:
        candidates, gold = [*vars(args)[name], 0][:2]
        if candidates < 0 or gold < 0:
            raise UsageError(f"--{name.replace('_', '-')}: sizes cannot be negative")
        designs[name] = Design(candidates, gold, args.seed, args.fill, args.several_per_source)
    parts = draw_parts(designs, Files(args.samples, args.main, args.candidates, args.answers))
    if not any(part.drawn.entries for part in parts):
        raise UsageError("nothing can be drawn; --fill takes items that do not look alike")
    formats = cast("list[Format]", args.format)
    write_study(args.output_dir, study, parts, annotators, formats, args.overwrite)
    for part in parts:
        drawn, name = part.drawn, part.pool.form.name
        alike = f", {drawn.matched} in sets that look alike" if part.pool.form.task else ""
        print(f"{name}: {len(drawn.entries)} items{alike}")
        if drawn.shortfalls:
            missing = ", ".join(f"{n or 'all'} {count}" for n, count in drawn.shortfalls.items())
            cure = "; --fill completes it with items whose looks may tell"
            if args.fill or not part.pool.form.task:
                cure = ""
            print(f"{name}: short of {missing}{cure}")
        for reason, count in part.pool.left_out.items():
            if count:
                print(f"{name}: {count} rows could not be drawn: {reason}")
    print(f"send: {args.output_dir / 'annotators'}; keep to yourself: {args.output_dir / 'lead'}")
    return 0


def check_blinding(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Guess tracks from looks; exit status 1 if that beats chance."""
    parser = new_parser(doc)
    parser.add_argument("study", type=Path, nargs="?", help="a study's folder")
    parser.add_argument("--sheet", type=Path, action="append", default=[], help="or any sheet …")
    parser.add_argument("--key", type=Path, action="append", default=[], help="… with its key")
    parser.add_argument("--seed", type=int, default=42)
    args = parser.parse_args(argv)
    pairs = list(zip(args.sheet, args.key, strict=False))
    if len(args.sheet) != len(args.key) or bool(args.study) == bool(pairs):
        parser.error("give a study's folder, or a --key for each --sheet")
    if args.study:
        lead = args.study / "lead"
        names = [name for name in parts_of(args.study) if FORMS[name].task]
        pairs = [(lead / "sheets" / f"{n}.csv", lead / "keys" / f"{n}.csv") for n in names]
    told = 0
    orders: dict[str, list[Track]] = {}
    for sheet_path, key_path in pairs:
        sheet = read_sheet(sheet_path)
        key = read_key(key_path)
        tracks = blinding.read_tracks(key, key_path)
        found = blinding.measure_leak(sheet, tracks, blinding.read_matched_sets(key), args.seed)
        orders[str(sheet_path.stem)] = [tracks[i] for i, _ in sheet.rows if i in tracks]
        told += not found.is_blind
        print(blinding.describe_leak(found))
    for each in blinding.find_shared_orders(orders):
        told += 1
        print(
            f"{each.first} and {each.second}: {each.same:.0%} of places hold the same track "
            f"(p = {each.p:.1g}): one sheet tells the other's"
        )
    return 1 if told else 0


def agree(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Measure agreement; exit status 1 if labels are missing or invalid."""
    parser = new_parser(doc)
    _add_labels(parser)
    parser.add_argument("--study", type=Path, metavar="DIR", help="the study, for its keys")
    parser.add_argument("--judges", nargs="+", default=[], metavar="CSV|DIR", help="labelled files")
    parser.add_argument("--output-dir", type=Path, required=True, metavar="DIR", help="the tables")
    args = parser.parse_args(argv)
    if args.judges and not args.study:
        parser.error("--judges needs --study, whose keys hold the items' texts")
    everyone = _read(args.labels, args.study)
    if args.judges:
        find_files(args.judges)  # a wrong name is told before anything is written
    made: list[ReportTable] = []
    for name, labels in everyone.items():
        if len(labels.annotators) < 2:
            raise UsageError(f"{name}: labels of {labels.annotators[0]} alone; agreement needs two")
        key = read_key(_lead(args.study, "keys", name)) if args.study else None
        made += report.tables(labels, key)
        task = labels.form.task
        if key is not None and task is not None:
            question = labels.form.questions[0]
            most = {i: majority(question, labels.of(question.name, i)) for i in labels.items}
            path = args.output_dir / f"{name}_human_labels.csv"
            comparison.write_human_labels(path, task, key, most)
            table, lines = comparison.compare(path, args.judges)
            made.append(table)
            print("\n".join(lines), end="\n" if lines else "")
    long = ("_items", "_problems")
    write(made, args.output_dir, ["csv"])
    summary = [table for table in made if not table.name.endswith(long)]
    write(summary, args.output_dir, ["json", "markdown"])
    print(render(summary, "markdown"), end="")
    problems = [line for labels in everyone.values() for line in report.problem_lines(labels)]
    print("\n".join(problems) if problems else "every item has a valid label of each annotator")
    print(f"written: {args.output_dir}")
    return 1 if problems else 0


def adjudicate(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Make the pages for split items, or the final labels."""
    parser = new_parser(doc)
    _add_labels(parser)
    parser.add_argument("--study", type=Path, required=True, metavar="DIR", help="the study")
    parser.add_argument(
        "--adjudicated", nargs="+", metavar="CSV", help="decisions: write gold files"
    )
    parser.add_argument("--adjudicator", default="adjudicator", metavar="NAME", help="who decides")
    parser.add_argument("--show-votes", action="store_true", help="show labels and notes on pages")
    parser.add_argument("--include-unsure", action="store_true", help="decide flagged items too")
    parser.add_argument("--output-dir", type=Path, required=True, metavar="DIR", help="where to")
    args = parser.parse_args(argv)
    decided = _read(args.adjudicated, args.study) if args.adjudicated else {}
    undecided = 0
    for name, labels in _read(args.labels, args.study).items():
        sheet = read_sheet(_lead(args.study, "sheets", name), read_study_name(args.study))
        if args.adjudicated:
            path = args.output_dir / f"{name}_gold.csv"
            final = adjudication.final_labels(labels, decided.get(name))
            key = read_key(_lead(args.study, "keys", name))
            left = adjudication.write_final(path, final, dict(sheet.rows), key)
            undecided += left
            print(f"{name}: {len(final)} items, {left} labels undecided: {path}")
            continue
        items = adjudication.split_items(labels, args.include_unsure)
        print(f"{name}: {len(items)} of {len(labels.items)} items to decide", end="")
        if items:
            path = args.output_dir / f"{name}_{args.adjudicator}.html"
            who = check_name(args.adjudicator, "adjudicator")
            adjudication.write_page(path, sheet, labels, items, who, args.show_votes)
            print(f": {path}", end="")
        print()
    if undecided:
        raise RunError(f"{undecided} labels are undecided; they are 'unknown' in the gold files")
    return 0


def _add_labels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "labels",
        nargs="+",
        metavar="[NAME=]CSV",
        help="annotators' files: page exports, spreadsheets, Label Studio exports",
    )


def _lead(study: Path, kind: str, name: str) -> Path:
    return study / "lead" / kind / f"{name}.csv"


def _read(files: Sequence[str], study: Path | None) -> dict[FormName, Labels]:
    names = parts_of(study) if study else []
    items = {n: list(read_key(_lead(cast(Path, study), "keys", n)).index) for n in names}
    labels = read_labels(files, items)
    unknown = [name for name in labels if study and name not in items]
    if unknown:
        raise UsageError(f"{study} has no form {unknown[0]}")
    return labels
