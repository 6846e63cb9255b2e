"""What a statement says of the output as a whole: that it is right, or that it is wrong.

It is the other way of saying no and yes: `Yes, the answer is correct` contradicts itself. Texts
are folded ones. What is partial, conditional or unsure says nothing.
"""

from __future__ import annotations

from typing import Final

import regex

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import (
    FALSE,
    LETTER,
    TRUE,
    Polarity,
    any_of,
    fold,
    one_word_of,
    whole_word_of,
)
from banglahallueval.verdicts.corrections import SOURCES, names_part, of_faults

_UNDECIDED = lazy_regex(
    r"\?|"
    + whole_word_of(
        "if whether may might could would should maybe possibly perhaps likely probably unclear "
        "unsure seem seems appear appears partially partly mostly mainly largely somewhat part "
        "parts some only although though but however while yet unless except other another "
        "otherwise different nothing none nobody rest about regarding aside say says said "
        "claimed think believe rather just nearly almost half hardly first second third one two "
        "else sometimes apart when assuming suppose "
        "যদি কিন্তু তবে যদিও আংশিক আংশিকভাবে অংশ অংশে কিছু কিছুটা হয়তো সম্ভবত হলে অন্য শুধু কেবল কি কিনা "
        "বাকি প্রায় অর্ধেক ছাড়া প্রথম দ্বিতীয় jodi kintu tobe ongsho kichu kichuta hoyto shudhu hole"
    )
    + f"|{any_of('মনে হয়', 'হতে পারে', 'mone hoy', 'not sure', 'claims that')}"
    # `It is not true that the answer is wrong` is about the claim in it.
    + r"|(?:true|false|(?:in)?correct|right|wrong|case)(?: to (?:say|claim))? that(?!\p{L})"
    + rf"|{one_word_of('নয় না noy na')} {one_word_of('যে je')}(?!{LETTER})"
)
# What the source says is no hearsay: `the answer is wrong; the context says 1952`.
_SOURCE_IS_QUOTED = lazy_regex(
    rf"(?<!{LETTER}){SOURCES}(?:\s++\p{{L}}{{2,20}}ly)?\s++(?:says?|said)(?!\p{{L}})"
)
_CONTRAST = lazy_regex(r"^\W*+(?:but|however)(?!\p{L})")
_CLAUSE_END = lazy_regex(
    rf"[,;:()\[\]{{}}\"।–—]++|\s-\s|(?<!{LETTER})(?:because|since|as|so|therefore|thus|hence|which"
    rf"|and(?=\s(?:it|the|this)\s)|{any_of('কারণ', 'যেহেতু', 'তাই', 'karon', 'tai')})(?!{LETTER})"
)

_OUTPUT = whole_word_of(
    "answer answers summary response reply chain reasoning solution output claim claims statement "
    "statements content information details facts steps calculation calculations arithmetic math "
    "logic conclusion result everything "
    "উত্তর উত্তরটি উত্তরটা উত্তরের উত্তরটির উত্তরে উত্তরটিতে সারাংশ সারাংশটি সারাংশে সারাংশটিতে সারসংক্ষেপটি তথ্য "
    "তথ্যটি তথ্যগুলো তথ্যগুলি সবকিছু সবই সমাধান সমাধানটি সমাধানে যুক্তি যুক্তিটি হিসাব হিসাবটি হিসাবে বক্তব্যটি দাবিটি "
    "ধাপ ধাপগুলো প্রসঙ্গ অনুচ্ছেদ নথি uttor uttorti uttorta uttore uttar uttarti tothyo shob"
)
_BEFORE = whole_word_of(
    "and that indeed overall here then the this its your their all every each both model model's "
    "given provided candidate generated final whole candidate's entire of these those logical "
    "reasoning মডেলের প্রদত্ত এই সব সমস্ত প্রতিটি সকল ei model er"
)
_SUBJECT = lazy_regex(
    rf"\W*+(?:{_BEFORE}\s++){{0,6}}"
    rf"(?:(?P<named>{_OUTPUT}|(?:each|every)\s++(?:single\s++)?(?:claim|detail|fact|step|statement))"
    rf"|{whole_word_of('it this that they these এটি এটা ইহা eta eti')})"
    rf"(?!{LETTER})(?:\s++(?:ta|ti|te|er)(?!{LETTER}))?+"
)

