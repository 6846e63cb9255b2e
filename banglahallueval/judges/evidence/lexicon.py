"""Word lists: stop words, negations, antonyms, months, and the relations that words name."""

from __future__ import annotations

from unicodedata import normalize

from banglahallueval.text.phonetic import fold


class WordSet:
    """A set of words, matched by phonetic key; short words are matched by spelling only.

    Attributes:
        spellings: The words as listed, in NFC and lower case.
        keys: Their phonetic keys of at least three letters.
    """

    def __init__(self, words: str) -> None:
        """Build the set from words separated by white space."""
        self.spellings = frozenset(normalize("NFC", words).lower().split())
        keys = (fold(word).key for word in self.spellings)
        self.keys = frozenset(key for key in keys if len(key) >= 3)

    def __contains__(self, word: str) -> bool:
        """Return whether the word, in any spelling with the same key, is in the set."""
        return word in self.spellings or fold(word).key in self.keys

    def __or__(self, other: WordSet) -> WordSet:
        """Return the union of both sets."""
        return WordSet(" ".join(self.spellings | other.spellings))


# Question words, by the kind of answer they ask for.
WHEN = WordSet("kobe kokhon")
HOW_MANY = WordSet(
    "koto koyti koyta koyjon koybar kotojon kotobar kotogulo kotoguli kototi kota কত"
)
WHO = WordSet("ke kara kar kader kake")
WHERE = WordSet("kothay kothakar kothai")
QUESTION_WORDS = (
    WHEN
    | HOW_MANY
    | WHO
    | WHERE
    | WordSet(
        "ki kon konti konta kongulo koy kemon keno kibhabe kivabe what when where who which how"
    )
)

# Words that state no fact in an answer: pronouns, postpositions, conjunctions, hedges, auxiliaries
# and the set phrases of answers.
STOPWORDS = QUESTION_WORDS | WordSet(
    """
    mot shorbomot মোট সর্বমোট total o ar aar ebong ba othoba kintu tobe jodi jodio tai karon
    jehetu sehetu jate jeno je ja jini jader jar jake jekhane jokhon tokhon ekhon ekhono ei oi
    se shei sei tini tara tar tader take eta eti egulo ta ekti ekta ek ekjon ekhane sekhane
    okhane amra ami amar apni tumi nije nijer i e er te r ti ke der to tir bhabe vabe moto
    mote dhoroner jonno jonyo dara diye niye theke hote thekei porjonto moddhe modhye madhyome
    maddhome sathe shathe songe shonge upor por pore porer age ager somoy shomoy shomoye dike
    diker kache pashe hisebe hishabe hisabe onujayi sheshe shuru shurute dhore ektu besh khub
    onek aro aaro pray prai praye proy motamoti motamuti kachakachi
    anumanik shombhoboto sombhobot sambhaboto hoyto muloto mooloto mainly asole ashole asol
    sadharonoto shadharonoto naki mone dhora bola mane orthat jemon haan han hya ji shothik
    sothik bhul tothyo uttor prosno chilo chhilo silo chilen chhilen chhilam ache achhe achen
    thake thaken thakto thakte holo hoilo hoy hoye hoyeche hoyechhe hoyechilo hoyechhilo
    hoyeছিলো hon holen hochche hocche hochhe hocchen hochhen hobe hoben howa hoar hoyar hoise
    hole bole bolen bolte bolei bolechilen kore koren kora korar korte korto korten korechen
    korechhen korechilen korechhilen korechilo korechhilo korche korchen koreche koriye koray
    korano jay jai jan jaan giye gechen geche gechhe gechilen ase ashe asen ashen asa ashar
    eshe eshechilen dey den dewa deya diyechen diyechilen nen ney neya newa niyechen
    niyechilen pay pan pawa paoa peyechen peyechilen peyechhilo peyechhilen nam naam name
    namer namok namti namta porichito porichiti bishesh bisesh sal sale saler shal shale
    shaler shalei khristabde khrishtabde khristabder christabde isayi tarikh tarikhe mase
    masher maser mash mas din diner bochor bochorer is was are were the a an of in on at by
    and or it this that which about around for from with as ও আর এবং বা কিন্তু তবে যে যা যার এ
    এই সে সেই তিনি তারা তার তাঁর এটি এটা এক একটি একটা একজন এর কে হয় হয়ে হয়েছে হন হলেন হলো
    হল ছিল জন জনের নাম নামে সাল সালে সালের মাস মাসে দিন থেকে করে করা করেন মতে প্রায় মনে বলে
    পর পরে আগে জন্য দ্বারা যায় পায় দেয় কি কী কোন
    """
)
# The same for summaries, which paraphrase.
SUMMARY_STOPWORDS = STOPWORDS | WordSet(
    """
    এর তার তাকে আমার আমি সে তিনি করছে করছেন করছি হচ্ছে হয় হয়নি হয়েছে হয়েছিল যাচ্ছে যায় গেছে গেল
    কি কী করণীয় করনীয় করবো করব করা উচিত জানতে চাই চান চায় চেয়েছেন চাচ্ছেন চাওয়া জানাবেন জানান
    পরামর্শ দরকার প্রয়োজন সমাধান উপায় হলো আছে নেই ছিল ছিলো থাকে থাকা থাকলে থাকলেও হলে হলেও হবে
    ও এবং আর বা কিন্তু তবে তাই বরং যা যে এটা এটি এখন এখনও এখনো আবার পরে পরেও পর পরও আগে জন্য জন্যে
    ধরে যাবত যাবৎ থেকে সাথে সঙ্গে মতো মত মধ্যে কারণে বয়স বছর বয়সী বয়সি রোগী রোগীর মহিলা পুরুষ
    সমস্যা লাগে লাগছে মনে কিছু কিছুটা কোনো কোন খুব বেশ প্রায় স্যার ধন্যবাদ দয়া প্লিজ
    পারি পারে পারেন পারবে পারবো পারবেন যাবে যেতে আসে এসেছে আসছে দিলে দিয়ে দেয় দেওয়া নিতে নেওয়া
    করে করি করেছি করেছে করেছেন করলে করলেও করার করতে হতে হয়ে হওয়া হওয়ার তখন যখন যদি
    """
)
# Words that mark an answer as a guess, an argument or an approximation. They are stop words too;
# they count against an answer whose context takes no such stance.
STANCES = {
    "guesses": WordSet(
        """mone dhora shombhoboto sombhobot sambhaboto hoyto naki onuman dharona likely probably
        perhaps maybe সম্ভবত হয়তো ধরা মনে অনুমান ধারণা"""
    ),
    "argues": WordSet("karon jehetu sehetu tai because since কারণ যেহেতু সেহেতু তাই"),
    "approximates": WordSet(
        """pray prai praye proy motamuti motamoti muloto mooloto mainly shadharonoto sadharonoto
        kachakachi anumanik about around প্রায় মোটামুটি মূলত সাধারণত কাছাকাছি আনুমানিক"""
    ),
}
NEGATIONS = WordSet("na nai nei noy ni non not no none নাই নেই না নয় নি নহে")
CONJUNCTIONS = WordSet("ebong o ba othoba and or ও এবং বা অথবা আর")
# Suffixes that may be written apart, after digits or a hyphen.
SUFFIXES = WordSet(
    """er r te e ke ti ta to tir tar tike take tei i o y th st nd rd sh she om tom m
    ত র এর ের টি টা টির টার তে কে এ ই ও য় ম তম শে লা রা"""
)
NAME_WORDS = WordSet("nam naam namti namta name নাম নামটি নামে")
MONTHS = WordSet(
    """january february march april may june july august september october november december
    boishakh joishtho asharh srabon bhadro ashwin kartik ogrohayon poush magh falgun phalgun choitro
    জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর
    বৈশাখ জ্যৈষ্ঠ আষাঢ় শ্রাবণ ভাদ্র আশ্বিন কার্তিক অগ্রহায়ণ পৌষ মাঘ ফাল্গুন চৈত্র"""
)

