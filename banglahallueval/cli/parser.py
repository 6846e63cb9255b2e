"""Argument parsers."""

from __future__ import annotations

import argparse

from banglahallueval import __version__


def new_parser(doc: str | None) -> argparse.ArgumentParser:
    """Build a parser that shows a script's docstring and takes `--version`."""
    summary, _, rest = (doc or "").strip().partition("\n")
    parser = argparse.ArgumentParser(
        description=summary,
        epilog=rest.strip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"banglahallueval {__version__}")
    return parser
