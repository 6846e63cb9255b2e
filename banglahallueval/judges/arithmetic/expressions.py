"""Where a text equates calculations: the expressions to the left and right of each `=`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from banglahallueval.judges.arithmetic.evaluation import Value
from banglahallueval.judges.arithmetic.tokens import Token, spellings

# Words that make another number of the one beside them: the signs alone do not say the value.
_OPERATIONS = spellings("গুণ", "যোগ", "বিয়োগ", "ভাগ", "অর্ধেক", "দ্বিগুণ", "তিনগুণ", "বর্গ", "অংশ", "বাকি")
_BEFORE_RESULT = frozenset(spellings("প্রায়", "মোট", "টাকা", "Tk", "Rs"))
_MOST_UNITS = 3
_OPERANDS = frozenset({"number", "variable"})


@dataclass(slots=True)
class Expression:
    """One side of an equation.

    Attributes:
        tokens: Its numbers, variables, signs, brackets and percent signs in order, without units,
            currency and labels.
        known: False where something in or beside it is not understood, so that its value is not
            what the tokens say.
        maybe_minus: Whether a dash stands before it that may be a minus.
        unit: The word directly behind it; empty where there is none.
        edge: Index of the first token outside it, away from the `=`.
        variables: The variables in it.
        lone: Whether it is one written number, perhaps with a sign or a percent sign.
        values: Its readings, once they have been worked out.
    """

    tokens: list[Token] = field(default_factory=list)
    known: bool = True
    maybe_minus: bool = False
    unit: str = ""
    edge: int = 0
    variables: frozenset[str] = frozenset()
    lone: bool = False
    values: tuple[Value, ...] = ()

    @property
    def start(self) -> int:
        """First code point."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Code point after the last one."""
        return self.tokens[-1].end


def _finish(side: Expression, edge: int) -> Expression | None:
    """Fill in what is known once all tokens are taken; None where there is no operand."""
    side.edge = edge
    kinds = [t.kind for t in side.tokens]
    if kinds == ["number"]:
        side.lone = True
        return side
    if not ("number" in kinds or "variable" in kinds):
        return None
    if "variable" in kinds:
        side.variables = frozenset(t.text for t in side.tokens if t.kind == "variable")
    if len(kinds) <= 3:
        plain = [kind for kind in kinds if kind != "percent"]
        side.lone = plain == ["number"] or (
            plain == ["sign", "number"] and side.tokens[0].text == "-"
        )
    return side


def before(tokens: Sequence[Token], at: int) -> Expression | None:
    """The expression that ends at an `=`; None where no operand stands there."""
    side = Expression()
    taken: list[Token] = []
    depth = words = 0
    want = True
    i = at - 1
    while i >= 0:
        token = tokens[i]
        kind = token.kind
        if kind == "currency" or (kind == "note" and not want and tokens[i - 1].kind == "sign"):
            pass
        elif kind == "word" and want:
            if not taken:
                side.unit = token.text
            words += 1
            side.known = side.known and not token.text.startswith(_OPERATIONS)
            if words > _MOST_UNITS:
                break
        elif kind in _OPERANDS:
            times = not want and (
                taken[-1].kind == "variable"
                or (taken[-1].kind == "open" and token.end == taken[-1].start)
            )
            if not (want or times):
                side.known = False
                break
            taken.append(token)
            want, words = False, 0
        elif kind == "percent" and want:
            taken.append(token)
        elif kind == "close":
            if not want:
                break
            taken.append(token)
            depth, words = depth + 1, 0
        elif kind == "open" and not want and depth:
            taken.append(token)
            depth -= 1
        elif kind == "sign" and want and words and token.text == "/":
            pass  # a unit such as km/h
        elif kind == "sign" and not want and (token.text != "of" or _multiplies(tokens, i, taken)):
            taken.append(token)
            want = True
        elif kind == "word" and (goes_on := _behind_label(tokens, i, bool(depth))) is not None:
            i = goes_on
        else:
            side.known &= not _obscured(tokens, i, want, taken)
            break
        i -= 1
    if want and taken and taken[-1].kind == "sign":
        sign = taken.pop()
        bullet = not words and (i < 0 or tokens[i].kind in {"boundary", "equals"})
        side.maybe_minus = sign.text == "-"
        if not bullet and not (side.maybe_minus and taken and sign.end == taken[-1].start):
            side.known = False
        want = False
    if want or depth:
        side.known = False
    side.tokens = taken[::-1]
    return _finish(side, i)


