"""The commands of the scripts under `annotation/`: flags in, studies and tables out."""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from banglahallueval.annotation import blinding
from banglahallueval.annotation.adjudication import (
    AdjudicationOptions,
    read_votes,
    write_agreed_spans,
    write_gold_files,
    write_pages,
)
from banglahallueval.annotation.arguments import (
    check_glob,
    check_input_file,
    check_name,
    check_output_folder,
    parse_named_file,
    parse_task_files,
)
from banglahallueval.annotation.draw_study import DrawOptions, describe, draw_study
from banglahallueval.annotation.forms import FORMS, FormName
from banglahallueval.annotation.inputs import InputFiles
from banglahallueval.annotation.report import AgreementOptions, report_agreement
from banglahallueval.annotation.sampling import Design
from banglahallueval.annotation.study_writer import FORMATS, Format
from banglahallueval.annotation.track_leak import describe_leak
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import count, seed
from banglahallueval.errors import RunError, UsageError
from banglahallueval.scoring.tables import render
from banglahallueval.tasks import TaskName, Track

# Candidates and gold of the published study; forms without tracks have no gold.
_SIZES: dict[FormName, tuple[int, ...]] = {
    "qa": (200, 50),
    "codemix": (200, 50),
    "summarization": (150, 50),
    "reasoning": (250, 50),
    "conversion": (100,),
    "model_outputs": (150,),
}


