"""The text of a multiple-choice question: what is asked, then its options by letter."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import replace

from banglahallueval.abstention.types import Question

LETTERS = string.ascii_uppercase
# No "reply with A, B, C or D": a reply that abstains is none of them.
_CLOSING = "Answer with the letter of the right option."


def show_options(stem: str, options: Sequence[str]) -> str:
    """Write what is asked with the options below it, a line each."""
    return stem + _options_below(options)


def stem_of(question: Question) -> str:
    """Return what is asked, without the options that `show_options` has written below it."""
    return question.text.removesuffix(_options_below(question.options))


def replace_option(question: Question, place: int, option: str) -> Question:
    """Put another option in the place of one, 0-based, in the text too."""
    options = (*question.options[:place], option, *question.options[place + 1 :])
    return replace(question, text=show_options(stem_of(question), options), options=options)


def _options_below(options: Sequence[str]) -> str:
    # strict=False: there are more letters than options.
    lines = (f"{letter}. {option}" for letter, option in zip(LETTERS, options, strict=False))
    return "\n\n" + "\n".join(lines) + f"\n\n{_CLOSING}"
