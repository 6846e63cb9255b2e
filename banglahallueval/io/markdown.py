"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tabulate import tabulate


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Render a table whose cells may hold any text: pipes are escaped, line breaks folded."""
    cells = [[" ".join(cell.replace("|", "\\|").split()) for cell in row] for row in rows]
    return tabulate(cells, headers=list(header), tablefmt="github", disable_numparse=True)
