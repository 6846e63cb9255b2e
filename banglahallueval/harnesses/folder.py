"""A folder that is whole or absent, and is never put in the place of somebody else's."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from banglahallueval import __version__
from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.paths import target_of

MANIFEST = "export.json"
_HERE = Path(__file__).parent


@contextmanager
def new_folder(folder: Path, *, overwrite: bool) -> Iterator[Path]:
    """Write a folder beside its place and put it there once it is complete.

    Args:
        folder: Its place.
        overwrite: Whether an earlier export there is replaced.

    Raises:
        UsageError: If something else is there, or nothing can be written.
        RunError: If writing fails on the way, as on a full disk.
    """
    target = target_of(folder)
    _check(folder, target, overwrite)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        part.mkdir(parents=True)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    try:
        yield part
        if target.exists():
            shutil.rmtree(target)
        part.rename(target)
    except OSError as error:
        raise RunError(f"writing {folder} failed: {error.strerror or error}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _check(folder: Path, target: Path, overwrite: bool) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise UsageError(f"{folder} is a file; name a folder")
    if (target / MANIFEST).is_file():
        if not overwrite:
            raise UsageError(f"{folder} is there already; name another folder, or --overwrite it")
    elif any(target.iterdir()):
        raise UsageError(f"{folder} holds files that no export has made; name another folder")


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write what an export holds, and what it was made from."""
    whole = {"format": 1, "package": f"banglahallueval {__version__}", **manifest}
    write_text(folder / MANIFEST, json.dumps(whole, ensure_ascii=False, indent=2) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file with LF line ends."""
    path.write_text(text, encoding="utf-8", newline="\n")


def render(template: str, **values: Any) -> str:
    """Fill one of the templates of exported files."""
    return _templates().get_template(template).render(version=__version__, **values)


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # no HTML
    )
    made.filters["json"] = partial(json.dumps, ensure_ascii=False)  # which YAML and Python read
    return made


def replies_module() -> str:
    """Load the module that every export carries."""
    return (_HERE / "replies.py").read_text(encoding="utf-8")
