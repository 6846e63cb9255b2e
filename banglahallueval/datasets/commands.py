"""The command lines that fetch data and check the layout."""

from __future__ import annotations

import argparse
import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import positive_number
from banglahallueval.datasets.catalogue import BENCHMARK, CATALOGUE, Dataset
from banglahallueval.datasets.fetch import FetchOptions, fetch_all
from banglahallueval.datasets.sources import Source
from banglahallueval.datasets.tree_check import check_layout
from banglahallueval.errors import UsageError, suggestion
from banglahallueval.io.paths import repository_root

_BY_NAME = {dataset.name: dataset for dataset in CATALOGUE}


def fetch_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/fetch_datasets.py`."""
    parser = new_parser(doc)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="data sets; benchmark is its four tasks, or all"
    )
    parser.add_argument(
        "--list", action="store_true", help="only list the data sets, with homes and licences"
    )
    parser.add_argument(
        "--mirror",
        default="",
        metavar="URL|DIR",
        help="take files from there instead; a checkout of the published tree will do",
    )
    _add_root(parser)
    parser.add_argument(
        "--retry-pause",
        type=positive_number,
        default=1.0,
        metavar="SECONDS",
        help="wait before a failed request is repeated; doubles each time (default: 1)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    args = parser.parse_args(argv)
    if args.list or not args.names:
        _print_catalogue(_chosen(args.names or ["all"]))
    else:
        fetch_all(_fetch_options(args))
    return 0


def layout_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/check_layout.py`; the exit status is 1 if an existing file is wrong."""
    parser = new_parser(doc)
    _add_root(parser)
    root: Path = parser.parse_args(argv).root or repository_root()
    counts: Counter[str] = Counter()
    for line in check_layout(root):
        counts[line.state] += 1
        remark = f": {line.remark}" if line.remark else ""
        print(f"{line.state:8}{line.path}{remark}")
    print(", ".join(f"{counts[state]} {state}" for state in ("whole", "wrong", "missing")))
    return 1 if counts["wrong"] else 0


def _fetch_options(args: argparse.Namespace) -> FetchOptions:
    """Settle the flags.

    Raises:
        UsageError: If a name or a folder does not exist.
    """
    options = FetchOptions(
        datasets=_chosen(args.names),
        root=args.root or repository_root(),
        source=Source(args.mirror),
        retry_pause=args.retry_pause,
        quiet=args.quiet,
    )
    if options.source.is_folder and not Path(args.mirror).is_dir():
        raise UsageError(f"--mirror {args.mirror}: no such folder, and no URL")
    if not options.root.is_dir():
        raise UsageError(f"--root {options.root}: no such folder")
    return options


def _add_root(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--root", type=Path, metavar="DIR", help="(default: the repository)")


def _chosen(names: Sequence[str]) -> tuple[Dataset, ...]:
    known = ["benchmark", "all", *_BY_NAME]
    wanted: list[str] = []
    for name in names:
        wanted += {"all": tuple(_BY_NAME), "benchmark": BENCHMARK}.get(name, (name,))
    for name in wanted:
        if name not in _BY_NAME:
            raise UsageError(
                f"no data set {name!r}{suggestion(name, known)} (there are {', '.join(known)})"
            )
    return tuple(_BY_NAME[name] for name in dict.fromkeys(wanted))


def _print_catalogue(datasets: Sequence[Dataset]) -> None:
    for dataset in datasets:
        print(f"{dataset.name}: {dataset.title}")
        lines = [f"home: {dataset.home}", f"licence: {dataset.licence}"]
        lines += [f"note: {dataset.note}"] if dataset.note else []
        lines += [f"file: {file.target}" for file in dataset.files]
        lines += [f"made: {target}" for target in dataset.derived]
        for line in lines:
            print(textwrap.fill(line, 100, initial_indent="  ", subsequent_indent="    "))
