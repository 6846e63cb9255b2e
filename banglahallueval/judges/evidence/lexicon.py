"""Word lists: stop words, negations, antonyms, months, and the relations that words name."""

from __future__ import annotations

from unicodedata import normalize

from banglahallueval.judges.evidence.function_words import FUNCTION_WORDS
from banglahallueval.judges.evidence.word_files import read_words
from banglahallueval.text.phonetic import fold, sound


class WordSet:
    """A set of words: matched by spelling, and romanised ones by sound too.

    Attributes:
        spellings: The words as listed, in NFC and lower case.
        sounds: The romanised ones of at least three letters, as `phonetic.sound` folds them.
    """

    def __init__(self, words: str) -> None:
        """Build the set from words separated by white space."""
        self.spellings = frozenset(normalize("NFC", words).lower().split())
        romanised = (word for word in self.spellings if word.isascii() and len(word) >= 3)
        self.sounds = frozenset(map(sound, romanised))

    def __contains__(self, word: str) -> bool:
        """Return whether the word, in NFC and lower case, is in the set."""
        return word in self.spellings or (word.isascii() and sound(word) in self.sounds)

    def __or__(self, other: WordSet) -> WordSet:
        """Return the union of both sets."""
        return WordSet(" ".join(self.spellings | other.spellings))


# Question words, by the kind of answer they ask for.
WHEN = WordSet("kobe kokhon কবে কখন")
HOW_MANY = WordSet(
    """koto koyti koyta koyjon koybar kotojon kotobar kotogulo kotoguli kototi kota কত কতটি কতটা কতজন
    কতবার কতগুলো কতগুলি কয়টি কয়টা কয়জন কয়বার"""
)
WHO = WordSet("ke kara kar kader kake কে কারা কার কাদের কাকে")
WHERE = WordSet("kothay kothakar kothai কোথায় কোথাকার")
QUESTION_WORDS = (
    WHEN
    | HOW_MANY
    | WHO
    | WHERE
    | WordSet(
        """ki kon konti konta kongulo koy kemon keno kibhabe kivabe what when where who which how
        কী কি কোন কোনটি কোনটা কোনগুলো কয় কেমন কেন কীভাবে কিভাবে"""
    )
)

