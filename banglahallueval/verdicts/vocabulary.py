"""The patterns that find a verdict: its words, what leads up to them, the labels before them."""

from __future__ import annotations

from typing import Final

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import (
    END,
    FALSE,
    LETTER,
    NO,
    NOT_LETTERS,
    ROMANISED_NO,
    ROMANISED_YES,
    SPOKEN_NO,
    SPOKEN_YES,
    START,
    TRUE,
    YES,
    any_of,
    fold,
    one_word_of,
)

# `No evidence supports it` says yes if anything. Before these words, no is an answer.
_AFTER_NO = one_word_of(
    "it its it's the this that that's these they there because since as so but and i i'm i've we "
    "my all every everything nothing not hallucinated wait actually sorry based given according "
    "এটি এটা এই উত্তরটি উত্তর সারাংশটি কারণ যেহেতু প্রদত্ত মডেলের সব সকল হ্যালুসিনেটেড আমি প্রসঙ্গ "
    "প্রসঙ্গে অনুচ্ছেদে eta eti ei uttor uttorti uttorta karon"
)
_FAULT = (
    rf"(?:[a-z]++\s++)?{one_word_of('hallucination hallucinations হ্যালুসিনেশন')}|(?:(?:factual "
    r"|arithmetic |logical |such |unsupported |contradictory |other )*+(?:errors?|mistakes?"
    r"|contradictions?|inconsistenc(?:y|ies)|discrepanc(?:y|ies)|inaccurac(?:y|ies)|fabrications?))"
    r"|(?:unsupported|fabricated|invented|hallucinated|incorrect|false|made-up)\s++(?:claims?"
    r"|facts?|information|content|details?|statements?|steps?)"
)
_NOT_ASKED = r"(?![\"')\s]{0,4}\?)"

_NUMBER = r"[^\S\n]*+\p{N}{1,3}(?!\p{N}|[^\S\n]*+%|[.,]\p{N})"


def _no(yes: tuple[str, ...], no: tuple[str, ...]) -> str:
    """Build a pattern for a no that is not part of `no evidence` or `no 5`."""
    again = rf"(?:{any_of(*yes, *no)}{END}[^\S\n]*+)*+"
    answer = rf"(?:(?:{_AFTER_NO}|{_FAULT})(?!{LETTER})|[^\p{{L}}\p{{M}}]|$)"
    goes_on = rf"(?![^\S\n]++(?!{again}{answer})[\p{{L}}\p{{M}}])"
    return rf"{any_of(*no)}{END}{_NOT_ASKED}(?![^\S\n]*+#?{_NUMBER}){goes_on}"


_LEAD = one_word_of(
    "the my a an final answer verdict label decision judgment judgement conclusion evaluation "
    "assessment result response output is would be so therefore thus hence i say definitely "
    "clearly certainly absolutely obviously ok okay sure well now assistant judge evaluator ai in "
    "overall conclude that that's go with i'd i'll clear lean to towards vote it's answering short "
    "summary "
    "উত্তর উত্তরটি চূড়ান্ত আমার সিদ্ধান্ত রায় ফলাফল মতে হলো হল হচ্ছে জি জ্বি জী অতএব সুতরাং তাই "
    "uttor uttorti amar mote holo churanto ji"
)
# `তাই না` asks for agreement.
_THEREFORE = (
    rf"(?<!{LETTER})(?:{one_word_of('so therefore thus hence সুতরাং অতএব কাজেই')}"
    rf"|{any_of('তাই', 'tai')}(?!\s++{any_of('না', 'na')}))"
)
_SO = rf"(?:{_THEREFORE}|(?<!{LETTER})i (?:say|answer|vote|conclude|choose))"
# 1. yes   A) no
_ITEM = rf"(?:(?:\p{{N}}{{1,2}}|[a-d])[.)]\s++{NOT_LETTERS}|\([a-d]\)\s*+{NOT_LETTERS})?+"
_LEADS = rf"(?:{_LEAD}(?!{LETTER})[^\p{{L}}\p{{M}}\p{{N}}.?!।]*+){{0,8}}"

_MARKUP = r"[\"'_\s)\]}\\]*+"
_SIGN = r"(?:[:=?।ঃ–—→|]|->?|=>)"
_AFTER_LABEL = (
    rf"(?![\p{{L}}\p{{N}}])(?P<key>[\"'](?=\s*+:))?+(?:[ _]now)?+{_MARKUP}"
    rf"(?:\([^()\n]{{0,100}}\){_MARKUP})?+"
    rf"(?:{any_of('is', 'would be', 'should be', 'হলো', 'হল', 'হচ্ছে', 'holo')}(?=[\W_]){_MARKUP}"
    rf"{_SIGN}?+|{_SIGN}){NOT_LETTERS}{_ITEM}{_LEADS}"
)
_LABELS: Final = (
    "answer verdict label decision judgment judgement conclusion result response output evaluation "
    "assessment final boxed উত্তর রায় সিদ্ধান্ত ফলাফল uttor siddhanto shiddhanto"
)
ECHO = lazy_regex(one_word_of("answer response output result উত্তর"))
_OF_ANOTHER = one_word_of(
    "model model's given provided candidate generated student's reference gold expected wrong "
    "proposed true actual hallucinated user's original মডেলের প্রদত্ত"
)
# The correct answer is the question's, the correct label the judge's.
_TRUE_ANSWER = rf"{one_word_of('correct right সঠিক')}[\s_](?:answer|response|output|{fold('উত্তর')})"
_LABEL = (
    rf"(?<!{LETTER}){one_word_of(_LABELS)}(?<!{_OF_ANOTHER}[\s_]{one_word_of(_LABELS)})"
    rf"(?<!{_OF_ANOTHER}[\s_](?:final|answer) {one_word_of(_LABELS)})(?<!{_TRUE_ANSWER})"
)
_NAME = (
    r"(?<![\p{L}\p{M}\p{N}_-])(?<!(?:not|no|non)\s)(?:(?:is|has|contains)[_ ]{0,2})?+"
    r"(?:hallucinat(?:ed|ions?)"
    r"(?:[_ ](?:chain|detected|status|present|found|check|label|verdict))?+"
    rf"|{any_of('হ্যালুসিনেশন', 'হ্যালুসিনেটেড')}"
    rf"(?:\s++{any_of('কিনা', 'কি না', 'কি', 'আছে', 'আছে কি')})?+)"
)
_INNER_KEY = r"(?:(?:value|answer|label|verdict)\W++)?"

