"""Reads the expression that ends at an `=`, walking leftwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from banglahallueval.judges.arithmetic.expressions import (
    FUNCTIONS,
    MAX_UNIT_WORDS,
    OPERATION_WORDS,
    Expression,
    before_words,
    is_genitive,
    make_expression,
)
from banglahallueval.judges.arithmetic.tokens import Kind, Token
from banglahallueval.judges.arithmetic.wording import OPERATORS

_BULLETS = frozenset(">•●▪○◦‣✓✔►▶")
# Units that join two numbers to one: `৪টা ৩০ মিনিট`, `২ মণ ১০ কেজি`.
_PARTED = frozenset({"টা", "ঘটিকা", "মণ", "সের", "ভরি", "আনা", "হাত", "পাউন্ড"})


def expression_left_of(tokens: Sequence[Token], at: int) -> Expression | None:
    """Read the expression that ends just before a token.

    Args:
        tokens: All tokens of the text.
        at: Index of the `=`.

    Returns:
        None if no operand stands there.
    """
    return _LeftScan(tokens, at - 1).read()


class _LeftScan:
    """A walk to the left, with one method per kind of token.

    Each method says whether the expression goes on to the left of its token.

    Attributes:
        tokens: All tokens of the text.
        position: Index of the token being read; after the walk, of the first one outside.
        taken: Tokens of the expression so far, last one first.
        depth: Number of brackets whose opening is still to come.
        operand_due: Whether an operand has to come next.
        unit_words: Number of words passed since the last operand or bracket.
        unit: The word directly after the last operand.
        understood: False once something makes the value other than what the tokens say.
        maybe_minus: Whether a dash before the expression may be a minus.
        guessed: Whether the value rests on a guess.
    """

    __slots__ = (
        "depth", "guessed", "maybe_minus", "operand_due", "position", "taken", "tokens",
        "understood", "unit", "unit_words",
    )  # fmt: skip

    def __init__(self, tokens: Sequence[Token], position: int) -> None:
        self.tokens = tokens
        self.position = position
        self.taken: list[Token] = []
        self.depth = 0
        self.operand_due = True
        self.unit_words = 0
        self.unit = ""
        self.understood = True
        self.maybe_minus = False
        self.guessed = False

    def read(self) -> Expression | None:
        """Walk as far as the expression reaches and make it from what was taken."""
        tokens = self.tokens
        while self.position >= 0:
            token = tokens[self.position]
            if not _METHODS[token.kind](self, token):
                break
            self.position -= 1
        if self.operand_due and self.taken and self.taken[-1].kind == "sign":
            self.drop_first_sign()
        if self.operand_due or self.depth:
            self.understood = False
        self.taken.reverse()
        made = make_expression(
            self.taken, self.position, self.understood, self.unit, self.maybe_minus
        )
        if made is not None:
            made.guessed = self.guessed
        return made

    def operand(self, token: Token) -> bool:
        """Take a number or variable, also as a factor of what stands on its right."""
        right = self.taken[-1] if self.taken else token
        is_factor = right.kind == "variable" or (right.kind == "open" and token.end == right.start)
        if not (self.operand_due or is_factor):  # `২ক`, `২(৩ + ৪)`
            self.understood = False
            return False
        self.taken.append(token)
        self.operand_due = False
        self.unit_words = 0
        return True

    def sign(self, token: Token) -> bool:
        """Take an operator; pass over the slash of a unit such as `km/h`."""
        if self.operand_due:
            return (token.text == "/" and self.unit_words > 0) or self.stop(token)
        if token.text == "^" and self.position and self.tokens[self.position - 1].kind == "word":
            return self.unit_power(token)
        if token.text == "of" and not self.of_multiplies():
            return self.stop(token)
        self.taken.append(token)
        self.operand_due = True
        return True

    def unit_power(self, token: Token) -> bool:
        """Leave out the power of a unit, as in `m^3`."""
        if self.taken[-1].kind != "number":
            return self.stop(token)
        self.taken.pop()
        self.operand_due = True
        self.unit_words += 1
        return True

    def of_multiplies(self) -> bool:
        """Whether the "of" at hand multiplies: a percentage or fraction is on one of its sides."""
        left = self.tokens[max(self.position - 2, 0) : self.position]
        return any(t.kind == "percent" or t.text == "/" for t in (*self.taken, *left))

    def percent(self, token: Token) -> bool:
        """Take a percent sign, which an operand has to precede."""
        if not self.operand_due:
            return self.stop(token)
        self.taken.append(token)
        return True

    def close(self, token: Token) -> bool:
        """Take a closing bracket, the right end of an operand; pass over a remark in brackets."""
        if not self.operand_due:
            if self.taken[-1].kind == "open":  # `(5)(2)`: a product, or a command of LaTeX
                self.understood = False
            return False
        before = before_words(self.tokens, self.position - 1)
        if before < self.position - 1 and before >= 0 and self.tokens[before].kind == "open":
            self.position = before
            return True
        self.taken.append(token)
        self.depth += 1
        self.unit_words = 0
        return True

    def open(self, token: Token) -> bool:
        """Take the opening bracket of one taken before."""
        if self.operand_due or not self.depth:
            return self.stop(token)
        self.taken.append(token)
        self.depth -= 1
        return True

    def word(self, token: Token) -> bool:
        """Pass over a unit, or over a label with the expression going on before it."""
        if not self.operand_due and self.is_operator(token):
            self.understood = False
            return False
        if self.operand_due:
            return self.unit_word(token)
        if self.is_shared_by(token):
            self.taken.append(token._replace(kind="sign", text="of"))
            self.operand_due = self.guessed = True
            self.unit_words = 1
            return True
        label = self.label_start()
        if label is None:
            return self.stop(token)
        self.position = label
        return True

    def is_operator(self, token: Token) -> bool:
        """Whether a word is a sign whose left operand was not read, unlike `এক ভাগ ৬০ ÷ ৫`."""
        before = self.tokens[self.position - 1].kind if self.position else "boundary"
        return (
            before == "number"
            if token.text == "ভাগ"
            else (token.text in OPERATORS and before != "boundary")
        )

    def is_shared_by(self, token: Token) -> bool:
        """Whether a genitive and the number before it are what a share is of: `৮০ টাকার ২৫%`."""
        at = self.position - 1
        return self.takes_share(token) and at >= 0 and self.tokens[at].kind == "number"

    def takes_share(self, token: Token) -> bool:
        """Whether a word is a genitive, and a percentage or a fraction stands right of it."""
        return (
            token.text.endswith("র")
            and is_genitive(token.text)
            and any(t.kind == "percent" or t.text == "/" for t in self.taken[-2:])
        )

    def unit_word(self, token: Token) -> bool:
        """Pass over a word that may be the unit of the operand before it."""
        if not self.taken:
            self.unit = token.text
        self.unit_words += 1
        if token.text.startswith(OPERATION_WORDS) or token.text in FUNCTIONS:
            self.understood = False
        return self.unit_words <= MAX_UNIT_WORDS

    def label_start(self) -> int | None:
        """Index of the first word of the label at hand, as in `10 + Friday 12` or `(Friday 12)`.

        Returns:
            None if these words label no operand inside the expression.
        """
        tokens = self.tokens
        i = before_words(tokens, self.position)
        if i < 0:
            return None
        if tokens[i].kind == "open":
            return i + 1 if self.depth else None
        if tokens[i].kind != "sign" or tokens[i].text == "of":
            return None
        j = before_words(tokens, i - 1)
        return i + 1 if j >= 0 and tokens[j].kind in {"number", "close", "percent"} else None

    def note(self, token: Token) -> bool:
        """Pass over an annotation between an operator and the operand that repeats its result."""
        if self.operand_due or not self.follows_sign():
            return self.stop(token)
        return True

    def follows_sign(self) -> bool:
        """Whether an operator stands just left of the token at hand."""
        return self.position > 0 and self.tokens[self.position - 1].kind == "sign"

    def stop(self, token: Token) -> bool:
        """End the expression here, and note if what stands here changes its value."""
        kind = token.kind
        if kind == "word":
            hidden = self.is_changed_by_word(token)
        elif kind == "boundary":
            hidden = self.is_cut_by_boundary(token)
        elif kind == "sign":
            hidden = self.operand_due
        else:
            hidden = kind == "percent" or (kind == "unknown" and token.text not in _BULLETS)
        if hidden:
            self.understood = False
        return False

    def is_changed_by_word(self, token: Token) -> bool:
        """Whether the word before the expression makes it part of a larger calculation."""
        tokens = self.tokens
        is_parted = token.text in _PARTED and tokens[self.position - 1].kind == "number"
        if is_parted or token.text in FUNCTIONS:
            return True
        i = before_words(tokens, self.position)
        if i >= 0 and tokens[i].kind == "sign" and tokens[i].text != "of":
            # The operand left of that sign is in words, unless it is a bullet.
            return i > 0 and tokens[i - 1].kind != "boundary"
        return self.takes_share(token)  # of what the genitive names, as in পার্থক্যের ২/৩

    def is_cut_by_boundary(self, token: Token) -> bool:
        """Whether the boundary before the expression lies inside a calculation or a number."""
        before = self.tokens[self.position - 1] if self.position else token
        if "|" not in token.text and (before.kind == "sign" or before.text in OPERATORS):
            return True
        # A danda directly before a number may be a decimal point.
        return token.end == self.tokens[self.position + 1].start and token.text in {"।", "৷", "."}

    def drop_first_sign(self) -> None:
        """Drop a sign without an operand on its left: a bullet, a minus, or something unclear."""
        sign = self.taken.pop()
        self.operand_due = False
        self.maybe_minus = sign.text == "-"
        is_bullet = not self.unit_words and (
            self.position < 0 or self.tokens[self.position].kind in {"boundary", "equals"}
        )
        is_minus = self.maybe_minus and sign.end == self.taken[-1].start
        if not (is_bullet or is_minus):
            self.understood = False


_METHODS: Mapping[Kind, Callable[[_LeftScan, Token], bool]] = {
    "number": _LeftScan.operand,
    "variable": _LeftScan.operand,
    "sign": _LeftScan.sign,
    "percent": _LeftScan.percent,
    "close": _LeftScan.close,
    "open": _LeftScan.open,
    "word": _LeftScan.word,
    "note": _LeftScan.note,
    "currency": lambda scan, token: True,
    "note_open": _LeftScan.stop,
    "note_close": _LeftScan.stop,
    "boundary": _LeftScan.stop,
    "equals": _LeftScan.stop,
    "raised": _LeftScan.stop,
    "unknown": _LeftScan.stop,
}