_ANTONYMS = """
    কমে বাড়ে|কমছে বাড়ছে|কমেছে বেড়েছে|কমানোর বাড়ানোর|কম বেশি|অল্প বেশি|কমাতে বাড়াতে|হ্রাস বৃদ্ধি
    পজিটিভ নেগেটিভ|শক্ত নরম|শক্ত পাতলা|ঘন পাতলা|গরম ঠান্ডা|গরম শীত|ভালো খারাপ|স্বাভাবিক অস্বাভাবিক
    নিয়মিত অনিয়মিত|শুকনো ভেজা|ডান বাম|ডান বা|উপরে নিচে|উপরের নিচের|সকালে রাতে|সকাল রাত|দিনে রাতে
    ছেলে মেয়ে|ছেলের মেয়ের|স্বামী স্ত্রী|বাবা মা|হালকা তীব্র|সামান্য তীব্র|হালকা প্রচণ্ড|দ্রুত ধীরে
    বন্ধ চালু|বন্ধ শুরু|লম্বা খাটো|মোটা চিকন|মোটা রোগা|সাদা কালো|বড় ছোট|আগে পরে|ভিতরে বাইরে|হাই লো
    বাড়িতে বাইরে|উচ্চ নিম্ন|সহজে কষ্টে|শান্ত রাগী|মাঝেমাঝে সবসময়|মাঝে সবসময়|একটি দুটি|সুস্থ অসুস্থ
    বিবাহিত অবিবাহিত|পুরুষ মহিলা|বৃদ্ধি কম|নর্মাল সিজার|দুর্বল শক্তিশালী|উপকার ক্ষতি|উপকার অপকার
"""

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


def _antonyms() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for pair in _ANTONYMS.replace("\n", "|").split("|"):
        if not pair.strip():
            continue
        one, other = (fold(word).key for word in pair.split())
        table.setdefault(one, set()).add(other)
        table.setdefault(other, set()).add(one)
    return {key: frozenset(others) for key, others in table.items()}


# Phonetic key -> keys of its antonyms.
ANTONYMS = _antonyms()
