"""Bangla becomes Latin letters as people type them, with English words as English spells them."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.text.phonetic import fold
from banglahallueval.text.romanising.dictionary import pronounce
from banglahallueval.text.romanising.endings import ENDINGS
from banglahallueval.text.romanising.loans import english_words, loans
from banglahallueval.text.romanising.variants import vary_spelling
from banglahallueval.text.romanising.words import (
    romanise,
    romanise_sentences,
    sentence_case,
    word_by_letters,
    word_in_latin,
)
from tests.scripting import ROOT

WORDS = [
    (unicodedata.normalize("NFC", word), spellings.split())
    for line in (ROOT / "tests/text/romanised_words.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for word, _, spellings in [line.partition("\t")]
]


def share_right(way: Callable[[str], str | None]) -> float:
    right = sum((way(word) or "").lower() in spellings for word, spellings in WORDS)
    return right / len(WORDS)


def test_common_words_are_spelled_as_people_do() -> None:
    """Dictionary and letters together are better than each alone, and nearly always right."""
    assert len(WORDS) >= 150
    assert share_right(word_in_latin) >= 0.99
    assert share_right(pronounce) >= 0.9
    assert share_right(word_by_letters) >= 0.85


@pytest.mark.parametrize(
    ("word", "latin"),
    [
        ("ঢাকা", "Dhaka"),
        ("শহরের", "shohorer"),
        ("রাজধানী", "rajdhani"),
        ("বিশ্ববিদ্যালয়", "bishwobiddaloy"),
        ("মুক্তিযুদ্ধ", "muktijuddho"),
        ("জ্ঞান", "gyan"),
        ("ক্ষমতা", "khomota"),
        ("লক্ষ্য", "lokkho"),
        ("চাঁদপুর", "Chandpur"),
        ("বাংলা", "bangla"),
        ("মিলিত", "milito"),
        ("যাওয়া", "jaowa"),
        ("বড় মাঠ", "boro math"),
        ("২৫ জুন।", "25 June."),
        ("দ্বিতীয়", "ditiyo"),
        ("ছিল", "chilo"),
        ("সভাপতি", "sobhapoti"),
        ("করল", "korlo"),
        ("উপজেলা", "upojela"),
        ("অবদান", "obodan"),
        ("স্বাধীনতা", "shadhinota"),
        ("অ্যামিবা", "amiba"),
        ("প্রয়োজন", "proyojon"),
        ("মৌজা", "mouja"),
        ("সংখ্যাটি সংখ্যা", "songkhati songkha"),
        ("গ্ৰামের", "gramer"),  # an Assamese ৰ
        ("ইয়াং", "yang"),
    ],
)
def test_words_are_romanised_as_people_type_them(word: str, latin: str) -> None:
    """Readable Bangla in Latin letters, without diacritics, one spelling for a stem."""
    assert romanise(word) == latin


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("ফুটবল ক্লাবের কম্পিউটারে", "football club-er computer-e"),
        ("ইউনিভার্সিটির কোম্পানিকে", "university-r company-ke"),
        ("ডিসেম্বর মাসে", "December mase"),
        ("অ্যালবামটি", "album-ti"),
        ("বাংলাদেশের ঢাকায়", "Bangladesher Dhakay"),
        ("লন্ডনের", "London-er"),
        ("বিএনপির এসএসসি পিএইচডি", "BNP-r SSC PhD"),
        ("৫ কি.মি. পথ", "5 km poth"),
        ("১ম ২য় ৩য় ৪র্থ ১১তম ২২তম", "1st 2nd 3rd 4th 11th 22nd"),
        ("যশোরের ‘অগ্নিবীণা’য়", "Jashorer ‘ognibina’y"),
        ("১লা ১৫ই", "1la 15i"),
    ],
)
def test_english_is_written_as_english(text: str, latin: str) -> None:
    """Loans are spelled as in English, with a hyphen before an ending; native names have none."""
    assert romanise(text) == latin


def test_words_that_look_like_loans_are_none() -> None:
    """টিকে is no acronym of T and K, এটিই none of A, T and E; মেয়ের does not begin with May."""
    assert romanise("টিকে থাকে বলে এটিই মেয়ের") == "tike thake bole etii meyer"


def test_the_list_of_loans_is_sound() -> None:
    """Several hundred words, each Bangla spelling once, no English spelling in Bangla letters."""
    assert len(loans()) > 500
    assert all(loan.english.isascii() and loan.kind for loan in loans().values())
    assert {"football", "university", "computer", "december"} <= english_words()
    assert "dhaka" not in english_words()
    assert not english_words() & set(ENDINGS.values())


@given(st.text(alphabet=st.characters(min_codepoint=0x980, max_codepoint=0x9FF), max_size=40))
def test_nothing_bengali_is_ever_left(text: str) -> None:
    """Any run of Bengali code points, well-formed or not, comes out in ASCII."""
    assert romanise(text).isascii()
    assert romanise_sentences(text).isascii()


def test_other_scripts_become_latin_too() -> None:
    """A name in a third script does not stay in it; Latin letters keep their marks."""
    assert romanise("দিল্লি (दिल्ली)").isascii()
    assert romanise("t̪aː é") == "t̪a: é"


def test_most_words_fold_to_the_key_of_their_bangla() -> None:
    """The way back by phonetic key is open but for letters that keys and ears take differently."""
    made = [(word, word_in_latin(word)) for word, _ in WORDS]
    native = [(word, latin) for word, latin in made if latin.islower() and "-" not in latin]
    back = [word for word, latin in native if fold(word).key == fold(latin).key]
    assert len(back) / len(native) > 0.85


@pytest.mark.parametrize(
    ("text", "cased"),
    [
        ("ami. tumi? se 2.5", "Ami. Tumi? Se 2.5"),
        ("(se) “ami. [2] tumi", "(Se) “ami. [2] Tumi"),
        ("dekho www.ami.com", "Dekho www.ami.com"),
        ("ami 5 km. dure", "Ami 5 km. dure"),
        ("tini B.A. pash", "Tini B.A. pash"),
        ("Md. rohim", "Md. Rohim"),
    ],
)
def test_sentences_begin_with_capitals(text: str, cased: str) -> None:
    """After a full stop and at the start, but not after an abbreviation inside a sentence."""
    assert sentence_case(text) == cased


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("তিনি এম.এ. পাশ করেন।তারা", "Tini M.A. pash koren.Tara"),
        ("মো. রহিম ও ড. করিম এলেন।[১৪] তারা", "Md. Rohim o Dr. Korim elen.[14] Tara"),
        ("এ. কে. ফজলুল হক", "A. K. Fojlul hok"),
        ("মোঃ রহিম", "Md. Rohim"),
        ("৩০০ খ্রি. আগে", "300 khri. age"),
        ("৫ মি. দূরে মি. রহিম", "5 mi. dure Mr. Rohim"),
    ],
)
def test_abbreviations_do_not_end_sentences(text: str, latin: str) -> None:
    """A danda always does, even before a footnote; titles and initials stand before names."""
    assert romanise_sentences(text) == latin


def test_spelling_varies_by_seed_and_spares_names() -> None:
    """The same seed writes the same; names, numbers and English stay; a share of 0 changes none."""
    text = "bhalo manush chilo Shahbag 25 jon football-e, tobu bhalo manush chilo"
    varied = vary_spelling(text, 0.6, "1")
    assert varied == vary_spelling(text, 0.6, "1")
    assert {vary_spelling(text, 0.6, str(seed)) for seed in range(9)} != {text}
    assert "Shahbag 25" in varied
    assert all("football-e" in vary_spelling(text, 1.0, str(seed)) for seed in range(9))
    assert vary_spelling(text, 0.0, "1") == text
    words = vary_spelling(text, 1.0, "1").split()
    assert words[0] == words[-3]


def test_who_does_not_romanise_does_not_pay() -> None:
    """Importing the generation scripts reads neither the dictionary nor the loans."""
    code = (
        "import sys, banglahallueval.generation.commands;"
        "from banglahallueval.text.romanising.loans import loans;"
        "print('bengali_romanizer' in sys.modules, loans.cache_info().currsize)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "0"]
