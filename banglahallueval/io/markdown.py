"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tabulate import tabulate


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Render a table; pipes in cells are escaped, and line breaks become spaces."""
    cells = [[" ".join(cell.replace("|", "\\|").split()) for cell in row] for row in rows]
    return tabulate(cells, headers=list(header), tablefmt="github", disable_numparse=True)
