"""Join the words and digits that are one number: `1 koti 50 lokkho`, `সাড়ে তিন হাজার`."""

from __future__ import annotations

from banglahallueval.judges.evidence.token_types import Token
from banglahallueval.judges.evidence.word_analysis import CLOCK, NUMBER, UNCLEAR_NUMBERS, Word

_HYPHENS = ("-", "'", "’", "–")
_NEXT_TO = (" ", "")
_HUNDREDS = range(100, 2000, 100)
_SCALES = (10_000_000.0, 100_000.0, 1_000.0, 100.0)
_MOST_EXACT = 1e15  # a whole number to which decimals can be added


class NumberRun:
    """Adds tokens, and joins those that are one number."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        """Begin without a number.

        Args:
            text: The raw text.
            tokens: Its tokens so far; what is added goes here.
        """
        self._text = text
        self._tokens = tokens
        self.close()

    def close(self) -> None:
        """End the number: what comes next begins another one."""
        self._scale = 0.0  # the last scale word's
        self._after_scale = 0.0  # what was added since
        self._part: Token | None = None  # সাড়ে, before a number
        self._decimals = ""  # in words, after the word "point"
        self._is_tens = False  # "twenty", before a digit in words

    def add_word(self, start: int, end: int, word: Word, sentence: int) -> None:
        """Add a word, which may be a number, or a part of the one before it."""
        tokens = self._tokens
        if tokens and self._ends_number(start, end, word):
            return
        token = Token(start, end, word, word.value, sentence)
        if word.value is not None:
            self.add_number(token)
            return
        if word.text != "and":  # two hundred and three
            self.close()
        if word.part:
            self._part = token
        tokens.append(token)

    def _ends_number(self, start: int, end: int, word: Word) -> bool:
        """Add a suffix, scale word or unit to the number before it; return whether it is part."""
        tokens, before = self._tokens, self._tokens[-1]
        gap = self._text[before.end : start]
        if word.is_suffix and (gap in _HYPHENS or (gap == "" and before.word.is_digits)):
            tokens[-1] = before._replace(end=end)
            return True
        if (word.is_unit or word.scale) and gap == " " and before.word.text in UNCLEAR_NUMBERS:
            self._read_unclear()
            before = tokens[-1]
        scale = 1000.0 if word.text == "k" and gap == "" else word.scale
        if scale and gap in (*_NEXT_TO, "'", "’"):
            if before.value is not None:
                self._multiply(scale, end)
                return True
            if before is self._part and before.word.part != 0.5:  # সোয়া লাখ
                value = (1 + before.word.part) * scale
                tokens[-1] = Token(before.start, end, NUMBER, value, before.sentence)
                self.close()
                return True
        if word.is_minute:
            self._join_minutes(gap)
        return False

    def _read_unclear(self) -> None:
        """Read the last word as a number, as it stands before what it counts."""
        token = self._tokens.pop()
        if self._tokens and not self._text[self._tokens[-1].end - 1].isdecimal():
            self._scale = _scale_of(self._tokens[-1].value or 0.0)
        self.add_number(token._replace(word=NUMBER, value=UNCLEAR_NUMBERS[token.word.text]))

    def add_number(self, token: Token) -> None:
        """Add a number, which may go on with the one before it."""
        tokens, value = self._tokens, token.value or 0.0
        before = tokens[-1] if tokens else None
        if before and before.word.is_point and not value % 1 and self._join_decimals(token):
            return
        gap = self._text[before.end : token.start] if before else ""
        if before and before.word.text == "and" and self._joins_after_and(token):
            tokens.pop()
            before = tokens[-1]
        if before and self._is_tens and gap in (" ", "-") and 0 < value < 10:
            self._is_tens = False
            tokens[-1] = before._replace(
                end=token.end, word=NUMBER, value=(before.value or 0.0) + value
            )
            return
        if before is None or gap not in _NEXT_TO:
            self.close()
        elif before is self._part and value >= 1:
            is_hundred = value in _HUNDREDS and not token.word.is_digits
            value += before.word.part * (100 if is_hundred else 1)  # সাড়ে তিনশ
            tokens[-1] = Token(before.start, token.end, NUMBER, value, token.sentence)
            self.close()
            return
        elif self._decimals and not token.word.is_digits and value in range(10):
            self._decimals += f"{value:.0f}"
            tokens[-1] = before._replace(end=token.end, value=float(self._decimals))
            return
        elif self._scale > value > 0 and not self._after_scale:
            tokens[-1] = before._replace(
                end=token.end, word=NUMBER, value=(before.value or 0.0) + value
            )
            if value in _HUNDREDS and self._scale > 100:  # এক হাজার আটশ পঞ্চাশ
                self._scale, self._after_scale = 100.0, 0.0
            else:
                self._after_scale = value
            self._is_tens = token.word.is_tens
            return
        else:
            self.close()
        tokens.append(token)
        self._is_tens = token.word.is_tens
        if not token.word.is_digits:  # দুইশ, পাঁচহাজার, after which a number may follow
            self._scale = _scale_of(value)

    def _joins_after_and(self, token: Token) -> bool:
        """Return whether a number in words goes on after the word "and"."""
        number, joint = self._tokens[-2:] if len(self._tokens) > 1 else (token, token)
        gaps = (self._text[number.end : joint.start], self._text[joint.end : token.start])
        is_less = self._scale > (token.value or 0.0) > 0 and not self._after_scale
        return is_less and gaps == (" ", " ") and not token.word.is_digits

    def _multiply(self, scale: float, end: int) -> None:
        """Multiply the last number by a scale word: only its last part, if it had one before."""
        last = self._tokens[-1]
        value = last.value or 0.0
        if self._after_scale and scale < self._scale:
            value += self._after_scale * (scale - 1)
        else:
            value *= scale
        self._tokens[-1] = Token(last.start, end, NUMBER, value, last.sentence)
        self._scale, self._after_scale, self._part = scale, 0.0, None

    def _join_decimals(self, decimals: Token) -> bool:
        """Add decimals to the number before the word "point": `নয় দশমিক দুই` is 9.2."""
        whole = self._tokens[-2] if len(self._tokens) > 1 else None
        if whole is None or not (whole.value is not None or whole.word.text in UNCLEAR_NUMBERS):
            return False
        width = sum(map(str.isdecimal, decimals.word.text))  # the 0 of ০৫ counts
        digits = f"{decimals.value:.0f}".zfill(width)
        first = UNCLEAR_NUMBERS[whole.word.text] if whole.value is None else whole.value
        if first > _MOST_EXACT:
            return False
        text = f"{first:.0f}.{digits}"
        self._tokens[-2:] = [Token(whole.start, decimals.end, NUMBER, float(text), whole.sentence)]
        self.close()
        if not width:
            self._decimals = text
        return True

    def _join_minutes(self, gap: str) -> bool:
        """Add minutes to the hour before them: `১০টা ১৫ মিনিট` is 10:15."""
        tokens = self._tokens
        if len(tokens) < 2 or gap not in _NEXT_TO:
            return False
        hour, minutes = tokens[-2:]
        if hour.value is None or minutes.value is None or not 0 < minutes.value < 60:
            return False
        if not (1 <= hour.value <= 24 and self._text[hour.start : hour.end].endswith(("টা", "ta"))):
            return False
        tokens[-2:] = [
            Token(hour.start, minutes.end, CLOCK, hour.value + minutes.value / 60, hour.sentence)
        ]
        return True


def _scale_of(value: float) -> float:
    """Return the greatest scale that a round number is a multiple of; 0 for none."""
    return next((scale for scale in _SCALES if value and not value % scale), 0.0)
