"""Replies of a model that no picture has reached: it is text-only, or a server dropped it."""

from __future__ import annotations

from typing import Final

import regex

from banglahallueval.text.yes_no import any_of

NO_PICTURE: Final = "saw no picture"

_PICTURE: Final = r"(?:images?|pictures?|photos?|photographs?)"
_SEE: Final = "see|view|access|open|display|process|analy[sz]e|have(?: access to)?"
_NOT_GIVEN = any_of(
    *("দেওয়া হয়নি", "দেয়া হয়নি", "সংযুক্ত করা হয়নি", "সংযুক্ত নেই", "আপলোড করা হয়নি", "পাইনি"),
    *("দেখতে পাচ্ছি না", "দেখতে পাই না", "দেখতে পারছি না", "দেখতে পারি না"),
)
_BLIND = regex.compile(
    # No image was provided
    rf"(?<!\p{{L}})no {_PICTURE} (?:(?:is|was|were|has been|have been|being) )?(?:provided|attached"
    r"|given|included|uploaded|shared|supplied|available)(?!\p{L})"
    # I cannot see any image. But not: I don't see an image of a dog
    r"|(?<!\p{L})(?:can(?:not|'t| not)|could(?: not|n't)|do(?: not|n't)|unable to|not able to)"
    rf"(?: \p{{L}}{{2,20}}ly)? (?:{_SEE}) (?:(?:any|an|the|this|your|actual) ){{0,2}}{_PICTURE}"
    r"(?=\s*+(?:$|[.,;!\n])| (?:attached|provided|given|here|in (?:this|our|your)|you|itself"
    r"|directly|or|so|to|and)(?!\p{L}))"
    # Please upload the image; without seeing the image
    rf"|(?<!\p{{L}})(?:provide|upload|share|attach|send) (?:me )?(?:the|an|your) {_PICTURE}"
    rf"(?!\p{{L}})|(?<!\p{{L}})without (?:an?|the|any|seeing the|seeing) {_PICTURE}(?!\p{{L}})"
    rf"|{any_of('ছবি', 'ছবিটি', 'ছবিটা')} {_NOT_GIVEN}"
)


def saw_no_picture(folded: str) -> bool:
    """Whether a folded reply says that there is no picture to look at.

    What it answers all the same is a guess from the text.
    """
    return _BLIND.search(folded) is not None
