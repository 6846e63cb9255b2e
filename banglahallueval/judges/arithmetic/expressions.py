"""One side of an equation: the tokens that make up its expression, and what is known of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from banglahallueval.judges.arithmetic.evaluation import Value
from banglahallueval.judges.arithmetic.tokens import Token, spellings

# Words that change the number beside them: the signs alone do not give the value.
OPERATION_WORDS = spellings(
    "গুণ", "যোগ", "বিয়োগ", "ভাগ", "অর্ধেক", "দ্বিগুণ", "তিনগুণ", "বর্গ", "অংশ", "বাকি"
)  # fmt: skip
FUNCTIONS = frozenset(
    {"log", "ln", "sin", "cos", "tan", "sqrt", "mod", "max", "min", "gcd", "lcm", "লসাগু", "গসাগু"}
)
MAX_UNIT_WORDS = 3
# A vowel before র, as in টাকার: behind a consonant the genitive is written ের.
_GENITIVE = re.compile("[\u09be-\u09ccইওউঐ]র$")
_NO_GENITIVE = re.compile("(?:^|ব)(?:আর|আবার|এবার|বার|চার|হার|পর|ঘর)$|(?:মিটার|লিটার|ডলার|হাজার)$")


class Reading(NamedTuple):
    """One value that an expression may have.

    Attributes:
        value: The value.
        step: What the last written digit is worth if the expression is one number; else 0.
    """

    value: Value
    step: Value


@dataclass(slots=True)
class Expression:
    """One side of an equation.

    Attributes:
        tokens: Its numbers, variables, signs, brackets and percent signs in text order, without
            units, currency and labels; at least one number or variable.
        edge: Index of the first token outside it, away from the `=`; -1 or the number of tokens
            where it reaches the end of the text.
        understood: False if something in or beside it was not understood, so that its value is
            not what the tokens say.
        unit: The word directly after its last operand; empty if there is none.
        maybe_minus: Whether a dash before it may be a minus or a bullet.
        variables: The names of its variables.
        is_single_number: Whether it is one written number, perhaps with a minus or percent sign.
        guessed: Whether its value rests on a guess, as in `৮০ টাকার ২৫%`.
        readings: Its possible values, cached by `agreement.readings`.
    """

    tokens: Sequence[Token]
    edge: int
    understood: bool
    unit: str
    maybe_minus: bool
    variables: frozenset[str]
    is_single_number: bool
    guessed: bool = False
    readings: tuple[Reading, ...] = ()

    @property
    def start(self) -> int:
        """First code point in the text."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Code point after the last one in the text."""
        return self.tokens[-1].end

    @property
    def has_value(self) -> bool:
        """Whether its tokens alone say its value."""
        return self.understood and not self.variables


NO_VARIABLES: frozenset[str] = frozenset()


def make_expression(
    tokens: Sequence[Token], edge: int, understood: bool, unit: str, maybe_minus: bool = False
) -> Expression | None:
    """Make an expression from what a scan found; the arguments are its attributes.

    Returns:
        None if no operand is among the tokens.
    """
    if len(tokens) == 1 and tokens[0].kind == "number":
        return Expression(tokens, edge, understood, unit, maybe_minus, NO_VARIABLES, True)
    kinds = [token.kind for token in tokens]
    variables = NO_VARIABLES
    if "variable" in kinds:
        variables = frozenset(token.text for token in tokens if token.kind == "variable")
    elif "number" not in kinds:
        return None
    single = len(kinds) <= 3 and _is_signed_number(tokens)
    return Expression(tokens, edge, understood, unit, maybe_minus, variables, single)


def _is_signed_number(tokens: Sequence[Token]) -> bool:
    kinds = [token.kind for token in tokens if token.kind != "percent"]
    return kinds == ["number"] or (kinds == ["sign", "number"] and tokens[0].text == "-")


def is_genitive(word: str) -> bool:
    """Whether a word is in the genitive, as টাকার or পার্থক্যের are."""
    return _GENITIVE.search(word) is not None and _NO_GENITIVE.search(word) is None


def before_words(tokens: Sequence[Token], at: int) -> int:
    """Index of the first token left of `at` that is no word of a label; -1 at the text's start."""
    i = at
    while i >= 0 and at - i <= MAX_UNIT_WORDS and tokens[i].kind in {"word", "currency"}:
        i -= 1
    return i