# That one of them is right does not clear the whole.
_COMPONENT = lazy_regex(
    r"\W*+(?:the|its)\s++(?:final answer|reasoning(?! chain)|logic|math|conclusion|result"
    r"|information|details|facts|steps)(?!\p{L})"
)
# That it is not said in so many words does not condemn it.
_MANNER = lazy_regex(
    whole_word_of("verbatim literally explicitly directly explicit exactly সরাসরি স্পষ্টভাবে হুবহু")
    + f"|{any_of('word for word')}"
)
_PART = lazy_regex(r"\W*+(?:the|a|an|one|its|claim|step|detail)\s")
_ADVERB = (
    r"(?:(?:not|never|also|both|well|all|quite|very|still|indeed|in fact|\p{L}{2,20}ly|"
    + any_of("একদম", "সম্পূর্ণ", "পুরোপুরি", "সম্পূর্ণভাবে", "একেবারে", "পুরোটাই", "ekdom", "puro")
    + r")\s++)"
)
_RIGHT = (
    whole_word_of(
        "correct accurate right true supported faithful factual valid consistent grounded "
        "justified inferable verifiable verified truthful sound mentioned stated"
    )
    + r"|(?:(?:found|given|present|contained|written|included|based)\s++)?"
    + rf"(?:in|from|on)\s++the\s++{SOURCES}"
)
_RIGHT_BANGLA = whole_word_of(
    "সঠিক ঠিক ঠিকই সত্য সত্যি নির্ভুল যথার্থ যথাযথ শুদ্ধ সমর্থিত সঙ্গতিপূর্ণ সংগতিপূর্ণ সামঞ্জস্যপূর্ণ বিশ্বস্ত মেলে "
    "মিলেছে মিলে সঠিকভাবে thik thikache shothik sothik sathik nirbhul sotti shotti somorthito "
    "correct"
)
_GOOD = (
    r"(?:good|excellent|perfect|fine)(?=\W*+$)"
    r"|an?\s++(?:(?:very|quite|\p{L}{2,20}ly)\s++)?(?:good|excellent|perfect|fair|proper|correct"
    r"|accurate|faithful|valid|true)\s++(?:and\s++\p{L}{2,20}\s++)?(?:summary|answer|response|reply"
    r"|reasoning|chain|solution|paraphrase|reflection|representation|account|description)(?!\p{L})"
)
_NOT = lazy_regex(
    r"(?<!\p{L})(?:not|never|no|neither|nor|without|cannot|free|fails?|lacks?)(?!\p{L})|n't"
)
_NO_ONE = lazy_regex(whole_word_of("nothing none nobody if would"))
_ALTERNATIVE = lazy_regex(r"\W*+or\W*+")  # `not correct or supported` denies both
_NOT_BANGLA = (
    rf"(?:{whole_word_of('নয় নেই না নি নন নহে noy noi na nei ni nai')}"
    rf"|[\p{{L}}\p{{M}}]{{1,30}}{fold('নি')}(?!{LETTER}))"
)
_NOT_AFTER = lazy_regex(_NOT_BANGLA)
_THIS_BANGLA = one_word_of(
    "এর এই এ এটি এটা তা তার এমন কোনো সরাসরি স্পষ্ট স্পষ্টভাবে উল্লেখ তথ্য তথ্যটি উত্তর উত্তরটি কথা কথাটি"
)
# English needs its copula, so that `it omits the correct date` is no praise; Bangla has none.
_FOR = lazy_regex(
    rf"(?:(?:(?<!\p{{L}})(?:(?:is|are|was|were)(?:n't)?|be|been|and|or|nor)|'s|'re)\s++{_ADVERB}*+"
    rf"(?P<word>{_RIGHT}|{_GOOD}))"
    rf"|^\W*+{_ADVERB}*+(?P<word>{_RIGHT})(?=\W*+$|\s++(?:and|or|by|with|to|in|based|according)\s)"
    rf"|^\W*+(?:(?:does|do|did)(?:n't)?\s++)?{_ADVERB}*+(?P<word>"
    + whole_word_of("matches match agrees agree aligns align corresponds reflects")
    + r")|^\W*+(?P<word>"
    + whole_word_of("accurately correctly faithfully")
    + rf")|(?P<word>{_RIGHT_BANGLA})(?=\W*+$|\s++(?:{_NOT_BANGLA}|"
    + any_of("আছে", "ছিল", "হয়েছে", "যায়", "ও", "এবং", "বলে", "ache", "chilo", "and")
    + rf"))|{any_of('সমর্থন')}\s++(?P<word>{any_of('করে')})"
    + rf"|(?P<word>{any_of('প্রসঙ্গে', 'অনুচ্ছেদে', 'কনটেক্সটে', 'প্রেক্ষাপটে', 'নথিতে', 'পাঠে')})"
    + rf"(?:\s++{_THIS_BANGLA}){{0,3}}\s++"
    + any_of("আছে", "রয়েছে", "নেই", "পাওয়া", "বলা", "উল্লেখ")
    + r"|(?<!\p{L})(?P<word>(?:context|passage|document|text|article|prosongo|onucched)[ -]?t?e"
    + rf"|{any_of('context এ', 'context-এ', 'passage এ', 'passage-এ', 'prosonge', 'onucchede')})"
    + r"(?:\s++(?:eta|eti|ei|er|e|kono|uttor|uttorti|tothyo)){0,2}\s++"
    + one_word_of("ache achhe achhey nei nai pawa paoa bola ullekh আছে নেই রয়েছে")
    + rf"(?!{LETTER})"
)
_AGAINST = lazy_regex(
    "(?P<word>"
    + whole_word_of(
        "incorrect inaccurate wrong mistaken false unsupported unfaithful nonfactual invalid "
        "inconsistent ungrounded unverifiable unverified unjustified untrue untruthful flawed "
        "erroneous fabricated invented made-up baseless unfounded misleading contradictory "
        "contradicted absent missing contradicts contradict conflicts conflict deviates "
        "deviate differs differ invents fabricates misrepresents misstates distorts incorrectly "
        "inaccurately wrongly error errors mistake mistakes contradiction contradictions "
        "inaccuracy inaccuracies fabrication ভুল মিথ্যা অসত্য বেঠিক অসমর্থিত অসঙ্গতিপূর্ণ "
        "অসংগতিপূর্ণ অসামঞ্জস্যপূর্ণ বানানো মনগড়া প্রসঙ্গবিরোধী তথ্যবিরোধী সত্যবিরোধী স্ববিরোধী পরস্পরবিরোধী "
        "প্রসঙ্গবহির্ভূত অশুদ্ধ ভ্রান্ত ভুলভাবে কাল্পনিক ভিত্তিহীন ত্রুটিপূর্ণ বিভ্রান্তিকর "
        "সাংঘর্ষিক বিরোধী ভুয়া বিরোধিতা bhul vul "
        "bhool mithya mittha banano vittihin"
    )
    + rf"|{any_of('made up', 'goes beyond')}(?!{LETTER})"
    # as a verb; the adjective is read as what is said of hallucination
    + r"|(?<!\p{L})hallucinate[sd]?(?=\s++(?:the|an?|some|its|this|that|any|several)\s))"
)
# `Supported: yes` is the value of a field, not a sentence.
_FIELD = lazy_regex(
    rf"(?:{_RIGHT}|{_RIGHT_BANGLA}|{_AGAINST.pattern})[\"'*_ ]{{0,4}}[:=|?]\W{{0,6}}"
    rf"(?:yes|no|{TRUE}|{FALSE}|n/a|{any_of('হ্যাঁ', 'না')})(?!{LETTER})"
)
_FIELD_SIGN = lazy_regex(r"[:=|?]")
_ELLIPSIS = lazy_regex(rf"\W*+(?:(?:and|or|is|are|it's|that's)\s++)*+{_ADVERB}*+")

