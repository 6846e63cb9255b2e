"""The scripts that fetch data and check the layout."""

from __future__ import annotations

import argparse
import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import positive_number
from banglahallueval.datasets.catalogue import BENCHMARK, CATALOGUE, Dataset
from banglahallueval.datasets.fetch import Fetcher, Place
from banglahallueval.datasets.tree_check import check_layout
from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.paths import repository_root

_BY_NAME = {dataset.name: dataset for dataset in CATALOGUE}


def fetch_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """`scripts/fetch_datasets.py`."""
    parser = new_parser(doc)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="data sets; benchmark is its four tasks, or all"
    )
    parser.add_argument(
        "--list", action="store_true", help="only say what there is, with homes and licences"
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
        help="before a failed request is made again; doubles each time (default: 1)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    args = parser.parse_args(argv)
    if args.list or not args.names:
        _print_catalogue(_chosen(args.names or ["all"]))
        return 0
    place = Place(args.mirror)
    if not place.is_url and not Path(args.mirror).is_dir():
        raise UsageError(f"--mirror {args.mirror}: no such folder, and no URL")
    root: Path = args.root or repository_root()
    if not root.is_dir():
        raise UsageError(f"--root {root}: no such folder")
    fetcher = Fetcher(root, place, pause=args.retry_pause, quiet=args.quiet)
    wrong = [line for dataset in _chosen(args.names) for line in fetcher.fetch(dataset)]
    if wrong:
        raise RunError("\nerror: ".join(wrong))
    return 0


def layout_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """`scripts/check_layout.py`: exit status 1 if a file that is there is wrong."""
    parser = new_parser(doc)
    _add_root(parser)
    args = parser.parse_args(argv)
    counts: Counter[str] = Counter()
    for line in check_layout(args.root or repository_root()):
        counts[line.state] += 1
        remark = f": {line.remark}" if line.remark else ""
        print(f"{line.state:8}{line.path}{remark}")
    print(", ".join(f"{counts[state]} {state}" for state in ("whole", "wrong", "missing")))
    return 1 if counts["wrong"] else 0


def _add_root(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--root", type=Path, metavar="DIR", help="(default: the repository)")


def _chosen(names: Sequence[str]) -> list[Dataset]:
    wanted: list[str] = []
    for name in names:
        wanted += {"all": tuple(_BY_NAME), "benchmark": BENCHMARK}.get(name, (name,))
    for name in wanted:
        if name not in _BY_NAME:
            raise UsageError(
                f"no data set {name!r}; there are benchmark, all, {', '.join(_BY_NAME)}"
            )
    return [_BY_NAME[name] for name in dict.fromkeys(wanted)]


def _print_catalogue(datasets: Sequence[Dataset]) -> None:
    for dataset in datasets:
        print(f"{dataset.name}: {dataset.title}")
        lines = [f"home: {dataset.home}", f"licence: {dataset.licence}"]
        lines += [f"note: {dataset.note}"] if dataset.note else []
        lines += [f"file: {file.target}" for file in dataset.files]
        lines += [f"made: {target}" for target in dataset.made]
        for line in lines:
            print(textwrap.fill(line, 100, initial_indent="  ", subsequent_indent="    "))
