"""Run a script with nothing but the libraries that `make demo` installs.

python tests/demo_libraries.py scripts/demo.py

Every other library is not found, as in the environment of `make demo`. The exit status is 1 if the
script fails, or leaves a library of the list unused.
"""

from __future__ import annotations

import importlib.abc
import re  # regex is one of the libraries that the script must find by itself
import runpy
import sys
import tomllib
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
_NAME = re.compile(r"[\w.-]+")


def demo_group() -> list[str]:
    """The requirements that `make demo` installs, as pyproject.toml lists them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    group: list[str] = project["dependency-groups"]["demo"]
    return group


def name_of(requirement: str) -> str:
    """The name of a requirement's distribution, as pip compares names."""
    found = _NAME.match(requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def with_all_they_need(names: Sequence[str]) -> set[str]:
    """These distributions and those that they bring along, extras left out."""
    found: set[str] = set()
    open_ones = [*names]
    while open_ones:
        name = open_ones.pop()
        if name in found:
            continue
        found.add(name)
        try:
            needed = requires(name) or ()
        except PackageNotFoundError:  # needed by other systems only
            continue
        open_ones += [name_of(each) for each in needed if "extra ==" not in each]
    return found


class OnlyListed(importlib.abc.MetaPathFinder):
    """Finds no library but some; notes which of them are looked for."""

    def __init__(self, allowed: set[str]) -> None:
        self.used: set[str] = set()
        self._allowed = allowed
        self._distributions = packages_distributions()

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        top = name.partition(".")[0]
        owners = {name_of(each) for each in self._distributions.get(top, ())}
        if owners and owners.isdisjoint(self._allowed | {"banglahallueval"}):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        self.used |= owners
        return None


def main() -> None:
    listed = [name_of(requirement) for requirement in demo_group()]
    finder = OnlyListed(with_all_they_need(listed))
    sys.meta_path.insert(0, finder)
    sys.argv = sys.argv[1:]
    sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as stopped:
        if stopped.code:
            raise
    unused = sorted(set(listed) - finder.used)
    if unused:
        raise SystemExit(
            f"error: the group demo of pyproject.toml lists {unused}, which it never uses"
        )


if __name__ == "__main__":
    main()
