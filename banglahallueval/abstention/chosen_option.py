"""Which of lettered options an answer chooses."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

import regex

from banglahallueval.text.answer_frames import without_frame
from banglahallueval.text.lazy_regex import lazy_regex

LETTERS: Final = "ABCDEFGHIJ"
_BANGLA: Final = dict(zip("কখগঘঙচছজঝঞ", LETTERS, strict=True))

# An answer is searched with a private code point for each option that it names, so that what is
# said of a letter is one short pattern. The second one: the option's own text stood behind it.
_TOKENS: Final = {letter: chr(0xE000 + at) for at, letter in enumerate(LETTERS)}
_LETTER_OF: Final = {token: letter for letter, token in _TOKENS.items()}
_WITH_TEXT: Final = "\ue010"
_TOKEN: Final = rf"[\ue000-\ue009]{_WITH_TEXT}?"
_PRIVATE = lazy_regex(r"\p{Co}")

_NAMED: Final = "option|choice|letter|বিকল্প|অপশন"
_MARKED: Final = "vitamin|hepatitis|type|class|group|plan|grade|ভিটামিন|হেপাটাইটিস|টাইপ|গ্রুপ|প্ল্যান"
_MENTION = lazy_regex(
    rf"(?P<named>(?<![\p{{L}}\p{{M}}])(?:the\s+)?(?:{_NAMED})\s*[:.]?\s*)?(?P<open>[(\[{{<\"'*_“‘]{{0,6}})"
    rf"(?<![\p{{L}}\p{{M}}\p{{N}}°]|\p{{L}}['’]|[\p{{L}}\p{{N}}]-|\p{{N}}\s|(?:{_MARKED})\s)"
    r"(?P<letter>[A-Ja-jক-ঞ])"
    r"(?![\p{L}\p{M}\p{N}+#]|['’]\p{L}|\.\p{Lu}(?!\p{L}))(?P<close>[)\]}>\"'*_”’]*)",
    regex.IGNORECASE,
)
# What may follow a capital that is no article: `A is right`, not `A city in France`.
_NO_NOUN = lazy_regex(
    r"\s+(?:because|since|as|and|or|nor|is|isn't|was|would|must|should|seems|fits|matches|looks"
    r"|appears|instead|rather|over|not|but|has|due)(?!\p{L})"
)
_LOWER_WORD = lazy_regex(r"\s+\p{Ll}")
_LEADS_TO_SMALL = lazy_regex(
    r"(?<!\p{L})(?:(?:answer|ans|it)(?:\s+is|'s)?|choose|pick|select|go with"
    r"|উত্তর(?:\s+(?:হলো|হল|হবে))?)"
    r"\s*[:=]?\s*$",
    regex.IGNORECASE,
)
_ENDS = lazy_regex(r"\s*(?:$|[.,;:!।\n])")
_BETWEEN = lazy_regex(r"[\s.:,;।=)\]–—-]{0,9}[(\[{\"'*_“‘]{0,6}")
_BREAKS = lazy_regex(r"[\n;,.।(]|$")

# `A, B and C`; a comma alone may set the chosen one apart: `A, B is wrong`.
_CHAIN: Final = (
    rf"{_TOKEN}(?:(?:\s?,\s?{_TOKEN}){{0,9}}+\s?,?\s?"
    rf"(?:and|or|nor|এবং|ও|বা|[/&])\s?{_TOKEN}){{0,9}}+"
)
_END: Final = r"(?![\p{L}\p{M}])"
_SIDE = (
    lazy_regex(
        r"\n\s*[*_#]*(?:explanation|reasoning|reason|rationale|note|ব্যাখ্যা|কারণ)\W.*",
        regex.IGNORECASE | regex.DOTALL,
    ),
    # `Because B is wrong, A` and `A because B is wrong`.
    lazy_regex(r"(?:^|(?<=[.\n।;]))\s*(?:because|since|as|যেহেতু)\s[^.,\n।]*,", regex.IGNORECASE),
    lazy_regex(rf"(?<!\p{{L}})(?:because|since|as|কারণ|যেহেতু){_END}[^.\n।]*", regex.IGNORECASE),
    lazy_regex(rf"between\s+{_TOKEN}\s+and\s+{_TOKEN}", regex.IGNORECASE),
)
_DENIED = (
    lazy_regex(
        r"(?<!\p{L})(?:not|isn['’]t|can['’]t be|cannot be|never|instead of|rather than|over"
        r"|unlike|than|except|neither|none of|eliminat(?:e|es|ed|ing)|rul(?:e|es|ed|ing) out"
        r"|reject(?:s|ed|ing)?|exclud(?:e|es|ed|ing)|(?:all|any|anything|everything) but)"
        rf"\s+{_TOKEN}(?:\s*(?:or|and|nor|/)\s*{_TOKEN}){{0,9}}+",
        regex.IGNORECASE,
    ),
    lazy_regex(
        rf"{_CHAIN}[\s,.:;!?=–—-]*(?:[❌✗✘]|"
        r"(?:(?:is|are|was|were|looks?|seems?|can|could)\s*)?"
        r"(?:(?:clearly|also|obviously|both|all)\s+)?"
        r"(?:(?:not|isn['’]t|aren['’]t|cannot|can['’]t|n['’]t)"
        r"(?!\s+(?:wrong|false|incorrect|sure|certain))"
        r"|wrong|false|incorrect|inaccurate|untrue|out|ruled out|eliminated|rejected|excluded"
        r"|impossible|nope|no(?=\s*(?:$|[^\p{L}\s]|wait|[\ue000-\ue009]))"
        r"|(?:সঠিক|ঠিক)\s+নয়|ভুল|নয়|না|বাদ|মিথ্যা|হবে না)"
        rf"{_END})",
        regex.IGNORECASE,
    ),
    lazy_regex(
        rf"(?<!\p{{L}})(?:initially|at first|first|originally|previously|প্রথমে){_END}"
        rf"[^.;\n]{{0,40}}?{_TOKEN}(?=[^.\n]{{0,40}}(?:but|now|then|however|কিন্তু){_END})",
        regex.IGNORECASE,
    ),
)
# What may stand behind a letter besides its option: what is said of it, or a reason.
_GOES_ON = lazy_regex(
    r"(?:is|was|are|would|must|should|seems|fits|matches|looks|appears|has|it|it's|this|that|these"
    r"|for|due|with|from|given|based|according|in|i|my|yes|correct|right|true|definitely|certainly"
    r"|clearly|obviously|confidence|instead|not|no doubt"
    r"|final|answer|the (?:answer|correct|right|best|one)"
    r"|হলো|হল|হবে|হচ্ছে|সঠিক|ঠিক|নম্বর|নং|টি|টা|ই|এটি|এটা|উত্তর|হ্যাঁ)(?![\p{L}\p{M}'’])",
    regex.IGNORECASE,
)
_VERB = lazy_regex(r"(?:is|was|হলো|হল|হচ্ছে)\s+")
_ALSO = lazy_regex(r"(?:or|and|অথবা|বা|এবং|ও)(?![\p{L}\p{M}])", regex.IGNORECASE)
_NEAR: Final = 40  # code points beside a letter that tell whether it is one
_MOST_CLAUSES: Final = 3  # an option's text may hold a mark or two
_LEAST: Final = 4  # letters of a word that tells an option

Same = Callable[[str, str], bool]


def letter_of(text: str, count: int) -> str:
    """Read a bare option letter, Latin or Bangla (ক for A); empty if it is none of so many."""
    letter = without_frame(_plain(text)).strip()
    letter = _BANGLA.get(letter, letter.upper())
    return letter if len(letter) == 1 and letter in LETTERS[:count] else ""


def chosen_letter(answer: str, options: Sequence[str], same: Same) -> str:
    """Find the letter of the option that an answer chooses; empty where it is none or several.

    The letters that stand free are collected, without those that are denied (`not B`, `B is wrong`,
    `instead of B`) or belong to a reason. One that is left is chosen, unless what follows it is
    another option or a text of its own.

    Args:
        answer: What the model said, without thinking.
        options: The texts of the options, in the order of their letters.
        same: Tells whether two texts say the same.
    """
    text = without_frame(_plain(answer))
    letter = letter_of(text, len(options))
    if letter:
        return letter
    named = {LETTERS[at] for at, option in enumerate(options) if same(text, option)}
    if named:
        return named.pop() if len(named) == 1 else ""
    text = _with_tokens(text, options, same)
    for side in _SIDE:
        text = side.sub(" ", text)
    denied: set[str] = set()
    for pattern in _DENIED:
        denied.update(*(each[0] for each in pattern.finditer(text)))
        text = pattern.sub(" ", text)
    tokens = set(text) & _LETTER_OF.keys() - denied
    if len(tokens) != 1:
        return ""
    letter = _LETTER_OF[tokens.pop()]
    before, _, after = text.partition(_TOKENS[letter])
    others = [option for at, option in enumerate(options) if LETTERS[at] != letter]
    if any(same(before, other) for other in others):
        return ""
    after = after.rpartition(_TOKENS[letter])[2]
    return letter if _agrees(after, options[LETTERS.index(letter)], others, same) else ""


def _plain(text: str) -> str:
    """Write full-width, circled and bold letters as plain ones."""
    if text.isascii():
        return text
    return "".join(_plain_letter(char) for char in _PRIVATE.sub("", text))


def _plain_letter(char: str) -> str:
    plain = unicodedata.normalize("NFKC", char)
    if char.isascii() or not plain.strip("()").isascii() or not plain.strip("()").isalpha():
        return char
    return plain.upper() if unicodedata.category(char) == "So" else plain


def _with_tokens(text: str, options: Sequence[str], same: Same) -> str:
    """Put a token for each letter that names an option, with the option's text where it follows."""
    pieces = []
    done = 0
    for found in _MENTION.finditer(text):
        letter = letter_of(found["letter"], len(options))
        if not letter or found.start() < done:
            continue
        end = _end_of_option(text, found.end(), options[LETTERS.index(letter)], same)
        if not _names_option(text, found, has_text=end > 0):
            continue
        pieces += [text[done : found.start()], _TOKENS[letter], _WITH_TEXT if end else ""]
        done = end or found.end()
    return "".join((*pieces, text[done:]))


