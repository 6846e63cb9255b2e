"""What it is to abstain: a text that says nothing but that its writer does not know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, Literal, cast

from banglahallueval.text import not_knowing_bangla, not_knowing_english, phonetic
from banglahallueval.text.answer_frames import readable, without_frame
from banglahallueval.text.bangla import has_bengali
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.word_grammar import Grammar
from banglahallueval.text.yes_no import fold

# What a clause does. `beside`: an apology, a request for more; it says nothing by itself.
Act = Literal["abstains", "refuses", "beside", "answers"]

_ACTS: Final = ("abstains", "beside", "refuses")  # those that have rules
_LONGEST: Final = 400  # code points of a clause that may abstain; with it, time is linear
_CONTRACTED: Final = (
    (r"(do|does|did|is|are|was|were|could|would|should|have|has|had)n't", r"\1 not"),
    (r"(do|does|did|is|are|was|were|could|would|should|have)nt", r"\1 not"),
    ("ca(?:n't|nt|nnot)", "can not"),
    ("wo(?:n't|nt)", "will not"),
    ("i'?m", "i am"),
    ("(i|we|you|they)'ve", r"\1 have"),
    ("(i|we|you|they|it|that|this)'d", r"\1 would"),
    ("(i|we|you|they|it|that|this)'ll", r"\1 will"),
    ("(we|you|they)'re", r"\1 are"),
    ("(it|that|there|what|who|answer|here)'s", r"\1 is"),
    ("n/a", "n a"),
    (r"i[. ]{1,4}d[. ]{1,4}k", "idk"),
)
_CONTRACTIONS: Final = tuple(
    (lazy_regex(rf"(?<!\p{{L}})(?:{pattern})(?!\p{{L}})"), full) for pattern, full in _CONTRACTED
)
# One look tells that there is none of them, as in most texts.
_CONTRACTION = lazy_regex(
    r"(?<!\p{L})(?:" + "|".join(pattern for pattern, _ in _CONTRACTED) + r")(?!\p{L})"
)
_APOSTROPHE = lazy_regex(r"(?<=\p{L})[`´](?=\p{L})")
_WITHIN_WORDS = lazy_regex(r"(?<=\p{L})'(?=\p{L})|(?<=\p{N})[.,](?=\p{N})")
# Emphasis and quotation marks part nothing, and neither does a hyphen within a word.
_MARKS = lazy_regex(r"[\"'*_`~«»‹›]|(?<=[\p{L}\p{M}])-(?=\p{L})")
# A visarga at a word's end is often typed for a colon.
_BREAK = lazy_regex(r"ঃ(?!\p{L})|[^\p{L}\p{M}\p{N}\s]++|\n++")
_WORD = lazy_regex(r"[\p{L}\p{M}\p{N}]++")
_SHORT: Final = 2  # letters of a word's phonetic key
# `Janina` and `Johnny Na` are people, `I Don't Know What You Want` is a song.
_NAME = lazy_regex(r"\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?")
_TITLE = lazy_regex(
    r"\p{Lu}[\p{Ll}'’]++ (?:Who|Whom|Whose|What|When|Where|Which|Why|How|If|Whether)(?!\p{L})"
)
# Single words in Latin letters are compared as they are spelt: `Ajna` sounds like অজানা.
_ROMANISED_WORDS: Final = frozenset(
    ("janina", "janinaa", "jaanina", "janinah", "janine", "ojana", "ajana")
)


def abstains(text: str) -> bool:
    """Whether a text as a whole says that its writer does not know, and claims nothing.

    So do `IDK`, `I'm not sure.`, `The passage does not say who won.`, `আমি জানি না।` and `jani na`,
    in any case, spelling, emphasis and frame (`Answer: IDK`), with an apology or a reason. A hedge
    beside an answer is an answer: `Not sure, maybe 1971`. So is a statement about the world, as
    `The author is unknown`, unless it is bare (`Unknown`) or about a text. An empty text is none.
    """
    acts = _acts(text)
    return "abstains" in acts and not _is_proper(text) and acts <= {"abstains", "beside"}


def refuses(text: str) -> bool:
    """Whether a text as a whole turns a request down, as `Sorry, I can't help with that` does."""
    acts = _acts(text)
    return "refuses" in acts and "answers" not in acts


def _acts(text: str) -> set[Act]:
    """Tell what the clauses of a text do; no more is read after one that answers."""
    text = readable(text)
    acts: set[Act] = set()
    for words in _clauses(text):
        acts.add(_act(tuple(words)))
        if "answers" in acts:
            break
    return acts


def _is_proper(text: str) -> bool:
    """Whether a text is a name that only sounds like an abstention, or a title, by its capitals."""
    text = without_frame(text)
    if _NAME.fullmatch(text) and not _grammars()[0].matches("abstains", fold(text).split()):
        return True
    return _TITLE.search(text) is not None


def _clauses(text: str) -> Iterator[Sequence[str]]:
    """Split a text at its marks into clauses, each a list of folded words."""
    for piece in _BREAK.split(_plain(fold(text))):
        if words := _WORD.findall(piece):
            yield words


def _plain(folded: str) -> str:
    """Write contractions out and drop the marks that part no clauses."""
    folded = _APOSTROPHE.sub("'", folded)
    if _CONTRACTION.search(folded):
        for pattern, full in _CONTRACTIONS:
            folded = pattern.sub(full, folded)
    folded = _WITHIN_WORDS.sub("", folded).replace("%", " percent ")
    return _MARKS.sub(" ", folded)


@cache
def _grammars() -> tuple[Grammar, Grammar, Grammar]:
    """Read the rules on first use: English, Bangla, and Bangla by its sound."""
    return (
        Grammar(not_knowing_english.RULES, str),
        Grammar(not_knowing_bangla.RULES, fold),
        Grammar(not_knowing_bangla.RULES, _sound),
    )


@lru_cache(maxsize=4096)
def _act(words: tuple[str, ...]) -> Act:
    if sum(map(len, words)) > _LONGEST:
        return "answers"
    english, bangla, by_sound = _grammars()
    if has_bengali("".join(words)):
        return _act_in(bangla, words)
    act = _act_in(english, words)
    if act != "answers":
        return act
    sounds = [_sound(word) for word in words]
    if len(words) > 1:
        return _act_in(by_sound, sounds)
    if words[0] in _ROMANISED_WORDS:
        return "abstains"
    # `uttor:` is a frame; shorter words sound like too many others.
    is_frame = len(sounds[0]) > _SHORT and by_sound.matches("beside", sounds)
    return "beside" if is_frame else "answers"


def _act_in(grammar: Grammar, words: Sequence[str]) -> Act:
    act = grammar.first_match(_ACTS, words)
    return cast(Act, act) if act else "answers"


@lru_cache(maxsize=20_000)
def _sound(word: str) -> str:
    """Fold a word by its sound; `onucchede` is `onuchhede`, and `nah` is `na`."""
    word = word.replace("cch", "ch")
    return phonetic.fold(word[:-1] if word.endswith("ah") else word).key
