"""The SOMADHAN problems by the length of their solutions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import positive
from banglahallueval.errors import UsageError
from banglahallueval.generation.sources import reasoning_length
from banglahallueval.io.paths import ROOT, keep_apart, short
from banglahallueval.io.tables import Cells, Table, writing

FOLDER = ROOT / "Reasoning" / "SOMADHAN Source Dataset"
LENGTH = "reasoning_len"


def sort_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """`sort_dataset.py`: the longest solution first, equally long ones in file order."""
    parser = new_parser(doc)
    parser.add_argument("--input", type=Path, default=FOLDER / "SOMADHAN.csv", metavar="CSV")
    parser.add_argument(
        "--output", type=Path, default=FOLDER / "SOMADHAN_SORTED.csv", metavar="CSV"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace an output that is there")
    args = parser.parse_args(argv)
    columns, rows = _with_lengths(args.input)
    rows.sort(key=lambda cells: -int(cells[-1]))
    keep_apart(args.input, output=args.output)
    _write(args.output, columns, rows, overwrite=args.overwrite)
    longest = f", from {rows[0][-1]} to {rows[-1][-1]} characters" if rows else ""
    print(f"{short(args.output)}: {len(rows)} problems{longest}")
    return 0


def extremes_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """`create_extreme_samples.py`: the longest solutions, then the shortest."""
    parser = new_parser(doc)
    parser.add_argument("--input", type=Path, default=FOLDER / "SOMADHAN_SORTED.csv", metavar="CSV")
    parser.add_argument("--output", type=Path, metavar="CSV", help="(default: by the sizes)")
    parser.add_argument("--longest", type=positive, default=500, help="(default: 500)")
    parser.add_argument("--shortest", type=positive, default=500, help="(default: 500)")
    parser.add_argument("--overwrite", action="store_true", help="replace an output that is there")
    args = parser.parse_args(argv)
    columns, rows = _with_lengths(args.input)
    rows.sort(key=lambda cells: -int(cells[-1]))
    wanted = args.longest + args.shortest
    if wanted > len(rows):
        raise UsageError(
            f"{args.input} has {len(rows)} problems, fewer than the {wanted} asked for; "
            "lower --longest or --shortest"
        )
    output = args.output or FOLDER / f"SOMADHAN_EXTREMES_{wanted}.csv"
    chosen = [*rows[: args.longest], *rows[len(rows) - args.shortest :]]
    keep_apart(args.input, output=output)
    _write(output, columns, chosen, overwrite=args.overwrite)
    print(f"{short(output)}: the {args.longest} longest and the {args.shortest} shortest")
    return 0


def _with_lengths(path: Path) -> tuple[tuple[str, ...], list[Cells]]:
    """A file's columns and rows with the length of each solution as the last column."""
    if not path.exists() and path.parent == FOLDER:
        before = "fetch it: python scripts/fetch_datasets.py somadhan"
        if path.name != "SOMADHAN.csv":
            before = 'make it: python "Reasoning/SOMADHAN Source Dataset/sort_dataset.py"'
        raise UsageError(f"no file {short(path)}; {before}")
    table = Table(path, without={LENGTH})
    if "answer" not in table.columns:
        raise UsageError(f"{path} has no column 'answer'; it has {', '.join(table.columns)}")
    at = table.columns.index("answer")
    rows = [[*cells, str(reasoning_length(cells[at]))] for cells in table.rows()]
    return (*table.columns, LENGTH), rows


def _write(path: Path, columns: Sequence[str], rows: Sequence[Cells], *, overwrite: bool) -> None:
    if path.exists() and not overwrite:
        raise UsageError(f"{path} is there already; --overwrite replaces it")
    with writing(path, columns) as writer:
        for cells in rows:
            writer.writerow(cells)