# Words that state no fact by themselves. Besides function words: units of dates, and "name".
STOPWORDS = QUESTION_WORDS | WordSet(
    FUNCTION_WORDS
    + """
    nam naam namer namok namti namta name porichito porichiti sal sale saler shal shale
    shaler shalei khristabde khrishtabde khristabder christabde isayi tarikh tarikhe
    mase masher maser mash mas din diner bochor bochorer boshorer নাম নামে নামক নামের
    নামটি নামটা পরিচিত সাল সালে সালের সালেই খ্রিস্টাব্দ খ্রিষ্টাব্দ খ্রিস্টাব্দে
    খ্রিষ্টাব্দে খ্রিস্টাব্দের তারিখ তারিখে তারিখের মাস মাসে মাসের দিন দিনে দিনের
    """
)
# Words that speak of the answer, its source or its writer's knowledge rather than of the subject:
# saying, reading, asking, knowing, guessing, politeness and the joints of a text.
FRAMES = WordSet(read_words("frames.txt"))
FRAME_ENDINGS = frozenset(
    normalize(
        "NFC",
        "টির টার টিতে টাতে টি টা গুলোর গুলো দের ের র ে তে য় ই ও -er -e er e ta ti tar tir te ei",
    ).split()
)
PARTS = {
    **dict.fromkeys(normalize("NFC", "সাড়ে sare share saare sharhe sarhe").split(), 0.5),
    **dict.fromkeys(
        ("সোয়া", normalize("NFC", "সোয়া"), "soa", "sowa", "soya", "shoa", "showa", "shoya"), 0.25
    ),
    **dict.fromkeys(("পৌনে", "poune", "pouney", "pone"), -0.25),
}
# What numbers count: says nothing without its number.
UNITS = WordSet(
    """
    বছর বছরে বছরের মাস মাসে মাসের সপ্তাহ সপ্তাহে সপ্তাহের দিন দিনে দিনের ঘণ্টা ঘন্টা
    ঘণ্টার ঘণ্টায় মিনিট মিনিটে মিনিটের সেকেন্ড সেকেন্ডে টাকা টাকার টাকায় পয়সা ডলার
    কেজি কেজির কিলো লিটার মিলি মিটার কিলোমিটার কিমি সেন্টিমিটার ফুট ইঞ্চি মাইল শতাংশ ভাগ
    ডিগ্রি জন জনের জনকে বার গুণ নম্বর খানা শতক একর বিঘা মণ bochor bochore bochorer
    boshor mas mash mashe masher shoptah soptaho shoptaho din diner dine ghonta ghontay
    ghontar minit minite minute minutes second seconds taka takar takay tk poysha dollar
    kg kilo litre liter ml meter metre km kilometer kilometre feet foot inch mile
    percent shotangsho degree jon joner bar gun nombor number year years month months
    week weeks day days hour hours ekor bigha mon
    """
)
POINTS = WordSet("দশমিক doshomik dosomik point")
MINUTES = WordSet("মিনিট মিনিটে minit minute minutes minite")
NEGATIONS = WordSet("নন na nai nei noy ni noy not no none নাই নেই না নয় নি নহে")
# Words in -ni that negate nothing.
NOT_NEGATED = frozenset(
    normalize(
        "NFC",
        "তিনি যিনি ইনি উনি চিনি কাহিনি বাহিনি যোনি মোহিনি রোহিণি সঙ্গিনি জননি পত্নি বিনি সেনি "
        "কোম্পানি শুনি জানি মানি tini jini ini uni apni chini cini kahini bahini juni honi dhoni sony "
        "vini tuni rini gini zini jononi mohini kamini",
    ).split()
)
CONJUNCTIONS = WordSet("ebong o ba othoba and or ও এবং বা অথবা আর")
# Suffixes that may be written apart, after digits or a hyphen.
SUFFIXES = WordSet(
    """er r te e ke ti ta to tir tar tike take tei i o y th st nd rd sh she om tom m
    ত র এর ের টি টা টির টার টায় টিতে টাতে টিকে টাকে tay তে কে এ ই ও য় ম তম শে লা রা"""
)
NAME_WORDS = WordSet("nam naam namti namta name নাম নামটি নামে")
_MONTHS = """
    জানুয়ারি january januyari|ফেব্রুয়ারি february februyari|মার্চ march|এপ্রিল april|মে may|জুন june jun|
    জুলাই july|আগস্ট august agost|সেপ্টেম্বর september sept|অক্টোবর october|নভেম্বর november|
    ডিসেম্বর december|বৈশাখ boishakh|জ্যৈষ্ঠ joishtho|আষাঢ় asharh|শ্রাবণ srabon|ভাদ্র bhadro|আশ্বিন ashwin|
    কার্তিক kartik|অগ্রহায়ণ ogrohayon|পৌষ poush|মাঘ magh|ফাল্গুন falgun phalgun|চৈত্র choitro
"""


# Without "jan" and "mar", which are words of romanised Bangla.
_ABBREVIATED_MONTHS = """
    জানু:1 ফেব:2 ফেব্রু:2 feb:2 এপ্রি:4 apr:4 jul:7 aug:8 সেপ্ট:9 sep:9 অক্টো:10 oct:10 নভে:11 nov:11
    ডিসে:12 dec:12
"""


def _months() -> dict[str, int]:
    """Number the months, the Bangla ones from 13 on: by spelling, and by phonetic key if long."""
    pairs = (pair.split(":") for pair in normalize("NFC", _ABBREVIATED_MONTHS).split())
    numbers = {name: int(number) for name, number in pairs}
    for number, names in enumerate(normalize("NFC", _MONTHS).split("|"), 1):
        for name in names.split():
            numbers[name] = number
            if len(key := fold(name).key) >= 3:
                numbers[key] = number
    return numbers


