"""Reads the expression that begins after an `=`, walking rightwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from banglahallueval.judges.arithmetic.expressions import (
    MAX_UNIT_WORDS,
    OPERATION_WORDS,
    Expression,
    make_expression,
)
from banglahallueval.judges.arithmetic.tokens import Kind, Token, spellings

_WORDS_BEFORE_RESULT = frozenset(
    spellings(
        "প্রায়",
        "মোট",
        "টাকা",
        "সম্ভবত",
        "হয়তো",
        "বোধহয়",
        "আনুমানিক",
        "ঠিক",
        "হবে",
        "Tk",
        "Rs",
        "about",
        "approximately",
    )
)


def expression_right_of(tokens: Sequence[Token], at: int) -> Expression | None:
    """Read the expression that begins just after a token.

    Args:
        tokens: All tokens of the text.
        at: Index of the `=`, or of the annotation whose result is repeated.

    Returns:
        None if no operand stands there.
    """
    return _RightScan(tokens, at + 1).read()


class _RightScan:
    """A walk to the right, with one method per kind of token.

    Each method says whether the expression goes on to the right of its token.

    Attributes:
        tokens: All tokens of the text.
        position: Index of the token being read; after the walk, of the first one outside.
        taken: Tokens of the expression so far.
        depth: Number of brackets that are open.
        operand_due: Whether an operand has to come next.
        unit: The word directly after the last operand.
        understood: False once something makes the value other than what the tokens say.
    """

    __slots__ = ("depth", "operand_due", "position", "taken", "tokens", "understood", "unit")

    def __init__(self, tokens: Sequence[Token], position: int) -> None:
        self.tokens = tokens
        self.position = position
        self.taken: list[Token] = []
        self.depth = 0
        self.operand_due = True
        self.unit = ""
        self.understood = True

    def read(self) -> Expression | None:
        """Walk as far as the expression reaches and make it from what was taken."""
        tokens = self.tokens
        while self.position < len(tokens):
            token = tokens[self.position]
            if not _METHODS[token.kind](self, token):
                break
            self.position += 1
        if self.operand_due or self.depth:
            self.understood = False
        return make_expression(self.taken, self.position, self.understood, self.unit)

    def number(self, token: Token) -> bool:
        """Take a number where an operand is due."""
        if not self.operand_due:
            return self.stop_not_understood(token)
        return self.variable(token)

    def variable(self, token: Token) -> bool:
        """Take a variable, also as a factor of what stands on its left."""
        self.taken.append(token)
        self.operand_due = False
        return True

    def sign(self, token: Token) -> bool:
        """Take an operator that an operand follows, or the minus before the first operand."""
        if self.operand_due:
            if self.taken or token.text != "-":
                return False
        elif token.text == "/" and self.is_per_unit():
            return self.pass_unit()
        elif token.text == "^" and self.tokens[self.position - 1].kind == "word":
            return False  # of a unit, as in `m^3`
        elif token.text == "of" or not self.operand_follows():
            return False
        self.taken.append(token)
        self.operand_due = True
        return True

    def is_per_unit(self) -> bool:
        """Whether the slash at hand belongs to a unit such as `টাকা/ব্যাগ`."""
        after = self.position + 1
        return after < len(self.tokens) and self.tokens[after].kind == "word"

    def operand_follows(self) -> bool:
        """Whether an operand stands right of the token at hand."""
        tokens = self.tokens
        i = self.position + 1
        while i < len(tokens) and tokens[i].kind in {"currency", "note"}:
            i += 1
        return i < len(tokens) and tokens[i].kind in {"number", "open", "variable"}

    def percent(self, token: Token) -> bool:
        """Take the percent sign of an operand."""
        if self.operand_due:
            return False
        self.taken.append(token)
        return True

    def open(self, token: Token) -> bool:
        """Take an opening bracket where an operand is due; one with words is a remark."""
        if not self.operand_due:
            after = self.position + 1
            is_remark = after < len(self.tokens) and self.tokens[after].kind == "word"
            return self.stop(token) if is_remark else self.stop_not_understood(token)
        self.taken.append(token)
        self.depth += 1
        return True

    def close(self, token: Token) -> bool:
        """Take the closing bracket of one taken before."""
        if self.operand_due or not self.depth:
            return False
        self.taken.append(token)
        self.depth -= 1
        return True

    def word(self, token: Token) -> bool:
        """Pass over words before the result, and over a unit inside the expression."""
        if not self.taken:
            return token.text in _WORDS_BEFORE_RESULT
        if self.operand_due:
            return False
        if token.text.startswith(OPERATION_WORDS) and self.number_follows():
            self.understood = False
        self.unit = token.text
        return self.pass_unit()

    def number_follows(self) -> bool:
        """Whether a number stands just right of the token at hand."""
        after = self.position + 1
        return after < len(self.tokens) and self.tokens[after].kind in {"number", "variable"}

    def pass_unit(self) -> bool:
        """Move to a unit's last word where the expression or a further `=` follows it."""
        tokens = self.tokens
        last = self.position
        most = min(last + MAX_UNIT_WORDS, len(tokens) - 1)
        while last < most and tokens[last + 1].kind == "word":
            last += 1
        if last + 1 == len(tokens) or tokens[last + 1].kind not in {"sign", "equals", "close"}:
            return False
        self.position = last
        return True

    def note(self, token: Token) -> bool:
        """Pass over an annotation between an operator and the operand that repeats its result."""
        return self.operand_due and bool(self.taken)

    def currency(self, token: Token) -> bool:
        """Pass over a currency sign."""
        return True

    def stop(self, token: Token) -> bool:
        """End the expression here."""
        return False

    def stop_not_understood(self, token: Token) -> bool:
        """End the expression at something that makes its value unclear."""
        self.understood = False
        return False


_METHODS: Mapping[Kind, Callable[[_RightScan, Token], bool]] = {
    "number": _RightScan.number,
    "variable": _RightScan.variable,
    "sign": _RightScan.sign,
    "percent": _RightScan.percent,
    "open": _RightScan.open,
    "close": _RightScan.close,
    "word": _RightScan.word,
    "note": _RightScan.note,
    "currency": _RightScan.currency,
    "note_open": _RightScan.stop,
    "note_close": _RightScan.stop,
    "boundary": _RightScan.stop,
    "equals": _RightScan.stop,
    "raised": _RightScan.stop_not_understood,
    "unknown": _RightScan.stop_not_understood,
}
