"""What replies say: a description, whether it hallucinates, and how."""

from __future__ import annotations

from typing import Final

import regex

from banglahallueval.models.types import Reply
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.markup import without_thinking
from banglahallueval.text.yes_no import LETTER, any_of, fold, one_word_of, whole_word_of
from banglahallueval.verdicts import CONTRADICTS, CUT_OFF, UNFINISHED_THINKING, UNPARSED, no_text
from banglahallueval.verdicts.reading import Reading, read
from banglahallueval.verdicts.statements import statements
from banglahallueval.verdicts.turns import own_turn
from banglahallueval.verdicts.types import EMPTY, REFUSED
from banglahallueval.vision.defects import has_words, is_refusal
from banglahallueval.vision.discriminative.statements import says
from banglahallueval.vision.generative.types import Description
from banglahallueval.vision.unseen import NO_PICTURE, saw_no_picture, without_quoted

NO_DESCRIPTION: Final = "no description behind its label"
EMPTY_DESCRIPTION: Final = "empty description"  # a supplied one, which nobody is asked for again
NAN_DESCRIPTION: Final = f"nan for an {EMPTY_DESCRIPTION}"

# Where a prompt that lets the model look around first wants the description.
_LABEL = lazy_regex(
    r"^[ \t#>*_\-]{0,12}+(?:(?:final |the )?description|বর্ণনা)[*_\s]{0,6}[:：][*_]{0,3}",
    regex.IGNORECASE | regex.MULTILINE,
)
_NAN = lazy_regex(r"nan", regex.IGNORECASE)
# I cannot see it clearly, but it appears to show a dog
_ALL_THE_SAME = lazy_regex(
    r"(?<!\p{L})(?:but|however|still)(?!\p{L})\W*+(?:(?:it|the (?:image|picture|photo|scene)|this) "
    r"(?:(?:\p{L}{2,20}ly|still) )?(?:appears?|seems?|looks?|shows?|depicts?|features?|contains?|is"
    r"|could be)|there (?:is|are|appears?|seems?)|i can (?:still )?(?:see|make out|describe|say"
    r"|tell))(?!\p{L})(?!\W++(?:if|when|once|only|that|provided|inappropriate|explicit|not|too)(?!\p{L}))"
    + rf"|(?<!{LETTER})(?:{one_word_of('তবে কিন্তু')})(?!{LETTER})[^।\n]{{1,80}}"
    + any_of("মনে হচ্ছে", "মনে হয়", "দেখা যাচ্ছে", "দেখা যায়", "দেখতে পাচ্ছি")
)
_CANNOT = lazy_regex(r"(?<!\p{L})(?:i|we)(?:'m| am| are)? (?:can(?:not|'t| not)|unable|won't)")
# A contrast right behind a no, or at the head of a sentence, takes the no back, …
_CONTRAST = lazy_regex(
    rf"\W*+(?:{one_word_of('but however except nevertheless yet although though')}"
    rf"|{one_word_of('কিন্তু তবে যদিও kintu tobe jodio')})(?!{LETTER})"
)
_BUT = lazy_regex(whole_word_of("but however except কিন্তু তবে kintu tobe"))
# … unless it is about what the description leaves out.
_LEAVES_OUT = lazy_regex(
    whole_word_of(
        "short brief concise omits omit omitted leaves lacks misses incomplete vague generic "
        "simple detailed সংক্ষিপ্ত অসম্পূর্ণ"
    )
    + r"|(?:does not|doesn't|could) (?:also )?(?:mention|describe|include|say|cover)"
)
# A dog that is not there. Of `nothing that is not there` one no denies the other.
_NOT_SHOWN = lazy_regex(
    r"(?<=\p{L} )(?:(?:that|which|who)(?:\s(?:is|are|was|were)(?:\s(?:absent|missing|nowhere)"
    r"|(?:n't|\snot)(?:\s\p{L}{2,20}ly)?\s(?:there|present|visible|shown|seen|depicted|found"
    r""
    r"|real|supported|part of|(?:in|on|at) (?:the|this|it)))|\s(?:(?:does|do)(?:n't| not)\s"
    r"(?:appear|exist|show)"
    r"|can(?:not|'t| not)\sbe\s(?:seen|found)))|(?:is|are|was|were)(?:n't|\snot)\s(?:there|present"
    r"|visible|shown|seen|(?:in|on) the context))(?!\p{L})"
    rf"|(?<!{LETTER}){one_word_of('যা যেটি যেটা যাকে ja jeta jeti')}"
    rf"(?:\s(?!{one_word_of('ভুল কোনো কিছুই তা তাতে সব সবই bhul vul kono ta tate')}(?!{LETTER}))"
    r"[\p{L}\p{M}]{1,20}){0,4}?"
    rf"\s{one_word_of('নেই না নয় nei nai na')}(?!{LETTER})"
)
_NONE = lazy_regex(
    whole_word_of(
        "no not nothing none never anything any without নেই না নয় কিছুই কোনো nei na kichui kono"
    )
    + rf"|n't|[\p{{L}}\p{{M}}]{{1,20}}{fold('নি')}(?!{LETTER})"
)
_ADDS = lazy_regex(
    r"\W*+(?:it|the (?:answer|model)|this) (?:also )?(?:adds|invents|fabricates|hallucinates)"
    r"(?!\p{L})(?! (?:no|nothing)(?!\p{L}))"
)
# The words of a judge about pictures, as those that verdicts are read by.
_AS_VERDICT: Final = tuple(
    (lazy_regex(pattern, regex.IGNORECASE), word)
    for pattern, word in (
        (r"\b(?:(?:candidate|image|picture) )?(?:captions?|descriptions?)\b", "answer"),
        (r"\bhallucinatory (?:contents?|information|details?|elements?)\b", "hallucination"),
        (r"\b(?:images?|pictures?|photos?|photographs?)\b", "context"),
        ("বর্ণনা|বিবরণ|ক্যাপশন", "উত্তর"),
        ("ছবি|চিত্র", "প্রসঙ্গ"),
        ("বিভ্রম", "হ্যালুসিনেশন"),
    )
)