MONTHS = _months()
MONTH_NAMES = {names.split()[0]: number for number, names in enumerate(_MONTHS.split("|"), 1)}


# Words that name one relation; a question and its context seldom use the same word for it.
_RELATIONS = """
    father: baba pita babar pitar father janok abba বাবা পিতা জনক
    mother: ma mata mayer matar mother আম্মা মা মাতা জননী
    wife: stri potni strir wife sohodhormini bou স্ত্রী পত্নী সহধর্মিণী
    husband: swami shami husband পতি স্বামী
    marriage: biye bibaho bia married বিয়ে বিবাহ বিবাহিত
    birth: jonmo jonmogrohon jonmogrohonkari born janma bhumishtho জন্ম জন্মগ্রহণ
    death: mrittu mrityu mara morey nihoto proyan proyato porolokgomon mrityuboron mrityubaron
      died মৃত্যু মারা নিহত প্রয়াণ
    founding: protishtha protishthito protishthata sthapito sthapon gothito gothon founder
      founded prothishtha protistha protisthata prokash প্রতিষ্ঠা প্রতিষ্ঠাতা প্রতিষ্ঠিত
      স্থাপিত স্থাপন গঠিত গঠন
    capital: rajdhani capital রাজধানী
    area: ayoton aytan area আয়তন
    making: nirmito nirman toiri nirmata banano নির্মিত নির্মাণ তৈরি নির্মাতা তৈরী
    writing: rochito rochona rochoyita likhechen lekha likhito lekhok রচিত রচনা রচয়িতা লেখা
      লিখিত লেখক লেখেন
    directing: porichalok porichalito porichalona director পরিচালক পরিচালিত পরিচালনা
    inventing: abishkar uddhabon abishkarok আবিষ্কার উদ্ভাবন আবিষ্কারক উদ্ভাবক
    first: prothom shorboprothom sorboprothom first prothomoto প্রথম সর্বপ্রথম ১ম
    last: shesh sorbosesh shorboshesh ontim last antim শেষ সর্বশেষ অন্তিম
    most: sobcheye shobcheye brihottom sorbocho shorbocho সবচেয়ে বৃহত্তম সর্বোচ্চ
    ancient: prachin prachintom purano puraton প্রাচীন প্রাচীনতম পুরানো
    film: cholochitro cholocchitro chobi film cinema movie চলচ্চিত্র ছবি ছায়াছবি সিনেমা
    book: boi grontho pustok book বই গ্রন্থ পুস্তক
    location: obosthito obosthan abosthito অবস্থিত অবস্থান
    population: jonosongkha jonoshonkha lokshongkha population জনসংখ্যা লোকসংখ্যা
    start: shuru suru arombho sutropat surur start শুরু আরম্ভ সূত্রপাত সূচনা
    release: mukti prokashito prokash mukto release প্রকাশিত প্রকাশ মুক্তি
    language: bhasha vasha language ভাষা
    meaning: ortho mane orthat meaning অর্থ মানে
    dynasty: bongsho rajbongsho bongso বংশ রাজবংশ
    ruler: somrat raja shashok nripoti king সম্রাট রাজা শাসক নৃপতি
    length: dairgho doirgho lombay length দৈর্ঘ্য
"""


def _relation_tags() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    tag = ""
    for word in _RELATIONS.split():
        if word.endswith(":"):
            tag = "#" + word[:-1]
        else:
            key = fold(word).key
            table[key] = (*table.get(key, ()), tag)
    return table


# Phonetic key -> tags of the relations it names, such as #father.
RELATION_TAGS = _relation_tags()
# An answer stands in at most one relation of each set.
EXCLUSIVE_RELATIONS = (
    frozenset({"#father", "#mother", "#wife", "#husband"}),
    frozenset({"#birth", "#death", "#marriage", "#founding"}),
    frozenset({"#first", "#last"}),
)
