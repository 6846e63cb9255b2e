"""What a sentence says of a caption as a whole: that it matches its picture, or that it does not.

It is the other way of saying yes and no, in English, Bangla and romanised Bangla. Texts are folded
ones. What is partial, conditional or unsure says nothing.
"""

from __future__ import annotations

from typing import Final, Literal

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import (
    CONTENT,
    LETTER,
    NO,
    ROMANISED_NO,
    ROMANISED_YES,
    YES,
    any_of,
    fold,
    one_word_of,
    whole_word_of,
)
from banglahallueval.verdicts.withholding import withholds

Polarity = Literal["yes", "no", ""]

_UNDECIDED = lazy_regex(
    r"\?|"
    + whole_word_of(
        "if whether may might could should would maybe possibly perhaps probably likely unclear "
        "unsure seem seems appear appears partially partly mostly mainly largely somewhat nearly "
        "almost some part parts except although though but however unless otherwise cannot "
        "can't determine sure certain roughly loosely hardly barely scarcely rarely doubt "
        "যদি কিন্তু তবে যদিও আংশিক আংশিকভাবে কিছু কিছুটা অনেকটা মোটামুটি হয়তো সম্ভবত প্রায় ছাড়া কিনা কি "
        "jodi kintu tobe jodio kichu kichuta hoyto onekta ki kina"
    )
    + f"|{any_of('মনে হয়', 'হতে পারে', 'মনে হচ্ছে', 'mone hoy', 'mone hocche')}"
)

# What is spoken of: the caption, or in `the image matches the description` the picture with it.
_CAPTION = lazy_regex(
    whole_word_of("caption captions description descriptions statement sentence")
    + rf"|(?<!{LETTER}){any_of('ক্যাপশন', 'বর্ণনা', 'বিবরণ', 'শিরোনাম')}"
    + rf"|(?<!{LETTER}){any_of('ছবির সঙ্গে', 'ছবির সাথে', 'ছবিটির সঙ্গে', 'ছবিটির সাথে')}"
    + rf"|(?<!{LETTER}){any_of('chobir shathe', 'chobir sathe', 'chobir shonge')}"
    + r"|(?<!\p{L})(?:caption|bornona|biboron)[ -]?(?:ti|ta|tir|tar|er)?(?!\p{L})"
)
_IT = lazy_regex(
    rf"\W*+(?:(?:does|do|is|are)\s++)?{whole_word_of('it this they these এটি এটা ইহা eta eti')}"
    r"|\W*+the\s++(?:image|picture|photo|content|contents)(?!\p{L})"
)

