"""The fixed prompts, one text file each, and users' own templates: loading and filling.

A template is plain text. `{question}`, `{context}`, `{document}`, `{answer}`, `{summary}`,
`{chain}` and `{evidence}` are a judge's slots, and `{examples}` is that of few-shot examples; every
other brace is text, so a template can show the JSON it asks for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import regex

from banglahallueval.errors import UsageError, suggestion
from banglahallueval.tasks import TASKS, Item, Task, TaskName
from banglahallueval.text.lazy_regex import lazy_regex

Style = Literal["standard", "json", "cot", "ecot"]

# Reply budgets in tokens.
MAX_TOKENS: Mapping[Style, int] = {"standard": 16, "json": 32, "cot": 1024, "ecot": 2048}

_FOLDER = Path(__file__).parent
_SLOT_NAMES = ("question", "context", "document", "answer", "summary", "chain", "evidence")
_SLOT = lazy_regex(r"\{(" + "|".join(_SLOT_NAMES) + r")\}")
_EXAMPLES = "{examples}"
_ANY_SLOT = lazy_regex(r"\{([a-z]+)\}")
_SLOT_LIKE = lazy_regex(r"\{\s*(\p{L}[\p{L}\p{N}_]*)\s*\}")
_COT = lazy_regex(r"last line|step by step|step-by-step|শেষ লাইন|ধাপে ধাপে", regex.IGNORECASE)
_ECOT = lazy_regex(r"\{\s*[\"']claims[\"']")
_JSON = lazy_regex(r"\{\s*[\"']is_hallucinated[\"']")


@dataclass(frozen=True, slots=True)
class Examples:
    """What a few-shot prompt shows before the item.

    Attributes:
        text: The filled examples.
        record: Where they come from, with the text's SHA-256.
    """

    text: str
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template ready to be filled.

    Attributes:
        name: The fixed prompt's name, or the path of one's own template as it was given.
        text: The template, without the line end that closes its file.
        sha256: Of the file's bytes, in hex.
        slots: The slots it has.
        examples: What its slot `{examples}` shows; None where it has none.
        style: How its reply is read: the first words, a JSON object, the last line, or (`ecot`)
            a JSON object of claims with their evidence.
    """

    name: str
    text: str
    sha256: str
    slots: frozenset[str]
    style: Style
    examples: Examples | None = None

    @property
    def takes_examples(self) -> bool:
        """Whether it has a slot for few-shot examples."""
        return _EXAMPLES in self.text

    @property
    def size(self) -> int:
        """Code points of the template and its examples."""
        return len(self.text) + (len(self.examples.text) if self.examples else 0)

    @property
    def max_tokens(self) -> int:
        """The reply budget in tokens of a model that does not think first."""
        return MAX_TOKENS[self.style]

    def identity(self) -> dict[str, Any]:
        """List what tells the prompt from others, for run records."""
        identity: dict[str, Any] = {"name": self.name, "sha256": self.sha256}
        return identity | ({"examples": self.examples.record} if self.examples else {})

    def with_examples(
        self, examples: Sequence[tuple[Item, str]], record: Mapping[str, Any]
    ) -> Prompt:
        """Show labelled items in the slot `{examples}`.

        Each looks as the item to judge does, which is what follows the slot, with its label below.

        Args:
            examples: The items, each with `yes` or `no`.
            record: Where they were drawn from and how, for run records.
        """
        form = self.text.partition(_EXAMPLES)[2].strip()
        text = "\n\n".join(f"{fill(form, item.slots())}\n{label}" for item, label in examples)
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        return replace(self, examples=Examples(text, {**record, "sha256": sha256}))

    def is_blank(self, item: Item) -> bool:
        """Whether an item has no text for a slot that must be filled, so that nobody is asked."""
        return lacks_text(item, self.needs(item.task))

    def needs(self, task: TaskName) -> frozenset[str]:
        """List the slots that must be filled."""
        return self.slots - TASKS[task].optional_slots

    def fill(self, item: Item) -> str:
        """Put an item's texts into the slots, as they are."""
        examples = {"examples": self.examples.text} if self.examples else {}
        return fill(self.text, {**item.slots(), **examples})


def lacks_text(item: Item, slots: Iterable[str]) -> bool:
    """Whether an item has nothing to show in one of these slots."""
    texts = item.slots()
    return any(not texts[name].strip() for name in slots)


def fill(template: str, values: Mapping[str, str]) -> str:
    """Replace every `{slot}` that has a value, in one pass: nothing inside a value is replaced."""
    return _ANY_SLOT.sub(lambda slot: values.get(slot[1], slot[0]), template)


def template(name: str) -> str:
    """Load the text of a fixed prompt that is no judge's, such as `select.answer`."""
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")


def read_template(path: Path) -> tuple[str, str]:
    """Read a template file: its text, without the line end that closes it, and its SHA-256 in hex.

    Raises:
        UsageError: If it cannot be read.
    """
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"cannot read prompt {path}: {error}; it must be a UTF-8 text file"
        ) from None
    return text.replace("\r\n", "\n").removesuffix("\n"), hashlib.sha256(data).hexdigest()


