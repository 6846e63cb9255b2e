"""The patterns of hallucination per task, and the prompts that ask for them.

A prompt is a frame, `generate.TASK.txt`, and for each pattern a file `generate.TASK.PATTERN.txt`
whose first paragraph says how the output must be wrong and whose rest is a worked example.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import regex

from banglahallueval.errors import UsageError, suggestion
from banglahallueval.prompts import fill, template
from banglahallueval.tasks import TASKS, TaskName

_SLOT = regex.compile(r"\{([a-z]+)\}")
_FRAME_SLOTS = frozenset(
    ("method", "example", "pattern", "context", "question", "gold", "final", "shortest", "longest")
)

# What a task's published candidates hold, and the type that only the reasoning pilot had.
PATTERNS: dict[TaskName, tuple[str, ...]] = {
    name: (*task.patterns, "variable_confusion") if name == "reasoning" else task.patterns
    for name, task in TASKS.items()
}


@dataclass(frozen=True, slots=True)
class Frame:
    """A task's prompt with its patterns, ready to be filled.

    Attributes:
        name: The fixed frame's name, or the path of one's own as it was given.
        text: The frame.
        methods: Per pattern how the output must be wrong, and the worked example.
        sha256: Over the frame and all its patterns, in hex.
    """

    name: str
    text: str
    methods: Mapping[str, tuple[str, str]]
    sha256: str

    def fill(self, pattern: str, values: Mapping[str, str]) -> str:
        """Fill the prompt for one source and pattern."""
        method, example = self.methods[pattern]
        filled = {"method": method, "example": example, "pattern": pattern, **values}
        return fill(self.text, filled)


def load_frame(task: TaskName, path: Path | None = None) -> Frame:
    """Load a task's frame.

    Args:
        task: The task.
        path: One's own frame in place of the fixed one; it needs at least `{method}` and `{gold}`.

    Raises:
        UsageError: If one's own frame cannot be read or lacks a slot.
    """
    name = f"generate.{task}"
    text = template(name) if path is None else _own(path)
    methods = {}
    for pattern in PATTERNS[task]:
        method, _, example = template(f"{name}.{_slug(pattern)}").partition("\n\n")
        methods[pattern] = (method, example)
    everything = "\0".join([text, *(part for pair in methods.values() for part in pair)])
    sha256 = hashlib.sha256(everything.encode()).hexdigest()
    return Frame(str(path) if path else name, text, methods, sha256)


def chosen_patterns(task: TaskName, names: str | None) -> tuple[str, ...]:
    """Read `--patterns A,B`: patterns in the task's order; the published ones for None.

    Raises:
        UsageError: If one is none of the task's.
    """
    if names is None:
        return TASKS[task].patterns
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    known = PATTERNS[task]
    for name in wanted:
        if name not in known:
            raise UsageError(
                f"--patterns: {name!r} is no pattern of {task}{suggestion(name, known)} (it has "
                f"{', '.join(known)})"
            )
    if not wanted:
        raise UsageError(f"--patterns names none; {task} has {', '.join(known)}")
    return tuple(name for name in known if name in wanted)


def _own(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read --frame {path}: {error}") from None
    slots = set(_SLOT.findall(text))
    for slot in ("method", "gold"):
        if slot not in slots:
            raise UsageError(f"--frame {path} does not show {{{slot}}}; put it where it belongs")
    if unknown := slots - _FRAME_SLOTS:
        listed = ", ".join(f"{{{slot}}}" for slot in sorted(_FRAME_SLOTS))
        raise UsageError(f"--frame {path}: {{{min(unknown)}}} is no slot; there are {listed}")
    return text


def _slug(pattern: str) -> str:
    return regex.sub(r"[^a-z]+", "_", pattern.lower())
