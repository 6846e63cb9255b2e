"""How questions about pictures are worded: the package's templates, and one's own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from banglahallueval.errors import UsageError, suggestion
from banglahallueval.prompts import MAX_TOKENS, fill, read_template, style_of, template

Lang = Literal["en", "bn"]
LANGUAGES: tuple[Lang, ...] = get_args(Lang)

# Whether a caption matches its picture, or which type of hallucination it holds.
Ask = Literal["match", "type"]
ASKS: tuple[Ask, ...] = get_args(Ask)

# The wordings of each question, the usual one first. Hal-Eval's script, the figure in its README
# and its paper word one question in three ways.
WORDINGS: Final[dict[Ask, tuple[str, ...]]] = {
    "match": ("script", "figure", "paper", "cot"),
    "type": ("standard", "cot"),
}
CAPTION_TOKENS: Final = 64  # what Hal-Eval's script allows a reply that does not reason


@dataclass(frozen=True, slots=True)
class Wording:
    """A template ready to be filled.

    Attributes:
        name: The wording's name, or the path of one's own template as it was given.
        text: The template.
        sha256: Of its text, or of one's own file's bytes, in hex.
        is_cot: Whether it asks to reason first, so that the answer comes last.
        tokens: Reply budget of a model that does not think first.
        path: The file of one's own template; None for the package's.
    """

    name: str
    text: str
    sha256: str
    is_cot: bool
    tokens: int
    path: Path | None = None

    def fill(self, **values: str) -> str:
        """Put values into their slots, as they are."""
        return fill(self.text, values)


def load_wording(
    family: str,
    names: Sequence[str],
    name_or_path: str,
    lang: Lang,
    *,
    slots: Sequence[str] = (),
    tokens: int = CAPTION_TOKENS,
) -> Wording:
    """Load a wording by its name, or one's own template by its path.

    One's own template asks to reason first if it speaks of going step by step or of the last line,
    or if its file name ends in `.cot.txt`.

    Args:
        family: What is asked: the package's templates are `vision.FAMILY.NAME.LANG`.
        names: The names of the package's wordings.
        name_or_path: Which.
        lang: Its language, unless it is one's own.
        slots: What it must hold, such as `caption`.
        tokens: Reply budget where it does not ask to reason.

    Raises:
        UsageError: If there is no such wording or file, or it lacks a slot.
    """
    path: Path | None = None
    if name_or_path in names:
        text = template(f"vision.{family}.{name_or_path}.{lang}")
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        is_cot = name_or_path == "cot"
    else:
        path = Path(name_or_path)
        if not path.is_file():
            raise UsageError(
                f"no prompt {name_or_path!r}{suggestion(name_or_path, names)} (give one of "
                f"{', '.join(names)}, or the path of your own "
                "template)"
            )
        text, sha256 = read_template(path)
        is_cot = style_of(path, text) in ("cot", "ecot")
        for slot in slots:
            if f"{{{slot}}}" not in text:
                raise UsageError(
                    f"prompt {name_or_path} does not show the {slot}: put {{{slot}}} where it "
                    "belongs"
                )
    budget = MAX_TOKENS["cot"] if is_cot else tokens
    return Wording(name_or_path, text, sha256, is_cot, budget, path)


def caption_wording(ask: Ask, name_or_path: str | None, lang: Lang) -> Wording:
    """Load what asks about a caption; without a name the usual wording.

    Raises:
        UsageError: If there is no such wording or file, or it has no `{caption}`.
    """
    names = WORDINGS[ask]
    return load_wording(ask, names, name_or_path or names[0], lang, slots=("caption",))