def _multiplies(tokens: Sequence[Token], at: int, right: Sequence[Token]) -> bool:
    """Whether an "of" multiplies: a percentage or a fraction stands on one of its sides."""
    left = tokens[max(at - 2, 0) : at]
    return any(t.kind == "percent" or t.text == "/" for t in (*right, *left))


def _behind_label(tokens: Sequence[Token], at: int, inside: bool) -> int | None:
    """The last of the words that label an operand, where an expression goes on before them.

    As in `10 + Friday 12` or `(Friday 12)`.

    Args:
        tokens: All tokens.
        at: The label's last word.
        inside: Whether a bracket is open.
    """
    i = _over_words(tokens, at)
    if i < 0 or tokens[i].text == "of" or tokens[i].kind not in {"sign", "open"}:
        return None
    if tokens[i].kind == "open":
        return i + 1 if inside else None
    j = _over_words(tokens, i - 1)
    return i + 1 if j >= 0 and tokens[j].kind in {"number", "close", "percent"} else None


def _obscured(tokens: Sequence[Token], at: int, want: bool, taken: Sequence[Token]) -> bool:
    """Whether what stands before an expression makes its value another than its tokens say.

    Args:
        tokens: All tokens.
        at: The token that ends the walk to the left.
        want: Whether an operand is missing there.
        taken: The expression's tokens, from the right.
    """
    token = tokens[at]
    kind = token.kind
    previous = tokens[at - 1] if at else None
    if kind == "word":
        i = _over_words(tokens, at)
        if i >= 0 and tokens[i].kind == "sign" and tokens[i].text != "of":
            return True  # the operand left of that sign is in words
        # A share of what the genitive names, as in পার্থক্যের ২/৩.
        share = any(t.kind == "percent" or t.text == "/" for t in taken[-2:])
        return share and token.text.endswith("র")
    if kind == "boundary":
        if previous is not None and previous.kind == "sign":
            return True
        # A danda directly before a number may be a decimal point.
        return token.end == tokens[at + 1].start and token.text in {"।", "৷", "."}
    return kind in {"unknown", "percent"} or (kind == "sign" and want)


def _over_words(tokens: Sequence[Token], at: int) -> int:
    i = at
    while i >= 0 and at - i <= _MOST_UNITS and tokens[i].kind in {"word", "currency"}:
        i -= 1
    return i


def after(tokens: Sequence[Token], at: int) -> Expression | None:
    """The expression that begins behind an `=`; None where no operand stands there."""
    side = Expression()
    taken = side.tokens
    depth = 0
    want = True
    i = at + 1
    while i < len(tokens):
        token = tokens[i]
        kind = token.kind
        if kind == "currency" or (kind == "note" and want and taken):
            pass
        elif kind in _OPERANDS and (want or kind == "variable"):
            taken.append(token)
            want = False
        elif kind == "open" and want:
            taken.append(token)
            depth += 1
        elif kind == "sign" and token.text == "-" and not taken:
            taken.append(token)
        elif kind == "word" and not taken:
            if token.text not in _BEFORE_RESULT:
                break
        elif kind == "percent" and not want:
            taken.append(token)
        elif kind == "close" and not want and depth:
            depth -= 1
            taken.append(token)
        elif kind == "sign" and not want and token.text != "of" and _operand_follows(tokens, i):
            taken.append(token)
            want = True
        elif kind == "word" and not want:
            side.known = side.known and not token.text.startswith(_OPERATIONS)
            side.unit = token.text
            j = i + 1
            while j < len(tokens) and j <= i + _MOST_UNITS and tokens[j].kind == "word":
                j += 1
            if j == len(tokens) or tokens[j].kind not in {"sign", "equals", "close"}:
                break
            i = j - 1
        else:
            if kind in {"number", "unknown", "open"}:
                side.known = False
            break
        i += 1
    if want or depth:
        side.known = False
    return _finish(side, i)


def _operand_follows(tokens: Sequence[Token], at: int) -> bool:
    i = at + 1
    while i < len(tokens) and tokens[i].kind in {"currency", "note"}:
        i += 1
    return i < len(tokens) and tokens[i].kind in {"number", "open", "variable"}