_DESCRIBES = (
    r"(?:describ|reflect|represent|depict|captur|portray|match|convey|summari[sz])(?:es|e|s|ing)?"
)
_FOR = lazy_regex(
    r"(?<!\p{L})(?:"
    r"(?P<word>matches|match|matching|fits|aligns?\s++with|agrees?\s++with|corresponds?\s++(?:to|with))"
    r"|(?P<word>(?:accurately|correctly|faithfully|exactly|precisely|properly|truthfully|perfectly)"
    rf"\s++{_DESCRIBES})"
    r"|(?P<word>(?:describes?|reflects?|represents?|depicts?|captures?)\s++(?:the\s++)?(?:image|picture"
    r"|photo|scene|content|contents)(?:\s++[\p{L}\s]{0,40}?)?"
    r"(?:accurately|correctly|faithfully|exactly|well|perfectly))"
    r"|(?:is|are|was|'s|be|being|an?|and|\p{L}{2,20}ly|not|n't)\s++"
    r"(?P<word>accurate|correct|right|true|faithful|factual|exact|consistent\s++with"
    r"|in\s++line\s++with|in\s++agreement\s++with)"
    rf")(?!\p{{L}})"
    rf"|(?<!{LETTER})(?P<word>"
    + any_of(
        *("মেলে", "মিলে", "মিলছে", "মিলেছে", "মিল আছে", "মিল রয়েছে", "মিল", "মিলে যায়", "সঙ্গতিপূর্ণ"),
        *("সংগতিপূর্ণ", "সামঞ্জস্যপূর্ণ", "সঠিক", "সঠিকভাবে", "নির্ভুল", "নির্ভুলভাবে", "যথাযথভাবে"),
        *("mele", "mile", "milche", "milchhe", "mileche", "mil ache", "mil achhe", "shothik"),
        *("sothik", "sathik", "thik"),
    )
    + rf")(?!{LETTER})"
    # Glued together, the word and its no are one.
    + rf"|(?<!{LETTER})(?P<glued>{any_of('মেলেনা', 'মিলেনা', 'মিলছেনা', 'মেলেনি', 'মিলেনি')}"
    + rf"|{any_of('melena', 'milena', 'melenai', 'milenai', 'meleni', 'mileni')})(?!{LETTER})"
)
_AGAINST = lazy_regex(
    r"(?<!\p{L})(?P<word>mismatch(?:es|ed)?|mismatches|incorrect|incorrectly|inaccurate"
    r"|inaccurately|wrong|wrongly|false|misleading|contradicts?|misrepresents?|misdescribes?|differs?|conflicts?"
    r"|inconsistent|discrepanc(?:y|ies)|inaccurac(?:y|ies)|errors?|hallucinat(?:ed|ions?))(?!\p{L})"
    rf"|(?<!{LETTER})(?P<word>"
    + any_of(
        "ভুল",
        "ভুলভাবে",
        "অমিল",
        "অসঙ্গতিপূর্ণ",
        "অসংগতিপূর্ণ",
        "অসামঞ্জস্যপূর্ণ",
        "বেঠিক",
        "bhul",
        "vul",
        "omil",
    )
    + rf")(?!{LETTER})"
)
# What follows takes a part back; `however` at the head of a sentence takes back another one.
CONTRAST = lazy_regex(
    whole_word_of("but however although though except nevertheless কিন্তু তবে যদিও kintu tobe jodio")
    + rf"|(?<!{LETTER})(?:apart|aside) from(?!{LETTER})|(?<!{LETTER})other than(?!{LETTER})"
)
_CONTRAST_FIRST = lazy_regex(
    r"^\W*+(?:"
    + whole_word_of("but however nevertheless still yet কিন্তু তবে kintu tobe")
    + r"|that said)\W++"
)
# A subject-less reply: `Doesn't match.`, `Not an exact match`, `মেলে না`.
_OPENS = lazy_regex(
    r"\W*+(?:(?:yes|no|and|so|therefore|thus|hence|overall|there\s++(?:is|are)|an?|the|any|exact|perfect"
    r"|clear|complete|does|do|is|are|not|n't|doesn't|isn't|don't|fully|exactly|completely|entirely"
    r"|never)\W++)*+"
)
_YES_WORDS: Final = any_of(*YES, "true")
_NO_WORDS: Final = any_of(*NO, "false")
_FIELD = lazy_regex(
    rf"(?P<head>[^:=?\n]{{2,200}})[:=?]\W*+(?:(?P<yes>{_YES_WORDS})|(?P<no>{_NO_WORDS}))\W*+"
)
_DOES = lazy_regex(r"\W*+(?:it|the caption|this|that) (?:does|is)(?P<not> not|n't)?\W*+")
_OTHER: Final[dict[Polarity, Polarity]] = {"yes": "no", "no": "yes", "": ""}
_NOT = lazy_regex(
    r"(?<!\p{L})(?:not|never|no|neither|nor|without|cannot|fails?|lacks?|isnt|doesnt|nothing|nobody"
    r"|none)(?!\p{L})|n't"
)
# Bangla denies behind the word: মেলে না, সঠিক নয়, মিল নেই, তুলে ধরেনি.
_NOT_AFTER = lazy_regex(
    rf"(?<!{LETTER})(?:{any_of('না', 'নয়', 'নেই', 'নন', 'নি', 'নহে')}"
    rf"|{any_of('na', 'noy', 'noi', 'nei', 'nai', 'ni')})(?!{LETTER})"
    rf"|[\p{{L}}\p{{M}}]{{1,20}}{fold('নি')}(?!{LETTER})"
)
_DENIED_AGAIN = lazy_regex(
    rf"(?<!{LETTER}){one_word_of('না নয় নেই na noy nei')}\s"
    rf"{one_word_of('এমন এমনটা তা তেমন emon emonta')}\s{one_word_of('নয় না noy na')}(?!{LETTER})"
)
# It denies the word before it: উত্তর হ্যাঁ নয়.
NOT_BEHIND: Final = rf"(?:{any_of('নয়', 'নহে', 'noy', 'noi')})(?!{LETTER})"
_ANSWER_IS_NOT = lazy_regex(
    r"\W*+(?:(?:so|therefore|thus|hence|the|my|final|correct|right)\W++)*+(?:(?:answer|verdict|it)\s"
    r"(?:is|would be|should be)(?:n't|\snot)\s(?:(?:an?|simply)\s)?|not\s(?:a\s)?)"
    rf"\W*+(?:(?P<yes>{_YES_WORDS})|(?P<no>{_NO_WORDS}))\W*+"
    rf"|\W*+(?:(?:{one_word_of('আমার চূড়ান্ত সঠিক amar')})\s)?"
    rf"{one_word_of('উত্তর উত্তরটি উত্তরটা uttor uttorti uttorta')}"
    rf"(?:\s{one_word_of('হলো হল হবে holo')})?\W++"
    rf"(?:(?P<yes>{any_of(*YES, *ROMANISED_YES)})|(?P<no>{any_of(*NO, *ROMANISED_NO)}))\W++"
    rf"{NOT_BEHIND}\W*+"
)
# It is not true that …; it would be undecided
_CLAIM = lazy_regex(
    r"\W*+(?:(?:so|therefore|thus|hence)\W++)?(?:it|this)(?:\s?'s|\s(?:is|was)(?P<no>n't)?)\s"
    r"(?:(?P<no>not|never)\s)?(?:\p{L}{2,20}ly\s)?(?:(?P<true>true|correct|right|accurate|the case"
    r"|a fact)|(?P<false>false|wrong|incorrect|untrue|inaccurate))\s"
    r"(?:to\s(?:say|claim|state|conclude)\s)?that\s(?P<rest>.++)"
    rf"|\W*+{one_word_of('এটা এটি কথাটি কথাটা eta eti kothata kothati')}\s"
    rf"(?:(?P<true>{one_word_of('সত্য সত্যি সঠিক ঠিক sotto sotti shotti shothik sothik thik')})"
    rf"|(?P<false>{one_word_of('মিথ্যা ভুল mittha bhul vul')}))\s"
    rf"(?:(?P<no>{one_word_of('নয় না noy noi na')})\s)?{one_word_of('যে je')}\s(?P<rest>.++)"
)
_ALTERNATIVE = lazy_regex(r"\W*+(?:(?:or|and)\W*+)?")  # `not accurate or correct` denies both
_CLAUSE_END = lazy_regex(
    rf"[,;:()\[\]।–—]++|\s-\s|(?<!{LETTER})(?:because|since|as|so|therefore|thus|hence|which|that"
    r"|and(?=\s(?:it|the|this|is|does)\s)|"
    + any_of("কারণ", "যেহেতু", "তাই", "karon", "tai")
    + rf")(?!{LETTER})"
)


