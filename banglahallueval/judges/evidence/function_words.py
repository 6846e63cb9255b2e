"""Function words and light verbs: words that state no fact by themselves, in all their forms."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import normalize

from banglahallueval.judges.evidence.word_files import read_words

# Root and perfect stem of verbs that end in a consonant, and their endings.
_CONSONANT_VERBS = (
    "কর করে|থাক থেকে|রাখ রেখে|দেখ দেখে|বল বলে|চল চলে|পার পেরে|লাগ লেগে|ফেল ফেলে|"
    "উঠ উঠে|ওঠ উঠে|পড় পড়ে|জান জেনে|বুঝ বুঝে|বোঝ বুঝে|শুন শুনে|শোন শুনে|আন এনে|"
    "ধর ধরে|মান মেনে|আস এসে|ভাব ভেবে|বস বসে|জানা জানিয়ে|দেখা দেখিয়ে|করা করিয়ে"
)
_ROOT_ENDINGS = (
    "|ি|ো|ে|েন|ুন|ছি|ছ|ছে|ছেন|ছিল|ছিলেন|ছিলাম|লাম|লে|লো|"
    "ল|লেন|তাম|ত|তো|তেন|বো|ব|বে|বেন|তে|া|ার|ায়|াই|লেও|তেই"
)
_PERFECT_ENDINGS = "|ছি|ছ|ছে|ছেন|ছিল|ছিলেন|ছিলাম|নি|ই|ও"
# The same of verbs that end in a vowel: bare stem, stem of the past, perfect stem.
_VOWEL_VERBS = "পা পে পেয়ে|চা চে চেয়ে|চা চাই চেয়ে|খা খে খেয়ে|যা যে গিয়ে|দে দি দিয়ে|নে নি নিয়ে|হ হ হয়ে"
_BARE_ENDINGS = "ই|ও|য়|ন|চ্ছি|চ্ছ|চ্ছে|চ্ছেন|চ্ছিল|চ্ছিলেন|বো|ব|বে|বেন|ওয়া|ওয়ার|ওয়ায়|য়া|য়নি|ননি|ইনি"
_PAST_ENDINGS = "ই|চ্ছি|চ্ছে|চ্ছেন|চ্ছিল|চ্ছিলেন|লাম|লে|লো|ল|লেন|তাম|ত|তো|তেন|তে|লেও|ন"


def _forms() -> Iterator[str]:
    """Yield every form of the verbs by their endings."""
    for verb in _CONSONANT_VERBS.split("|"):
        root, perfect = verb.split()
        yield from (root + ending for ending in _ROOT_ENDINGS.split("|"))
        yield from (perfect + ending for ending in _PERFECT_ENDINGS.split("|"))
    for verb in _VOWEL_VERBS.split("|"):
        bare, past, perfect = verb.split()
        yield from (bare + ending for ending in _BARE_ENDINGS.split("|"))
        yield from (past + ending for ending in _PAST_ENDINGS.split("|"))
        yield from (perfect + ending for ending in _PERFECT_ENDINGS.split("|"))


# The file has the closed classes (pronouns, determiners, postpositions, conjunctions, particles),
# adverbs of degree and time, and irregular or romanised forms of light verbs.
FUNCTION_WORDS = " ".join((read_words("function_words.txt"), normalize("NFC", " ".join(_forms()))))
