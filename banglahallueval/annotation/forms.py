"""Annotation forms: the texts that annotators see and the questions they answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from banglahallueval.errors import UsageError
from banglahallueval.tasks import TASKS, TaskName
from banglahallueval.text.digits import TO_ASCII
from banglahallueval.text.yes_no import FALSE, NO, TRUE, YES, fold

FormName = Literal["qa", "summarization", "reasoning", "codemix", "conversion", "model_outputs"]
Role = Literal["evidence", "output"]


@dataclass(frozen=True, slots=True)
class Field:
    """One text of an item.

    Attributes:
        name: Its column in sheets.
        role: `output` is judged, `evidence` is what it is judged by.
        lang: Its language, as an HTML `lang` attribute.
    """

    name: str
    role: Role
    lang: str = "bn"


@dataclass(frozen=True, slots=True)
class Question:
    """One question about an item.

    Attributes:
        name: Its column in sheets and exports.
        answers: The valid answers.
    """

    name: str
    answers: tuple[str, ...]

    @property
    def is_scale(self) -> bool:
        """Whether the answers are ordinal marks rather than yes and no."""
        return self.answers != YES_NO

    def read(self, cell: str) -> str | None:
        """Read an answer as people write it: `Yes`, `হ্যাঁ`, Bengali digits, a spreadsheet's `4.0`.

        Returns:
            The answer; empty for a blank cell or `SKIP`, None for an invalid one.
            `Yes`, `n`, `হ্যাঁ`, a spreadsheet's `TRUE`, `1` or `4.0`, and Bengali digits are read.
        """
        text = fold(cell).strip()
        if text in {"", "skip"}:
            return ""
        if self.is_scale:
            text = text.translate(TO_ASCII).removesuffix(".0")
        else:
            text = _SPELLINGS.get(text, text)
        return text if text in self.answers else None


YES_NO = ("yes", "no")
# `TRUE`, `1.0` and the like are what spreadsheets make of an answer.
_SPELLINGS = {
    **dict.fromkeys((*YES, TRUE, "y", "1", "1.0", "১"), "yes"),
    **dict.fromkeys((*NO, FALSE, "n", "0", "0.0", "০"), "no"),
}
_HALLUCINATED = (Question("is_hallucinated", YES_NO),)


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of sheet.

    Attributes:
        name: Its name in flags and file names; the task's name where it belongs to a task.
        fields: The texts of an item, in the order they are shown.
        questions: The questions about each item.
    """

    name: FormName
    fields: tuple[Field, ...]
    questions: tuple[Question, ...]

    @property
    def task(self) -> TaskName | None:
        """The task whose two tracks it mixes; None for forms without tracks."""
        return next((name for name in TASKS if name == self.name), None)

    @property
    def judged(self) -> str | None:
        """The one text that is judged, whose stretches can be marked; None if there are several."""
        outputs = self.field_names("output")
        return outputs[0] if len(outputs) == 1 else None

    def field_names(self, role: Role) -> tuple[str, ...]:
        """Return the names of the fields that have a role."""
        return tuple(field.name for field in self.fields if field.role == role)


def _fields(*parts: tuple[str, Role, str]) -> tuple[Field, ...]:
    return tuple(Field(*part) for part in parts)


FORMS: dict[FormName, Form] = {
    form.name: form
    for form in (
        Form(
            "qa",
            _fields(
                ("context", "evidence", "bn"),
                ("question", "evidence", "bn"),
                ("answer", "output", "bn"),
            ),
            _HALLUCINATED,
        ),
        Form(
            "summarization",
            _fields(("document", "evidence", "bn"), ("summary", "output", "bn")),
            _HALLUCINATED,
        ),
        Form(
            "reasoning",
            _fields(("problem", "evidence", "bn"), ("reasoning", "output", "bn")),
            _HALLUCINATED,
        ),
        Form(
            "codemix",
            _fields(
                ("context", "evidence", "bn-Latn"),
                ("question", "evidence", "bn-Latn"),
                ("answer", "output", "bn-Latn"),
            ),
            _HALLUCINATED,
        ),
        Form(
            "conversion",
            _fields(
                ("bangla_context", "evidence", "bn"),
                ("codemix_context", "output", "bn-Latn"),
                ("bangla_question", "evidence", "bn"),
                ("codemix_question", "output", "bn-Latn"),
                ("bangla_answer", "evidence", "bn"),
                ("codemix_answer", "output", "bn-Latn"),
            ),
            (
                Question("meaning_preserved", YES_NO),
                Question("naturalness_1to5", ("1", "2", "3", "4", "5")),
            ),
        ),
        Form(
            "model_outputs",
            _fields(
                ("question", "evidence", "bn"),
                ("reference_answer", "evidence", "bn"),
                ("answer", "output", "bn"),
            ),
            _HALLUCINATED,
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """The items of one form as annotators see them; nothing in it reveals a track.

    Attributes:
        study: The study's name.
        form: The form.
        rows: Blind id and texts by field name, in the order they are labelled.
        asks_spans: Whether the study asks annotators to mark what is hallucinated.
    """

    study: str
    form: Form
    rows: Sequence[tuple[str, Mapping[str, str]]]
    asks_spans: bool = False

    @property
    def marked(self) -> str | None:
        """The field in which annotators mark stretches; None where they mark none."""
        return self.form.judged if self.asks_spans else None

    @property
    def digest(self) -> str:
        """Hash of the items, 12 hex digits; keeps labels of different sheets apart."""
        content = [self.form.name, [[blind_id, dict(texts)] for blind_id, texts in self.rows]]
        text = json.dumps(content, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def blind_ids(form: Form, count: int) -> list[str]:
    """Number `count` items in their shuffled order, as in `qa-001`."""
    width = max(3, len(str(count)))
    return [f"{form.name}-{number:0{width}}" for number in range(1, count + 1)]


def form_of(blind_id: str, where: str) -> Form:
    """Find the form that a blind id belongs to.

    Args:
        blind_id: The blind id.
        where: The file it stands in, for the message.

    Raises:
        UsageError: If it is not a blind id.
    """
    prefix = blind_id.rpartition("-")[0]
    for form in FORMS.values():
        if form.name == prefix:
            return form
    raise UsageError(f"{where}: {blind_id!r} is not a blind id such as 'qa-001'")
