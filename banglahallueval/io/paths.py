"""Where files are: the repository that default paths start from, and names for files."""

from __future__ import annotations

from pathlib import Path

import regex

from banglahallueval.errors import UsageError


def find_repository() -> Path | None:
    """Find the clone that the package runs from; None where it is installed elsewhere."""
    folder = Path(__file__).resolve().parents[2]
    return folder if (folder / "scripts" / "label.py").is_file() else None


def repository_root() -> Path:
    """Return the folder that default paths start from; given ones start where the user is.

    Raises:
        UsageError: If the package does not run from a clone of the repository.
    """
    root = find_repository()
    if root is None:
        raise UsageError(
            f"default files lie in a clone of the repository, and {Path(__file__).parents[1]} is "
            "installed outside one; name every file, as with --input and --output, or run a clone"
        )
    return root


def slug(name: str) -> str:
    """A name for file names: letters, digits and `_`, as in `qwen2_5_32b_instruct`."""
    return regex.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()


def short(path: Path) -> str:
    """A path as the user would write it from where they are."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(path)


def keep_apart(source: Path, **outputs: Path) -> None:
    """Refuse outputs that would take the place of their input or of one another.

    Args:
        source: The input.
        outputs: By the flag that names each.

    Raises:
        UsageError: Naming the flag and the file.
    """
    taken = {source.resolve(): "the input itself"}
    for flag, path in outputs.items():
        if path.suffix.lower() != ".csv":
            raise UsageError(f"--{flag} {path}: name a .csv file")
        if whose := taken.get(path.resolve()):
            raise UsageError(f"--{flag} {path} is {whose}; name another file")
        taken[path.resolve()] = f"the file of --{flag}"


def default_store(output: Path, store: Path | None) -> Path:
    """Find where a run's replies are kept: where `--store` says, else beside the output.

    Raises:
        UsageError: If that is where the output goes, which would take their place.
    """
    if store and store.resolve() == output.resolve():
        raise UsageError(f"--store {store} is the output itself; name another file")
    return store or output.with_name(output.name + ".replies.sqlite")
