"""Where files are: the repository that default paths start from, and names for files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import regex

from banglahallueval.errors import UsageError
from banglahallueval.tasks import TASKS

_USUAL_NAME_LIMIT = 255
PART = ".4194304.part"  # the ending of a file that is not complete


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
            "installed outside one; name every file with a flag, or run a clone"
        )
    return root


def slug(name: str) -> str:
    """Make a name for file names: letters, digits and `_`, as in `qwen2_5_32b_instruct`."""
    return regex.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()


def short(path: Path) -> str:
    """Write a path as the user would from where they are."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(path)


def no_file(path: Path, samples_flag: str = "") -> str:
    """Say that a file does not exist, and how to obtain it if it is one of the benchmark's.

    Args:
        path: The file.
        samples_flag: The flag by which a script takes all committed samples; without one the sample
            is named, but no flag: scripts that read such files differ in theirs.
    """
    for task in TASKS.values():
        for track, file in task.files.items():
            if path.name == Path(file).name:
                sample = short((find_repository() or Path()) / task.samples[track])
                instead = f"samples with {samples_flag}" if samples_flag else f'sample "{sample}"'
                return (
                    f"no file {short(path)}; `python scripts/fetch_datasets.py {task.name}` "
                    f"obtains it, or try the committed {instead}"
                )
    return f"no file {path}"


def target_of(path: Path) -> Path:
    """Find the file that a path stands for, through symbolic links; it need not exist.

    Raises:
        UsageError: If the links lead back to themselves.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        raise UsageError(f"{path} is a symbolic link that leads to no file") from None


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths stand for one file, which need not exist."""
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return target_of(one) == target_of(other)


def check_name(path: Path, companion: str, flag: str) -> None:
    """Refuse a name that leaves no room for those of the files beside it.

    Args:
        path: The file.
        companion: The longest ending that files beside it have.
        flag: The flag that names the file.

    Raises:
        UsageError: If the name is too long.
    """
    room = _name_limit(path.parent) - len(companion)
    length = len(os.fsencode(path.name))
    if length > room:
        raise UsageError(
            f"{flag} {path.name}: name too long; it has {length} bytes, and the files that a run "
            f"keeps beside it leave room for {room}"
        )


def _name_limit(folder: Path) -> int:
    """Find how many bytes a file's name may have in a folder, which need not exist yet."""
    for parent in (folder, *target_of(folder).parents):
        try:
            return os.pathconf(parent, "PC_NAME_MAX")
        except (AttributeError, ValueError):  # Windows; a file system that does not say
            break
        except OSError:
            continue
    return _USUAL_NAME_LIMIT


def check_not_inputs(outputs: Iterable[Path], inputs: Iterable[Path]) -> None:
    """Refuse to write over a file that is read.

    Raises:
        UsageError: Naming the file.
    """
    read = list(inputs)
    for path in outputs:
        if any(is_same_file(path, source) for source in read):
            raise UsageError(f"{path} is an input and would be overwritten; name another output")


def keep_apart(source: Path, **outputs: Path) -> None:
    """Refuse outputs that cannot be, or would take the place of their input or of one another.

    Args:
        source: The input.
        outputs: By the flag that names each.

    Raises:
        UsageError: Naming the flag and the file.
    """
    taken = {target_of(source): "the input itself"}
    for flag, path in outputs.items():
        if path.suffix.lower() != ".csv":
            raise UsageError(f"--{flag} {path}: name a .csv file")
        check_name(path, PART, f"--{flag}")
        if whose := taken.get(target_of(path)):
            raise UsageError(f"--{flag} {path} is {whose}; name another file")
        taken[target_of(path)] = f"the file of --{flag}"