_SOURCE = lazy_regex(rf"\W*+(?:the|this|that|its)\s++(?:given |provided |source )?{SOURCES}\s++")
_SOURCE_SAYS: Final[tuple[tuple[regex.Pattern[str], Polarity], ...]] = (
    (
        lazy_regex(
            r"(?:(?:does|do|did)(?: not|n't)|never|cannot|fails to)\s++(?:\w+ly\s++)?(?:support"
            r"|mention|confirm|contain|say|state|include|give|provide|back|show|indicate)(?!\p{L})"
        ),
        "yes",
    ),
    (lazy_regex(r"(?:\w+ly\s++)?contradicts?(?!\p{L})"), "yes"),
    (lazy_regex(r"(?:\w+ly\s++)?(?:supports?|confirms?|backs?)(?!\p{L})"), "no"),
    (lazy_regex(r"(?:does|do|did)(?: not|n't)\s++contradict(?!\p{L})"), "no"),
)


def finds_fault(text: str) -> bool:
    """Whether a statement finds anything wrong, be it in a part: `The second claim is wrong`."""
    if _NOT.search(text) or _NOT_AFTER.search(text) or _NO_ONE.search(text):
        return False
    return _AGAINST.search(text) is not None


def speaks_of_part(text: str) -> bool:
    """Whether a statement is about something else than the output as a whole: `The date is …`."""
    return _PART.match(text) is not None and _SUBJECT.match(text) is None