def style_of(path: Path, text: str) -> Style:
    """Tell how replies to a template are read: by its file name, else by what it asks for."""
    for style in MAX_TOKENS:
        if path.name.endswith(f".{style}.txt"):
            return style
    if _ECOT.search(text):
        return "ecot"
    if _COT.search(text):
        return "cot"
    return "json" if _JSON.search(text) else "standard"


def names(task: Task | TaskName) -> tuple[str, ...]:
    """List the fixed prompts of a task in alphabetical order."""
    return tuple(sorted(file.stem for file in _FOLDER.glob(f"{_task(task).name}.*.txt")))


def all_names(task: Task | TaskName) -> tuple[str, ...]:
    """List the fixed prompts of a task, those that write its texts among them."""
    name = _task(task).name
    globs = (f"{name}.*.txt", f"*.{name}.txt", f"*.{name}.*.txt")
    return tuple(sorted({file.stem for each in globs for file in _FOLDER.glob(each)}))


def default_name(task: Task | TaskName, style: Style = "standard") -> str:
    """Find the name of the specification's prompt of that style.

    Raises:
        UsageError: If the task has none, as code-mixed QA has no chain of thought.
    """
    task = _task(task)
    name = f"{task.name}.{style}"
    if name in names(task):
        return name
    what = "CoT" if style == "cot" else f"a {style} prompt"
    raise UsageError(f"{what} is not defined for {task.name}; use one of: {_listed(task)}")


def load(name_or_path: str, task: Task | TaskName) -> Prompt:
    """Load a fixed prompt by its name, or one's own template by its path.

    One's own template asks for claims if it shows `{"claims"`, for JSON if it shows
    `{"is_hallucinated"`, for a chain of thought if it speaks of the last line or of going step by
    step; else its reply's first words are read. A file name that ends in `.standard.txt`,
    `.json.txt`, `.cot.txt` or `.ecot.txt` says so instead.

    Raises:
        UsageError: If there is no such prompt or file, or its slots do not fit the task.
    """
    task = _task(task)
    if name_or_path in names(task):
        path = _FOLDER / f"{name_or_path}.txt"
    else:
        path = Path(name_or_path)
        if not path.is_file():
            if name_or_path == f"{task.name}.cot":
                default_name(task, "cot")
            raise UsageError(
                f"no prompt {name_or_path!r} for {task.name}"
                f"{suggestion(name_or_path, names(task))} (give one of {_listed(task)}, or the "
                "path of your own template)"
            )
    text, sha256 = read_template(path)
    slots = frozenset(_SLOT.findall(text))
    style = style_of(path, text)
    _check(name_or_path, text, slots, task, style)
    return Prompt(name_or_path, text, sha256, slots, style)


def unseen_evidence(prompt: Prompt, task: Task | TaskName) -> str:
    """Say in one line if the prompt does not show what the output must be carried by.

    The specification's QA prompts ask whether the answer is supported by a context that they do
    not show. The line names the fixed prompts that show it; it is empty if nothing is missing.
    """
    task = _task(task)
    evidence = next(iter(task.roles))
    if evidence in prompt.slots:
        return ""
    slot = f"{{{evidence}}}"
    showing = [
        name
        for name in names(task)
        if slot in (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    ]
    verb = "shows" if len(showing) == 1 else "show"
    listed = " and ".join([", ".join(showing[:-1]), *showing[-1:]]).removeprefix(" and ")
    hint = f"; {listed} {verb} it" if showing else ""
    return f"prompt {prompt.name} does not show the {evidence} to the judge{hint}"


def _task(task: Task | TaskName) -> Task:
    return task if isinstance(task, Task) else TASKS[task]


def _listed(task: Task) -> str:
    return ", ".join(names(task))


def _check(name: str, text: str, slots: frozenset[str], task: Task, style: Style) -> None:
    """Refuse a template that would hide what is judged, or show a slot as it stands."""
    others = [slot for slot in task.slots if slot != task.output_role]
    offered = [task.output_role, *others]
    if style != "ecot":
        offered = [slot for slot in offered if slot != "evidence"]
    listed = ", ".join(f"{{{slot}}}" for slot in offered)
    for found in _SLOT_LIKE.finditer(text):
        if found[1] in offered and found[0] in (f"{{{slot}}}" for slot in offered):
            continue
        parts = found[1].lower().split("_")
        if any(get_close_matches(part, _SLOT_NAMES, n=1, cutoff=0.8) for part in parts):
            raise UsageError(
                f"prompt {name}: {found[0]} is no slot of {task.name}; it has {listed}"
            )
    if task.output_role not in slots:
        raise UsageError(
            f"prompt {name} does not show the output under judgement: "
            f"put {{{task.output_role}}} where it belongs (slots of {task.name}: {listed})"
        )