def says(sentence: str, *, leading: bool = False) -> Polarity:
    """Read what a sentence says of the caption: `yes` that it matches, `no` that it does not.

    `Match: no`, `Does it match? No` and `It does not` say it, too, and so does what is said of a
    claim: `It is not true that the caption is wrong`. What its writer cannot or will not say is
    not said.

    Args:
        sentence: The sentence.
        leading: Whether what stands before a `but` or `except` counts as `Yes, but …` does, unless
            what follows says otherwise of the caption as a whole.

    Returns:
        Empty where it says neither, both, or only in part.
    """
    sentence = _CONTRAST_FIRST.sub("", sentence)
    if short := _DOES.fullmatch(sentence):
        return "no" if short["not"] else "yes"
    if field := says_in_field(sentence):
        return field
    if claim := _CLAIM.fullmatch(sentence):
        inner = says(claim["rest"])
        return _OTHER[inner] if (claim["no"] is None) == (claim["false"] is not None) else inner
    if withholds(sentence):
        return ""
    contrast = CONTRAST.search(sentence) if leading else None
    if contrast:
        head, tail = says(sentence[: contrast.start()]), says(sentence[contrast.end() :])
        if not CONTENT.search(sentence, 0, contrast.start()):
            return tail
        return head if tail in ("", head) else ""
    if _UNDECIDED.search(sentence):
        return ""
    said: set[Polarity] = set()
    start, denied = 0, False
    ends = [each.span() for each in _CLAUSE_END.finditer(sentence)]
    for end, after in (*ends, (len(sentence), len(sentence))):
        clause = sentence[start:end]
        said |= set() if denied else _of_clause(clause)
        # `no evidence that it is wrong` and `I do not believe that it matches` claim nothing.
        denied = sentence[end:after] == "that" and _NOT.search(clause) is not None
        start = after
    return said.pop() if len(said) == 1 else ""


def says_in_field(sentence: str) -> Polarity:
    """Read what a field says, `Match: no`, or a question with its answer; empty for all else.

    `The answer is not yes` is no.
    """
    if denied := _ANSWER_IS_NOT.fullmatch(sentence):
        return "no" if denied["yes"] else "yes"
    field = _FIELD.fullmatch(sentence)
    head = says(field["head"]) if field else ""
    return _OTHER[head] if field and field["no"] else head


def _of_clause(clause: str) -> set[Polarity]:
    words = sorted(
        (*found.span(name), right, name == "glued")
        for pattern, right in ((_FOR, True), (_AGAINST, False))
        for found in pattern.finditer(clause)
        for name in ("word", "glued")
        if found.groupdict().get(name) is not None
    )
    opens = _OPENS.match(clause)
    is_elliptical = bool(words and opens and words[0][0] <= opens.end())
    if not (is_elliptical or _CAPTION.search(clause) or _IT.match(clause)):
        return set()
    said: set[Polarity] = set()
    negated, before = False, 0
    for index, (begin, end, right, glued) in enumerate(words):
        after = words[index + 1][0] if index + 1 < len(words) else len(clause)
        if not _ALTERNATIVE.fullmatch(clause, before, begin):
            negated = len(_NOT.findall(clause, before, begin)) % 2 == 1
        denied = glued or _NOT_AFTER.search(clause, end, after) is not None
        flips = negated != (denied and not _DENIED_AGAIN.search(clause, end, after))
        said.add("yes" if right != flips else "no")
        before = end
    return said