def _names_option(text: str, found: regex.Match[str], *, has_text: bool) -> bool:
    """Whether a letter is no article, pronoun or word."""
    before = text[max(0, found.start() - _NEAR) : found.start()]
    after = text[found.end() : found.end() + _NEAR]
    if found["named"] and (not found["letter"].islower() or _ENDS.match(after)):
        return True
    if found["letter"].islower():
        opens_line = not before.rpartition("\n")[2].strip()
        return (
            bool(found["close"] and (found["open"].strip() or opens_line))
            or bool(opens_line and regex.match(r"[.:।](?:\s|$)", after))
            or bool(_LEADS_TO_SMALL.search(before) and _ENDS.match(after))
        )
    if found["letter"] in "AI" and not found["close"] and _LOWER_WORD.match(after):
        return has_text or (found["letter"] == "A" and _NO_NOUN.match(after) is not None)
    return True


def _end_of_option(text: str, start: int, option: str, same: Same) -> int:
    """Find where an option's text ends that follows its letter; 0 if another text does."""
    between = _BETWEEN.match(text, start)
    start = between.end() if between else start
    option = option.strip()
    # Another spelling of it may be somewhat longer: `1,000`, `The Nile`.
    rest = text[start : start + 2 * len(option) + _NEAR]
    if option and rest.casefold().startswith(option.casefold()):
        end = start + len(option)
        if not regex.match(r"[\p{L}\p{M}\p{N}]", text[end : end + 1]):
            return end
    for end in _ends_of_clauses(rest):
        if same(rest[:end], option):
            return start + end
    return 0


def _ends_of_clauses(text: str) -> list[int]:
    """List where the first clauses of a text end."""
    ends = (found.start() for found in _BREAKS.finditer(text) if found.start())
    return list(islice(ends, _MOST_CLAUSES))


def _agrees(after: str, option: str, others: Sequence[str], same: Same) -> bool:
    """Whether what follows a letter leaves it the choice."""
    has_text = after.startswith(_WITH_TEXT)
    rest = regex.sub(r"^[^\p{L}\p{M}\p{N}]+", "", after)
    if not rest:
        return True
    said = _VERB.sub("", rest, count=1) if _VERB.match(rest) else rest
    ends = _ends_of_clauses(said)
    if _ALSO.match(rest) or any(same(said[:end], other) for end in ends for other in others):
        return False
    if has_text or "\n" in after[: len(after) - len(rest)] or _GOES_ON.match(rest):
        return True
    words = _telling_words(rest)
    return bool(words & _telling_words(option)) and not any(
        words & (_telling_words(other) - _telling_words(option)) for other in others
    )


def _telling_words(text: str) -> set[str]:
    return {
        word
        for word in regex.findall(r"[\p{L}\p{M}\p{N}]+", text.casefold())
        if len(word) >= _LEAST or word.isdecimal()
    }
