"""Replies of a model that no picture has reached: it is text-only, or a server dropped it."""

from __future__ import annotations

from typing import Final

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import CONTENT, LETTER, any_of

NO_PICTURE: Final = "saw no picture"

_PICTURE: Final = r"(?:images?|pictures?|photos?|photographs?)"
_SEE: Final = "see|view|access|open|display|process|analy[sz]e|have(?: access to)?"
_NOT_GIVEN = any_of(
    *("দেওয়া হয়নি", "দেয়া হয়নি", "সংযুক্ত করা হয়নি", "সংযুক্ত নেই", "আপলোড করা হয়নি", "পাইনি"),
    *("দেখতে পাচ্ছি না", "দেখতে পাই না", "দেখতে পারছি না", "দেখতে পারি না"),
)
# Of what the writer was asked with; pictures within a picture are attached to a wall.
_REQUEST: Final = (
    r"(?:this|your|our|the) (?:message|prompt|request|chat|conversation|question|post)"
)
# Where an order begins, or what is asked of the reader: `please send`, `once you upload`.
_ASKING: Final = (
    r"(?:(?:^|[.:!?\n])\W*+(?:to [^.,;\n]{1,60}, )?(?:(?:so|then|first),? )?"
    r"|(?<!\p{L})(?:please|kindly|(?<=, )so|then) "
    r"|(?<!\p{L})you (?:(?:can|could|would|will|need to|have to|must|should|to|may|did not|didn't"
    r"|haven't|have not) )?(?:please )?)"
)
_WITHOUT: Final = (
    r"without (?:(?:having seen|seeing|viewing|access to|having) )?(?:(?:an?|the|any|your) )?"
    rf"{_PICTURE}(?!\p{{L}})"
)
# What is said of the writer, or of answering, and not of something in a picture.
_HELPLESS: Final = (
    r"(?:i|we|no|yes|any answer|my|(?:the|this) (?:answer|caption|description|verdict)"
    r"|(?:it is|it's) (?:\p{L}{2,20}ly )?(?:impossible|hard|difficult|not possible|unclear)"
    r"|there(?: is|'s) no way|nobody can)"
)
_UNABLE: Final = (
    r"(?:can(?:not|'t| not)|could(?: not|n't)|unable|not able|impossible|not possible|no way"
    r"|hard|difficult|i|guess|guessing)"
)
_QUOTED = lazy_regex(
    rf"\"[^\"\n]*+\"|“[^“”\n]*+”|«[^«»\n]*+»"
    rf"|(?<!{LETTER})['‘](?:[^'‘’\n]|(?<={LETTER})['’](?={LETTER}))*+['’](?!{LETTER})"
)
_BLIND = lazy_regex(
    # No image was provided
    rf"(?<!\p{{L}})no {_PICTURE} (?:(?:is|was|were|has been|have been|being) )?(?:provided|attached"
    r"|given|included|uploaded|shared|supplied|available)(?!\p{L})"
    rf"(?! (?:to|on|at|by|with|in|onto|from) (?!{_REQUEST}))"
    rf"|(?<!\p{{L}})no {_PICTURE} (?:here|for me|to (?:describe|look at|see|view|judge"
    r"|analy[sz]e))(?!\p{L})"
    # I cannot see any image. But not: I don't see an image of a dog
    r"|(?<!\p{L})(?:can(?:not|'t| not)|could(?: not|n't)|do(?: not|n't)|unable to|not able to)"
    rf"(?: \p{{L}}{{2,20}}ly)? (?:{_SEE}) (?:(?:any|an|the|this|your|actual) ){{0,2}}{_PICTURE}"
    r"(?=\s*+(?:$|[.,;!\n])| (?:attached|provided|given|here|in (?:this|our|your)|you|itself"
    r"|directly|or|so|to|and)(?!\p{L}))"
    # Please upload the image
    rf"|{_ASKING}(?:provided?|upload|share|attach|send) (?:me )?(?:the|an|your) {_PICTURE}"
    rf"(?!\p{{L}})(?! with (?!me|us))"
    # Without the image, I …; I cannot judge it without seeing the image
    rf"|(?<!\p{{L}}){_WITHOUT}\W*+{_HELPLESS}(?!\p{{L}})"
    rf"|(?<!\p{{L}}){_UNABLE}(?: \p{{L}}{{1,20}}){{0,8}}? (?:not )?{_WITHOUT}(?! \p{{L}})"
    rf"|(?:^|[.,;\n])\W*+not {_WITHOUT}(?! \p{{L}})"
    rf"|{any_of('ছবি', 'ছবিটি', 'ছবিটা')} {_NOT_GIVEN}"
)


def saw_no_picture(folded: str) -> bool:
    """Whether a folded reply says that there is no picture to look at.

    What it answers all the same is a guess from the text. What it quotes, a sign in the picture
    says.
    """
    return _BLIND.search(without_quoted(folded)) is not None


def without_quoted(text: str) -> str:
    """Blank what a text quotes, unless nothing else is said in it."""
    said = _QUOTED.sub(lambda found: f'"{" " * (len(found[0]) - 2)}"', text)
    return said if CONTENT.search(said) else text
