"""The SOMADHAN problems by the length of their solutions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.generation.sources import reasoning_length
from banglahallueval.io.paths import keep_apart, repository_root, short
from banglahallueval.io.tables import Cells, Table, writing

LENGTH = "reasoning_len"
_FOLDER = "SOMADHAN Source Dataset"


def somadhan_folder() -> Path:
    """Return the folder of the problems.

    Raises:
        UsageError: If the package does not run from a clone of the repository.
    """
    return repository_root() / "Reasoning" / _FOLDER


def sort_by_length(source: Path, output: Path, *, overwrite: bool) -> None:
    """Write the problems with the longest solution first, equally long ones in file order.

    Raises:
        UsageError: If a file cannot be read or written.
    """
    columns, rows = _with_lengths(source)
    rows.sort(key=lambda cells: -int(cells[-1]))
    keep_apart(source, output=output)
    _write(output, columns, rows, overwrite=overwrite)
    longest = f", from {rows[0][-1]} to {rows[-1][-1]} characters" if rows else ""
    print(f"{short(output)}: {len(rows)} problems{longest}")


def take_extremes(
    source: Path, output: Path | None, longest: int, shortest: int, *, overwrite: bool
) -> None:
    """Write the problems with the longest solutions, then those with the shortest.

    Args:
        source: The problems.
        output: Where to; None to name the file by the sizes.
        longest: Number of problems with the longest solutions.
        shortest: Number of problems with the shortest; 0 for none, as in the published main set.
        overwrite: Whether an existing output is replaced.

    Raises:
        UsageError: If a file cannot be read or written, or has too few problems.
    """
    columns, rows = _with_lengths(source)
    rows.sort(key=lambda cells: -int(cells[-1]))
    wanted = longest + shortest
    if wanted > len(rows):
        raise UsageError(
            f"{source} has {len(rows)} problems, fewer than the {wanted} asked for; "
            "lower --longest or --shortest"
        )
    output = output or somadhan_folder() / f"SOMADHAN_EXTREMES_{wanted}.csv"
    chosen = [*rows[:longest], *rows[len(rows) - shortest :]]
    keep_apart(source, output=output)
    _write(output, columns, chosen, overwrite=overwrite)
    rest = f" and the {shortest} shortest" if shortest else ""
    print(f"{short(output)}: the {longest} longest{rest}")


def _with_lengths(path: Path) -> tuple[tuple[str, ...], list[Cells]]:
    """Read a file's columns and rows; add the length of each solution as the last column."""
    if not path.exists() and path.resolve().parent.name == _FOLDER:
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
