"""Sentences whose writer cannot or will not say: whatever they mention, they do not claim it.

All texts are folded ones, without marks of emphasis.
"""

from __future__ import annotations

from typing import Final

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import LETTER, any_of, fold, one_word_of, whole_word_of

_JUDGE: Final = one_word_of(
    "confirm say tell determine verify decide judge know state claim conclude assess evaluate "
    "establish check guarantee assert affirm answer assume ascertain vouch rule comment"
)
_HELP: Final = one_word_of(
    "help assist comply do provide discuss continue process engage respond fulfil fulfill"
)
_CANNOT: Final = (
    r"(?:can(?: ?not|'t|t)|could(?: not|n't|nt)|won't|will not|would not|wouldn't"
    r"|(?:unable|not able|not allowed|not willing|unwilling|reluctant|not in a position) to"
    r"|(?:refuse|decline|hesitate)s? to|(?:i'd|we'd|would) rather not|prefer not to"
    r"|no (?:reason|basis|grounds|way|means) (?:to|of|for)"
    r"|(?:impossible|not possible|hard|difficult) to)"
)
_UNABLE = lazy_regex(
    rf"(?<!\p{{L}}){_CANNOT}(?:\s\p{{L}}{{2,20}}ly)?\s(?:be\s(?:sure|certain|said|confirmed|verified"
    rf"|determined|known|judged)|{_JUDGE})(?:ing)?(?!\p{{L}})"
    r"|(?<!\p{L})(?:do(?: not|n't)|did(?: not|n't)) know(?!\p{L})"
    r"|(?<!\p{L})(?:not|n't) (?:sure|certain|convinced|confident|comfortable)(?!\p{L})"
    rf"|(?<!{LETTER}){any_of('জানি না', 'জানিনা', 'নিশ্চিত নই', 'নিশ্চিত নয়', 'নিশ্চিত না', 'নিশ্চিত নহি')}"
    rf"|(?<!{LETTER}){any_of('jani na', 'janina', 'nishchit na', 'nishchit noi', 'nishchit noy')}"
    rf"(?!{LETTER})"
    # নিশ্চিত করতে পারছি না; বলা যায় না
    rf"|(?<!{LETTER})(?:{one_word_of('বলতে করতে নিতে দিতে বুঝতে জানাতে')}"
    rf"|{one_word_of('bolte korte dite nite bujhte janate')})"
    rf"\s(?:{fold('পার')}[\p{{L}}\p{{M}}]{{0,8}}|{one_word_of('চাই চাচ্ছি chai cacchi')}"
    r"|par\p{L}{1,6})"
    rf"\s?(?:{any_of('না', 'নি', 'na', 'ni')})(?!{LETTER})"
    rf"|(?<!{LETTER}){one_word_of('বলতে করতে দিতে bolte korte dite')}"
    rf"\s(?:{any_of('অক্ষম', 'অপারগ', 'রাজি ন', 'রাজি না', 'okkhom', 'raji n')})"
    rf"|(?<!{LETTER})(?:{one_word_of('বলা bola')}|{one_word_of('করা kora')})"
    rf"\s{one_word_of('যায় যাচ্ছে যাবে সম্ভব jay jacche jabe sombhob')}"
    rf"\s(?:{any_of('হচ্ছে', 'hocche')}\s)?(?:{any_of('না', 'নয়', 'na', 'noy')})(?!{LETTER})"
)
# Of the request as a whole: I can't help with that; Sorry, I can't.
_TURNS_DOWN = lazy_regex(
    rf"(?<!\p{{L}}){_CANNOT}(?:\s\p{{L}}{{2,20}}ly)?(?:\s{_HELP}(?!\p{{L}})|\W*+$)"
    r"|(?<!\p{L})i(?: must| have to)? (?:refuse|decline)(?!\p{L})"
    rf"|{any_of('সাহায্য', 'সহায়তা', 'sahajjo', 'shahajjo')}\s{one_word_of('করতে korte')}\s"
)
_APOLOGY = lazy_regex(
    r"\W*+(?:(?:i'm|i am|we're)\s)?(?:(?:so|very|really)\s)?"
    rf"(?:{whole_word_of('sorry apologies দুঃখিত dukkhito সরি')}|my apologies|i apologi[sz]e"
    rf"|{any_of('আমি দুঃখিত', 'ক্ষমা করবেন')})\W*+"
)


def withholds(sentence: str) -> bool:
    """Whether a sentence says that its writer cannot or will not say: `I cannot confirm that …`."""
    return _UNABLE.search(sentence) is not None


def turns_down(sentences: list[str]) -> bool:
    """Whether sentences do nothing but turn a request down, so that a `no` behind them is its."""
    said = [each for each in sentences if not _APOLOGY.fullmatch(each)]
    return bool(said) and all(withholds(each) or _TURNS_DOWN.search(each) for each in said)
