"""The prompts: describe a picture, and say what in a description is hallucinated."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from banglahallueval.errors import UsageError
from banglahallueval.prompts import fill, template
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.vision.generative.types import SUPPLIED, JudgeSees
from banglahallueval.vision.prompts import Lang, Wording, load_wording

WORDINGS: Final = ("short", "long", "cot")  # of the package, for describing
TYPES_PROMPT: Final = "vision.judge.types"
VERDICT_TOKENS: Final = 64  # published: 32, which a judge that says why does not always keep to
TYPES_TOKENS: Final = 128

_SHORT_TOKENS: Final = 256
_TOKENS: Final = 1024  # of a description in detail; Bangla needs up to 3 times what English does
_LABEL = lazy_regex(r"(?<!\p{L})(?:Description|বর্ণনা):")
_SLOT = lazy_regex(r"\{[a-z_]+\}")


@dataclass(frozen=True, slots=True)
class Describing:
    """How a description is asked for.

    Attributes:
        wording: The prompt.
        is_labelled: Whether the description is to stand behind a label, after other text.
    """

    wording: Wording
    is_labelled: bool

    @property
    def name(self) -> str:
        """What results call the prompt."""
        return self.wording.name


def load_describing(name_or_path: str, lang: Lang) -> Describing:
    """Load a describing prompt by its name, or one's own by its path.

    A prompt that shows `Description:` or `বর্ণনা:` has its description read behind that label.

    Raises:
        UsageError: If there is no such prompt or file, it is empty, or it has slots.
    """
    tokens = _SHORT_TOKENS if name_or_path == "short" else _TOKENS
    wording = load_wording("describe", WORDINGS, name_or_path, lang, tokens=tokens)
    if not wording.text.strip():
        raise UsageError(f"prompt {name_or_path} is empty; it asks for nothing")
    if wording.name == SUPPLIED:
        raise UsageError(f"prompt {SUPPLIED}: results call supplied descriptions so; rename it")
    if slot := _SLOT.search(wording.text):
        raise UsageError(
            f"prompt {name_or_path}: {slot[0]} is no slot; whoever describes a picture is shown "
            "the picture alone"
        )
    return Describing(wording, bool(_LABEL.search(wording.text)))


def judge_template(sees: JudgeSees) -> str:
    """Name the template of `judging_prompt`."""
    return f"vision.judge.{sees}"


def judging_prompt(sees: JudgeSees, description: str, caption: str) -> str:
    """Ask whether a description holds hallucinatory content.

    All texts go in as strings of one JSON object, out of which none can write itself. What begins
    the special tokens of chat templates is escaped there, so that none can end the turn, either.

    Args:
        sees: What the judge sees beside it.
        description: The description.
        caption: The picture's true caption; shown only to a judge who sees captions.
    """
    fields = [f' "description": {_string(description)}']
    if sees != "image":
        fields.append(f' "captions": [{_string(caption)}]')
    case = "{\n" + ",\n".join(fields) + "\n}"
    return fill(template(judge_template(sees)), {"case": case})


def types_prompt() -> str:
    """Ask, behind a yes, which types there are."""
    return template(TYPES_PROMPT)


def template_sha256s(names: Sequence[str]) -> dict[str, str]:
    """Compute the SHA-256 of templates' texts, in hex, for the run record."""
    return {name: hashlib.sha256(template(name).encode()).hexdigest() for name in names}


def _string(text: str) -> str:
    """Write a text as a JSON string without `<` and `[`."""
    written = json.dumps(text, ensure_ascii=False)
    return written.replace("<", "\\u003c").replace("[", "\\u005b")
