"""A span set for Bangla, made from the benchmark: candidates with their wrong words, gold outputs.

The spans are silver: rules place them (`silver`), nobody marked them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.io.layouts import find_layout
from banglahallueval.io.readings import fold
from banglahallueval.io.tables import Table
from banglahallueval.judges.arithmetic import check_chain
from banglahallueval.spans.bangla.localising import Localised, NotLocalisableError, localise
from banglahallueval.spans.types import Sample, Span
from banglahallueval.tasks import TASKS, Item, TaskName, Track

GOLD_RULE = "gold output"

_Texts = tuple[str, str]


@dataclass(slots=True)
class SilverSpans:
    """A span set with where its spans come from.

    Attributes:
        samples: Candidates with their spans, and gold outputs without any.
        rules: The rule behind each sample, in the same order.
        left_out: Number of candidates that no rule localises, by reason.
    """

    samples: list[Sample] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, sample: Sample, rule: str) -> None:
        """Add a sample."""
        self.samples.append(sample)
        self.rules.append(rule)

    def extend(self, other: SilverSpans) -> None:
        """Add the samples of another set, and what it left out."""
        self.samples += other.samples
        self.rules += other.rules
        self.left_out += other.left_out

    @property
    def counts(self) -> Counter[str]:
        """Number of samples by rule."""
        return Counter(self.rules)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a benchmark file.

    Attributes:
        id: Its id; its task and number where it has none.
        item: Its item.
    """

    id: str
    item: Item

    @property
    def texts(self) -> _Texts:
        """What it shares with the rows of the same source."""
        return fold(self.item.question), fold(self.item.context)


def make_bangla_spans(main: Path, candidates: Path, task: TaskName) -> SilverSpans:
    """Make span samples of a task's two files.

    A candidate is paired with the gold output of its source by the source's texts. Each source with
    a localised candidate also gives its gold output as a clean sample; a gold chain with a wrong
    calculation does not.

    Args:
        main: The file of gold outputs.
        candidates: The file of hallucinated outputs.
        task: Their task.

    Raises:
        UsageError: If a file cannot be read or lacks a column.
    """
    gold: dict[_Texts, _Row] = {}
    for row in _read(main, task, "main"):
        gold.setdefault(row.texts, row)
    made, seen, with_gold = SilverSpans(), set[str](), set[_Texts]()
    for row in _read(candidates, task, "candidates"):
        right = gold.get(row.texts)
        found = _localise(row, right, seen)
        if right is None or isinstance(found, str):
            made.left_out[str(found)] += 1
            continue
        seen.add(row.id)
        if right.texts not in with_gold and _is_clean(right.item):
            with_gold.add(right.texts)
            made.add(_sample(right.item, f"{right.id}::gold", right.id, ()), GOLD_RULE)
        made.add(_sample(row.item, row.id, right.id, found.spans), found.rule)
    return made


def _localise(row: _Row, right: _Row | None, seen: set[str]) -> Localised | str:
    """Localise a candidate, or say why it is left out."""
    if right is None:
        return "no gold output of its source"
    if row.id in seen:
        return "an id that is there already"
    try:
        return localise(row.item, right.item)
    except NotLocalisableError as reason:
        return str(reason)


def _read(path: Path, task: TaskName, track: Track) -> Iterator[_Row]:
    """Read the rows of a benchmark file; blank outputs are left out."""
    table = Table(path)
    layout = find_layout(table.columns, task, track, where=str(path))
    at = table.columns.index(layout.id) if layout.id else None
    for number, cells in enumerate(table.rows()):
        item = layout.item(cells)
        if item.output.strip():
            given = cells[at].strip() if at is not None else ""
            yield _Row(given or f"{task}-{number}", item)


def _is_clean(item: Item) -> bool:
    return not (TASKS[item.task].is_chain and check_chain(item.output).faults)


def _sample(item: Item, name: str, source: str, spans: tuple[Span, ...]) -> Sample:
    task = TASKS[item.task]
    return Sample(
        id=f"{item.task}-{name}",
        answer=item.output,
        spans=spans,
        evidence=item.evidence,
        question="" if task.is_chain else item.question,  # a chain's problem is its evidence
        language="bn-Latn" if task.is_romanised else "bn",
        source=source,
    )