def draw_sample(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Draw a study; exit status 0 even if it is smaller than asked, which is printed."""
    options = _settle_draw(_draw_parser(doc).parse_args(argv))
    for drawn in draw_study(options):
        for line in describe(drawn):
            print(line)
        if options.asks_spans and drawn.pool.form.judged is None:
            print(f"{drawn.pool.form.name}: has no single text to mark; its page asks for no marks")
    print(f"send: {options.folder / 'annotators'}; keep to yourself: {options.folder / 'lead'}")
    return 0


def _draw_parser(doc: str | None) -> argparse.ArgumentParser:
    parser = new_parser(doc)
    add = parser.add_argument
    add("--output-dir", required=True, metavar="DIR", help="the study's folder")
    add("--study", metavar="NAME", help="the study's name (default: the folder's name)")
    add("--annotators", default="annotator1,annotator2,annotator3", metavar="NAME[,…]")
    add(
        "--forms",
        nargs="+",
        choices=list(FORMS),
        help="(default: all; model_outputs with --answers)",
    )
    add(
        "--format",
        nargs="+",
        choices=FORMATS,
        default=["html"],
        help="files to write (default: html)",
    )
    add("--seed", type=seed, default=42, help="seed of every random choice (default: %(default)s)")
    add("--several-per-source", action="store_true", help="items may share their evidence")
    add("--fill", action="store_true", help="complete the sample with unmatched items")
    add("--spans", action="store_true", help="pages ask to mark what is hallucinated")
    add("--overwrite", action="store_true", help="replace an existing study")
    sizes = parser.add_argument_group("sizes")
    for name, size in _SIZES.items():
        metavar = ("CANDIDATES", "GOLD")[: len(size)]
        default = " ".join(map(str, size))
        sizes.add_argument(
            _size_flag(name),
            nargs=len(size),
            type=count,
            metavar=metavar,
            help=f"(default: {default})",
        )
    inputs = parser.add_argument_group("inputs (default: the benchmark's files)")
    add = inputs.add_argument
    add("--samples", action="store_true", help="use the samples that come with the repository")
    add("--main", action="append", default=[], metavar="TASK=CSV", help="a task's gold rows")
    add("--candidates", action="append", default=[], metavar="TASK=CSV", help="its candidates")
    add("--answers", action="append", default=[], metavar="[MODEL=]CSV", help="models' answers")
    return parser


def _settle_draw(args: argparse.Namespace) -> DrawOptions:
    folder = check_output_folder(args.output_dir)
    name = folder.resolve().name if args.study is None else args.study
    forms: list[FormName] = args.forms or [n for n in FORMS if n != "model_outputs" or args.answers]
    if args.spans:
        _check_spans(forms, args.format)
    sizes = {name: getattr(args, name) for name in _SIZES}
    for form, size in sizes.items():
        if size is not None and form not in forms:
            raise UsageError(f"{_size_flag(form)}: {form} is not among --forms")
    designs = {}
    for form in forms:
        candidates, gold = [*(sizes[form] or _SIZES[form]), 0][:2]
        designs[form] = Design(candidates, gold, args.seed, args.fill, args.several_per_source)
    return DrawOptions(
        folder=folder,
        name=check_name(name, "--study"),
        annotators=_parse_annotators(args.annotators),
        formats=tuple(cast("list[Format]", args.format)),
        designs=designs,
        inputs=_settle_inputs(args, forms),
        overwrite=args.overwrite,
        asks_spans=args.spans,
    )


def _check_spans(forms: Sequence[FormName], formats: Sequence[Format]) -> None:
    if not any(FORMS[form].judged for form in forms):
        raise UsageError(f"--spans: {', '.join(forms)} has no single text to mark")
    if other := [name for name in formats if name != "html"]:
        raise UsageError(f"--spans: nothing can be marked in --format {other[0]}; only in html")


def _size_flag(form: FormName) -> str:
    return f"--{form.replace('_', '-')}"


def _parse_annotators(text: str) -> tuple[str, ...]:
    names = tuple(check_name(name.strip(), "--annotators") for name in text.split(","))
    # Names become folders, and file systems may ignore case and normal form.
    if len({unicodedata.normalize("NFC", name).casefold() for name in names}) < len(names):
        raise UsageError(f"--annotators {text}: two names are the same")
    return names


def _settle_inputs(args: argparse.Namespace, forms: Sequence[FormName]) -> InputFiles:
    given: dict[Track, dict[TaskName, Path]] = {
        "main": parse_task_files(args.main, "--main"),
        "candidates": parse_task_files(args.candidates, "--candidates"),
    }
    used = {(FORMS[form].task, track) for form in forms for track in given}
    if "conversion" in forms:
        used.add(("codemix", "main"))
    for track, files in given.items():
        for task in files:
            if (task, track) not in used:
                raise UsageError(f"--{track} {task}=…: no form in --forms draws from it")
    if args.answers and "model_outputs" not in forms:
        raise UsageError("--answers: model_outputs is not among --forms")
    if "model_outputs" in forms and not args.answers:
        raise UsageError("model_outputs needs --answers [MODEL=]CSV, the answers that models gave")
    return InputFiles(args.samples, given, tuple(map(parse_named_file, args.answers)))


def check_blinding(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Predict tracks from surface features; exit status 1 if that beats chance."""
    parser = new_parser(doc)
    add = parser.add_argument
    add("study", type=Path, nargs="?", help="a study's folder")
    add("--sheet", type=Path, action="append", default=[], help="or any sheet …")
    add("--key", type=Path, action="append", default=[], help="… with its key")
    add("--seed", type=seed, default=42, help="seed of the splits (default: %(default)s)")
    options = _settle_blinding(parser.parse_args(argv))
    result = blinding.check_blinding(options)
    for leak in result.leaks:
        print(describe_leak(leak))
    for shared in result.shared_orders:
        print(
            f"{shared.first} and {shared.second}: {shared.same:.0%} of places hold the same track "
            f"(p = {shared.p:.1g}): one sheet reveals the other's tracks"
        )
    if not result.leaks:
        print("no form of the study mixes tracks; there is nothing to check")
    return 0 if result.is_blind else 1


def _settle_blinding(args: argparse.Namespace) -> blinding.BlindingOptions:
    if len(args.sheet) != len(args.key) or (args.study is None) == (not args.sheet):
        raise UsageError("give a study's folder, or --sheet and --key for each sheet")
    if args.study is not None:
        return blinding.BlindingOptions(blinding.sheets_of_study(args.study), args.seed)
    pairs = [
        blinding.KeyedSheet(str(sheet), check_input_file(sheet), check_input_file(key))
        for sheet, key in zip(args.sheet, args.key, strict=True)
    ]
    return blinding.BlindingOptions(tuple(pairs), args.seed)


def agree(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Measure agreement; exit status 1 if labels are missing or invalid."""
    parser = new_parser(doc)
    _add_labels(parser)
    add = parser.add_argument
    add("--study", type=Path, metavar="DIR", help="the study's folder, for its keys")
    add("--judges", nargs="+", default=[], metavar="CSV|DIR", help="labelled files")
    add("--output-dir", required=True, metavar="DIR", help="folder of the tables")
    args = parser.parse_args(argv)
    if args.judges and args.study is None:
        raise UsageError("--judges needs --study, whose keys hold the items' texts")
    options = AgreementOptions(
        labels=tuple(map(parse_named_file, args.labels)),
        output_dir=check_output_folder(args.output_dir),
        study=args.study,
        judges=tuple(check_glob(text, "--judges") for text in args.judges),
    )
    found = report_agreement(options)
    for note in found.notes:
        print(note)
    print(render(found.summary, "markdown"), end="")
    for line in found.problems or ["every item has a valid label of each annotator"]:
        print(line)
    print(f"written: {options.output_dir}")
    return 1 if found.problems else 0


def adjudicate(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Write the pages of split items, or with decisions the gold files.

    Raises:
        RunError: If labels are still undecided.
    """
    parser = new_parser(doc)
    _add_labels(parser)
    add = parser.add_argument
    add("--study", type=Path, required=True, metavar="DIR", help="the study's folder")
    add("--adjudicated", nargs="+", default=[], metavar="CSV", help="decisions: write gold files")
    add("--adjudicator", metavar="NAME", help="who decides (default: adjudicator)")
    add("--show-votes", action="store_true", help="show labels and notes on pages")
    add("--include-unsure", action="store_true", help="decide flagged items too")
    add("--output-dir", required=True, metavar="DIR", help="folder to write to")
    add("--spans-output", type=Path, metavar="CSV", help="the spans settled so far")
    options = _settle_adjudication(parser.parse_args(argv))
    votes = read_votes(options)
    if options.spans_output is not None:
        rows, undecided = write_agreed_spans(options.spans_output, votes)
        print(f"{options.spans_output}: {rows} items, spans of {undecided} undecided")
    if not options.decisions:
        for page in write_pages(options, votes):
            written = f": {page.path}" if page.path else ""
            print(f"{page.form}: {page.open} of {page.items} items to decide{written}")
        return 0
    gold_files = write_gold_files(options, votes)
    for gold in gold_files:
        for line in gold.invalid:
            print(line)
        print(f"{gold.form}: {gold.items} items, {gold.open} labels undecided: {gold.path}")
    if undecided := sum(gold.open for gold in gold_files):
        raise RunError(f"{undecided} labels are undecided; they are 'unknown' in the gold files")
    return 0


def _settle_adjudication(args: argparse.Namespace) -> AdjudicationOptions:
    of_pages = {
        "--adjudicator": args.adjudicator is not None,
        "--show-votes": args.show_votes,
        "--include-unsure": args.include_unsure,
    }
    unused = [flag for flag, given in of_pages.items() if given and args.adjudicated]
    if unused:
        raise UsageError(f"{unused[0]} is for pages; it does nothing with --adjudicated")
    name = "adjudicator" if args.adjudicator is None else args.adjudicator
    return AdjudicationOptions(
        labels=tuple(map(parse_named_file, args.labels)),
        study=args.study,
        output_dir=check_output_folder(args.output_dir),
        adjudicator=check_name(name, "--adjudicator"),
        show_votes=args.show_votes,
        include_unsure=args.include_unsure,
        decisions=tuple(map(parse_named_file, args.adjudicated)),
        spans_output=args.spans_output,
    )


def _add_labels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "labels",
        nargs="+",
        metavar="[NAME=]CSV",
        help="annotators' files: page exports, spreadsheets, Label Studio exports",
    )