def plain_stance(text: str) -> Polarity:
    """Read the stance of a statement that speaks of nothing less than the whole output."""
    if names_part(text) or (speaks_of_part(text) and not _SOURCE.match(text)):
        return ""
    said = stance(text)
    return "" if (_COMPONENT.match(text) if said == "no" else _MANNER.search(text)) else said


def stance(text: str, *, elliptical: bool = False, pronouns: bool = False) -> Polarity:
    """Read what a statement says: `no` that the output is right, `yes` that it is wrong.

    Args:
        text: The statement, or what follows a verdict in it.
        elliptical: Whether it may begin without a subject: `Yes, unsupported`.
        pronouns: Whether `it` and `this` are the output.

    Returns:
        Empty where it says neither, both, or only in part.
    """
    text = _CONTRAST.sub("", text)
    decided = _SOURCE_IS_QUOTED.sub(" ", text)
    if _UNDECIDED.search(decided) or (_FIELD_SIGN.search(text) and _FIELD.search(text)):
        return ""
    said: set[Polarity] = set()
    for clause in _CLAUSE_END.split(text):
        if not clause.strip():
            continue
        fault = of_faults(clause)
        said |= (
            ({fault} if fault else set())
            or _of_source(clause)
            or _of_output(clause, elliptical=elliptical, pronouns=pronouns)
        )
        elliptical = False
    return said.pop() if len(said) == 1 else ""


def _of_source(clause: str) -> set[Polarity]:
    """Read what `the context supports it` says."""
    subject = _SOURCE.match(clause)
    if not subject:
        return set()
    return {what for verb, what in _SOURCE_SAYS if verb.match(clause, subject.end())}


def _of_output(clause: str, *, elliptical: bool, pronouns: bool) -> set[Polarity]:
    """Read what `the answer is correct` says."""
    subject = _SUBJECT.match(clause)
    if subject and (subject["named"] or pronouns):
        return _of_predicate(clause[subject.end() :])
    begin = _ELLIPSIS.match(clause)
    if elliptical and begin:
        word = _FOR.search(clause) or _AGAINST.search(clause)
        if word and word.start("word") <= begin.end():
            return _of_predicate(clause)
    return set()


def _of_predicate(predicate: str) -> set[Polarity]:
    words = sorted(
        (*found.span("word"), right)
        for pattern, right in ((_FOR, True), (_AGAINST, False))
        for found in pattern.finditer(predicate)
    )
    said: set[Polarity] = set()
    negated = False
    before = 0
    for index, (begin, end, right) in enumerate(words):
        after = words[index + 1][0] if index + 1 < len(words) else len(predicate)
        if not _ALTERNATIVE.fullmatch(predicate, before, begin):
            negated = len(_NOT.findall(predicate, before, begin)) % 2 == 1
        flips = negated != (_NOT_AFTER.search(predicate, end, after) is not None)
        said.add("no" if right != flips else "yes")
        before = end
    return said