# `জ্বি` says yes by itself, and is mere politeness before another answer: `জ্বি না`.
_POLITE = (
    rf"(?!{any_of('জ্বি', 'জ্বী')}{NOT_LETTERS}{any_of(*YES, *SPOKEN_YES, *NO, *SPOKEN_NO)}{END})"
)


class Vocabulary:
    """The patterns for verdicts in certain words."""

    def __init__(self, yes: tuple[str, ...], no: tuple[str, ...]) -> None:
        """Compile the patterns for these spellings of yes and no."""
        is_yes, is_no = f"{_POLITE}{any_of(*yes)}{END}{_NOT_ASKED}", _no(yes, no)
        word = rf"(?:(?P<yes>{is_yes})|(?P<no>{is_no}))"
        again = rf"{any_of(*yes, *no)}{END}"
        self.yes = frozenset(yes)
        # Without it there is nothing to look for. That a letter may stand before it costs little.
        self.end_of_word = lazy_regex(rf"{any_of(*yes, *no, TRUE, FALSE)}{END}")
        # `No. 5` is a number, too, where no label stands before it.
        first = rf"(?:(?P<yes>{is_yes})|(?P<no>{is_no}(?![^\S\n]*+[.:]{_NUMBER})))"
        self.opening = lazy_regex(rf"{NOT_LETTERS}{_ITEM}{_LEADS}{START}{first}")
        self.concluding = lazy_regex(
            rf"{_SO}(?!{LETTER}){NOT_LETTERS}{_LEADS}{START}{first}[^\p{{L}}\p{{M}}\p{{N}}]*+$"
        )
        self.labelled = lazy_regex(rf"{_LABEL}{_AFTER_LABEL}{START}{word}")
        self.named = lazy_regex(
            rf"{_NAME}{_AFTER_LABEL}{_INNER_KEY}{START}(?:(?P<yes>{is_yes}|{TRUE}{END}{_NOT_ASKED})"
            rf"|(?P<no>{is_no}|{FALSE}{END}{_NOT_ASKED}))"
        )
        self.alone = lazy_regex(
            rf"(?:[^\p{{L}}\p{{M}}\p{{N}}]++|\p{{N}}++(?:[.,]\p{{N}}++)?\s*+%|{START}{again})*+"
        )
        link = one_word_of("and but or nor then এবং ও আর কিন্তু বা ar kintu")
        self.more = lazy_regex(
            rf"(?:[^\p{{L}}\p{{M}}]*+(?:{link}{NOT_LETTERS})?{_ITEM}{START}(?P<word>{again}))++"
            rf"[^\S\n]*+(?=$|[^\s\p{{L}}\p{{M}}\p{{N}}])"
        )
        taken_back = any_of(
            "wait", "actually", "correction", "i mean", "on second thought", "scratch that",
            "or rather", "no wait", "sorry", "আসলে", "না মানে", "ashole",
        )  # fmt: skip
        self.corrected = lazy_regex(
            rf"(?<!{LETTER}){taken_back}(?!{LETTER}){NOT_LETTERS}{_LEADS}{START}{word}"
        )


PLAIN: Final = Vocabulary(YES + SPOKEN_YES, NO + SPOKEN_NO)
ROMANISED: Final = Vocabulary(YES + SPOKEN_YES + ROMANISED_YES, NO + SPOKEN_NO + ROMANISED_NO)

# Hallucinations: none   {"is_hallucinated": "Not hallucinated"}   {"label": "NOT_HALLUCINATED"}
NONE_FOUND = lazy_regex(
    rf"(?<![\p{{L}}\p{{M}}\p{{N}}_-])hallucinations?(?: (?:detected|present|found))?+{_AFTER_LABEL}"
    rf"(?P<no>none|not (?:detected|present|found)|absent){END}"
    rf"|(?:{_NAME}|{_LABEL}){_AFTER_LABEL}(?P<no>(?:not|non)[ _-]hallucinated){END}"
)
HEADING = lazy_regex(
    rf"{NOT_LETTERS}{_ITEM}{_LEADS}(?:\W*+(?P<named>{_NAME})|(?<=(?:{one_word_of(_LABELS)})\W{{0,8}}))"
    rf"{NOT_LETTERS}(?:\(\s*+\){NOT_LETTERS})?"
)
_FOLLOWS = lazy_regex(rf"{_THEREFORE}(?!{LETTER})")
_NAMES_FAULT = lazy_regex(rf"\s++(?:{_FAULT})(?!{LETTER})")


def follows(lead: str) -> bool:
    """Whether what stands before a verdict draws it from what was said: `therefore`."""
    return _FOLLOWS.search(lead) is not None


def names_fault(rest: str) -> bool:
    """Whether what follows a no makes it one of `no error`, `no hallucination`."""
    return _NAMES_FAULT.match(rest) is not None