def read_description(reply: Reply, *, labelled: bool) -> Description:
    """Read the description out of a reply.

    A reply that was cut off is a description all the same, and flagged: what is wrong in it is
    wrong. A refusal is none.

    Args:
        reply: What the model answered; thinking inside its text is left out.
        labelled: Whether the prompt asks for the description behind a label, after other text.
    """
    withheld = no_text(reply)
    if withheld:
        return Description("", withheld, reply=reply.text)
    visible = without_thinking(reply.text)
    assert visible is not None  # `no_text` says so
    text = visible.strip()
    is_cut = reply.finish == "length"
    labels = list(_LABEL.finditer(text)) if labelled else []
    said = text[labels[-1].end() :].strip() if labels else text
    if withheld := _no_description(said):
        reason = withheld
    elif labelled and not labels:
        reason = CUT_OFF if is_cut else NO_DESCRIPTION
    elif not has_words(said):
        reason = CUT_OFF if is_cut else EMPTY
    else:
        return Description(said, "", is_cut, reply.text if said != reply.text.strip() else "")
    return Description("", reason, reply=reply.text)


def supplied_description(text: str) -> Description:
    """Take a supplied description, without the thinking before it.

    One without a word is none, and neither is a refusal, thinking that does not end, or the `nan`
    that pandas writes into an empty cell.
    """
    text = text.strip()
    visible = without_thinking(text)
    if visible is None:
        return Description("", UNFINISHED_THINKING, reply=text)
    said = visible.strip()
    if not has_words(said):
        return Description("", EMPTY_DESCRIPTION)
    if _NAN.fullmatch(said):
        return Description("", NAN_DESCRIPTION, reply=text)
    if withheld := _no_description(said):
        return Description("", withheld, reply=text)
    return Description(said, reply=text if said != text else "")


def _no_description(text: str) -> str:
    """Say why a text is no description but its writer's excuse; empty if it describes."""
    if saw_no_picture(fold(text)):
        return NO_PICTURE
    if is_refusal(without_quoted(text)) and not _describes_all_the_same(fold(text)):
        return REFUSED
    return ""


def _describes_all_the_same(folded: str) -> bool:
    """Whether a text that begins with what its writer cannot do goes on to describe."""
    found = _ALL_THE_SAME.search(folded)
    return found is not None and _CANNOT.search(folded, found.end()) is None


def read_verdict(reply: Reply, *, shown: bool = True) -> tuple[bool | None, str]:
    """Read whether the judge sees hallucinatory content, never making it up.

    The first words of a reply, or what it says outright, are read as a verdict of labelling is.
    Else a sentence may say that the description matches, or does not.

    Args:
        reply: What the judge answered; thinking inside its text is left out.
        shown: Whether it was shown the picture; if it has not seen it, it does not judge.

    Returns:
        Whether there is some, None without a verdict; and why there is none, else empty.
    """
    withheld = no_text(reply)
    if withheld:
        return None, withheld
    visible, _ = own_turn(fold(reply.text))
    if visible is None:
        return None, UNFINISHED_THINKING
    if shown and saw_no_picture(visible):
        return None, NO_PICTURE
    text = _as_verdict(reply.text)
    found = read(text, "standard", cut=reply.finish == "length")
    if found.label == "no" and _takes_back(fold(text)[found.end :], begun=found.end > 0):
        return None, CONTRADICTS
    if found.label:
        return found.label == "yes", ""
    if found.reason != UNPARSED:
        return None, found.reason
    stated = {says(each.text) for each in statements(visible)} - {""}
    if len(stated) == 1:
        return stated == {"no"}, ""
    return None, REFUSED if is_refusal(reply.text) else UNPARSED


def read_as_verdict(text: str, *, cut: bool = False) -> Reading:
    """Read a judge's words about pictures and captions as words about answers and contexts."""
    return read(_as_verdict(text), "standard", cut=cut)


def _as_verdict(text: str) -> str:
    for pattern, word in _AS_VERDICT:
        text = pattern.sub(word, text)
    return text


def _takes_back(rest: str, *, begun: bool) -> bool:
    """Whether what a judge says behind its no finds something all the same.

    Args:
        rest: What stands behind the no, or the whole reply where a sentence says it.
        begun: Whether it goes on a sentence, so that a contrast at once is one with the no.
    """
    for index, each in enumerate(statements(rest)):
        goes_on = index > 0 or begun
        contrast = _CONTRAST.match(each.text) if goes_on else _BUT.search(each.text)
        if contrast and not _LEAVES_OUT.search(each.text):
            return True
        if _ADDS.match(each.text):
            return True
        start = 0
        for found in _NOT_SHOWN.finditer(each.text):
            if not _NONE.search(each.text, start, found.start()):
                return True
            start = found.end()
    return False
