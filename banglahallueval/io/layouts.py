"""Which columns of a table hold a task's texts, and which track it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from banglahallueval.errors import UsageError, suggestion
from banglahallueval.tasks import TASKS, Item, Task, TaskName, Track

PATTERN_COLUMNS = ("pattern", "hallucination_type")
_ID_COLUMNS = ("id", "question_id", "serial_id", "source_id")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a table keeps what a task needs.

    Attributes:
        task: The task.
        track: The track that the columns tell or that was named; None for a user's own outputs.
        columns: Role, as prompts name it, to column name. Reasoning's final answer is `answer`;
            its `gold` is a solution known to be right, there only if it was asked for.
        positions: The same with 0-based column positions.
        pattern, id, source: Columns that say how a candidate was made, and what it was made from.
    """

    task: Task
    track: Track | None
    columns: Mapping[str, str]
    positions: Mapping[str, int]
    pattern: str | None = None
    id: str | None = None
    source: str | None = None

    def item(self, cells: Sequence[str]) -> Item:
        """Make the item of one row, given its cells in the header's order."""
        return self.task.make_item({role: cells[at] for role, at in self.positions.items()})


def find_layout(
    header: Sequence[str],
    task: TaskName,
    track: Track | None = None,
    columns: Mapping[str, str] | None = None,
    where: str = "the input",
) -> Layout:
    """Find a task's columns by name.

    Any `hallucinated_*` output means candidates, for published candidate files hold the right
    output too. A column named in `columns` for the output tells no track, so `track` decides.

    Args:
        header: The table's column names.
        task: The task to judge.
        track: The track that a script's preset or `--track` names; None to go by the columns.
        columns: Role to column name, from `--columns`; None for a script without that flag.
        where: What to call the table in messages.

    Raises:
        UsageError: If a column is missing, or the track named is not the one the columns tell.
    """
    wanted = TASKS[task]
    given = dict(columns or {})
    offered = wanted.column_roles
    for role, column in given.items():
        if role not in offered:
            meant = suggestion(role, offered)
            raise UsageError(
                f"--columns: {task} has no {role!r}{meant} (it has {', '.join(offered)})"
            )
        if column not in header:
            meant = suggestion(column, header)
            raise UsageError(f"--columns: {where} has no column {column!r}{meant} ({_has(header)})")

    if wanted.output_role in given:
        output, found_track = given[wanted.output_role], track
    elif wanted.foreign_columns and wanted.foreign_columns <= set(header):
        raise UsageError(
            f"the answers in {where} are code-mixed (it has codemix_* columns), not QA's; take "
            f"--task codemix, or {_advice('answer', columns)}"
        )
    else:
        output, found_track = _find_output(header, wanted, track, columns, where)
    found = {wanted.output_role: output}
    for role, names in wanted.roles.items():
        name = given.get(role) or next((n for n in names if n in header and n != output), None)
        if name is None:
            raise UsageError(_missing(header, wanted, role, names, columns, where))
        found[role] = name
    final = wanted.final_answers.get(output)
    if final in header:
        found["answer"] = str(final)
    found |= {role: given[role] for role in wanted.optional_roles if role in given}
    return Layout(
        task=wanted,
        track=found_track,
        columns=found,
        positions={role: list(header).index(name) for role, name in found.items()},
        pattern=_first(header, PATTERN_COLUMNS),
        id=_first(header, _ID_COLUMNS),
        source=_first(header, ("source_id",)),
    )


def with_gold(layout: Layout, header: Sequence[str], where: str = "the input") -> Layout:
    """Add the column of right solutions to the layout of a reasoning table.

    It is the one that `--columns gold=NAME` named, else `answer` as published: beside a candidate
    its problem's right solution, and on main the very text under judgement.

    Raises:
        UsageError: If nothing tells which column it is.
    """
    if "gold" in layout.columns:
        return layout
    beside = layout.track == "candidates" and layout.columns.get("answer") != "answer"
    name = layout.columns["chain"] if layout.track == "main" else "answer"
    if name not in header or not (beside or layout.track == "main"):
        raise UsageError(
            f"{where} has no column of right solutions; {_has(header)}; name it with "
            "--columns gold=NAME"
        )
    return replace(
        layout,
        columns={**layout.columns, "gold": name},
        positions={**layout.positions, "gold": list(header).index(name)},
    )


def detect_task(header: Sequence[str]) -> TaskName | None:
    """Find the task whose published columns a table has; None where they do not tell.

    Code-mixed columns beat QA's, for published code-mixed files hold both.
    """
    names = set(header)
    if "codemix_question" in names:
        return "codemix"
    if names & {"hallucinated_chain", "reasoning_chain_evaluated"}:
        return "reasoning"
    summaries = {"hallucinated_summary", "summary", "summary_evaluated", "right_summary"}
    if names & {*summaries, "model_summary"}:
        return "summarization"
    if {"context", "question"} <= names:
        return "qa"
    if "question" in names and names & {"answer", "chain"}:
        return "reasoning"
    return None


def _find_output(
    header: Sequence[str],
    task: Task,
    track: Track | None,
    columns: Mapping[str, str] | None,
    where: str,
) -> tuple[str, Track | None]:
    told: Track | None
    for told in ("candidates", "main", None):
        output = _first(header, task.outputs[told])
        if output is not None:
            break
    else:
        names = [name for group in task.outputs.values() for name in group]
        raise UsageError(_missing(header, task, task.output_role, names, columns, where))
    if track is not None and told is not None and told != track:
        raise UsageError(
            f"{where} is the {told} track (it has the column {output!r}), but {track} was asked "
            f"for; take the {track} file, or {_advice(task.output_role, columns)}"
        )
    return output, told or track


def _missing(
    header: Sequence[str],
    task: Task,
    role: str,
    names: Sequence[str],
    columns: Mapping[str, str] | None,
    where: str,
) -> str:
    like = detect_task(header)
    hint = f" (its columns look like {like})" if like and like != task.name else ""
    return (
        f"{where} has no column for {task.name}'s {role} (looked for {', '.join(names)}){hint}; "
        f"{_has(header)}; {_advice(role, columns)}"
    )


def _advice(role: str, columns: Mapping[str, str] | None) -> str:
    """Say how a column is told, by the flag or where a script has none by the column's name."""
    if columns is None:
        return f"rename the column of the {role}"
    return f"name the column of the {role} with --columns {role}=NAME"


def _has(header: Sequence[str]) -> str:
    return "it has " + ", ".join(repr(name) for name in header)


def _first(header: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in header), None)
