"""The benchmark's own questions, and passages of the same topic that do not answer them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.abstention.bangla import BanglaTask, read_bangla
from banglahallueval.abstention.passages import Passages, may_answer
from banglahallueval.abstention.types import Question
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table, writing
from banglahallueval.tasks import TASKS, Item
from tests.scripting import ROOT

HEADER = ("id", "context", "question", "correct_answer")
PADMA = "পদ্মা নদীর ওপর নির্মিত পদ্মা সেতু ২০২২ সালে উদ্বোধন করা হয়। সেতুটির দৈর্ঘ্য ৬.১৫ কিলোমিটার।"
JAMUNA = "যমুনা নদীর ওপর নির্মিত বঙ্গবন্ধু সেতু টাঙ্গাইল ও সিরাজগঞ্জ জেলাকে যুক্ত করেছে।"
HARDINGE = "পদ্মা নদীর ওপর নির্মিত হার্ডিঞ্জ সেতু একটি রেল সেতু। সেতুটি পাকশীতে অবস্থিত।"
CRICKET = "শচীন তেন্ডুলকর ভারতের একজন ক্রিকেট খেলোয়াড়। তিনি মুম্বই শহরে জন্মগ্রহণ করেন।"
ROWS = [
    ["a", PADMA, "পদ্মা সেতু কত সালে উদ্বোধন করা হয় ?", "২০২২"],
    ["b", JAMUNA, "বঙ্গবন্ধু সেতু কোন নদীর ওপর নির্মিত ?", "যমুনা"],
    ["c", HARDINGE, "হার্ডিঞ্জ সেতু কোথায় অবস্থিত ?", "পাকশীতে"],
    ["a", CRICKET, "শচীন তেন্ডুলকর কোন শহরে জন্মগ্রহণ করেন ?", "মুম্বই"],
    ["", PADMA, "পদ্মা সেতুর দৈর্ঘ্য কত ?", "৬.১৫ কিলোমিটার"],
]


def write(folder: Path, rows: list[list[str]] | None = None) -> Path:
    path = folder / "in.csv"
    with writing(path, HEADER) as writer:
        for row in ROWS if rows is None else rows:
            writer.writerow(row)
    return path


def sample(task: BanglaTask) -> Path:
    return ROOT / TASKS["codemix" if task == "codemix" else "qa"].samples["main"]


def item(question: str, context: str, gold: str) -> Item:
    return Item("qa", question, context, gold)


def test_the_passage_is_shown_above_the_question(tmp_path: Path) -> None:
    first, *_ = read_bangla("qa", write(tmp_path)).questions
    assert first == Question(
        "a",
        f"অনুচ্ছেদ: {PADMA}\n\nপ্রশ্ন: পদ্মা সেতু কত সালে উদ্বোধন করা হয় ?",
        "২০২২",
        source=first.source,
    )


def test_closed_book_shows_the_question_alone(tmp_path: Path) -> None:
    read = read_bangla("qa-closed", write(tmp_path)).questions
    assert [each.text for each in read] == [row[2] for row in ROWS]
    assert [each.gold for each in read] == [row[3] for row in ROWS]


@pytest.mark.parametrize("task", ["qa", "qa-closed"])
def test_rows_of_one_passage_share_their_source(tmp_path: Path, task: BanglaTask) -> None:
    sources = [each.source for each in read_bangla(task, write(tmp_path)).questions]
    assert sources[0] == sources[4]
    assert len(set(sources)) == 4


def test_every_question_has_an_id_of_its_own(tmp_path: Path) -> None:
    """The published file repeats an id; a row without one is called by its number."""
    read = read_bangla("qa", write(tmp_path)).questions
    assert [each.id for each in read] == ["a", "b", "c", "a#2", "5"]


def test_code_mixed_questions_are_read_from_their_own_columns() -> None:
    columns = Table(sample("codemix")).columns
    cells = dict(zip(columns, next(iter(Table(sample("codemix")).rows())), strict=True))
    first, *_ = read_bangla("codemix", sample("codemix")).questions
    assert cells["codemix_context"] in first.text
    assert first.text.endswith(f"প্রশ্ন: {cells['codemix_question']}")
    assert first.gold == cells["codemix_answer"]


def test_rows_without_a_text_are_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, [*ROWS, ["d", " ", "কে ?", "আমি"], ["e", "কেউ।", "কে ?", ""]])
    assert len(read_bangla("qa", path).questions) == len(ROWS)
    assert "in.csv: 2 rows lack a text and are left out" in capsys.readouterr().out


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no rows with passage, question and answer"):
        read_bangla("qa", write(tmp_path, []))


def test_candidates_are_refused() -> None:
    """Their outputs are wrong answers."""
    candidates = ROOT / TASKS["qa"].samples["candidates"]
    with pytest.raises(UsageError, match="is the candidates track"):
        read_bangla("qa", candidates)


def test_closed_book_questions_are_not_made_unanswerable(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="take --task qa or codemix"):
        read_bangla("qa-closed", write(tmp_path), idk_frac=0.1)


@pytest.mark.parametrize("frac", [-0.5, 1.5])
def test_a_fraction_outside_0_to_1_is_refused(tmp_path: Path, frac: float) -> None:
    with pytest.raises(UsageError, match="a fraction lies in"):
        read_bangla("qa", write(tmp_path), idk_frac=frac)


def test_an_unanswerable_question_is_shown_with_another_passage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It groups with the rows of the passage that it is shown with; too few are reported."""
    rows = {row[2]: row for row in ROWS}
    answerable = {
        each.text.partition("প্রশ্ন: ")[2]: each
        for each in read_bangla("qa", write(tmp_path)).questions
    }
    read = read_bangla("qa", write(tmp_path), idk_frac=1).questions
    changed = [each for each in read if each.unknown_ok]
    assert 0 < len(changed) < len(read)
    assert f"of 5 questions to be made unanswerable, {len(changed)} could be" in (
        capsys.readouterr().out
    )
    of_passage = {rows[text][1]: each.source for text, each in answerable.items()}
    for each in changed:
        passage, _, question = each.text.removeprefix("অনুচ্ছেদ: ").partition("\n\nপ্রশ্ন: ")
        assert each.gold == ""
        assert each.id == answerable[question].id
        assert passage != rows[question][1]
        assert rows[question][3] not in passage
        assert each.source == of_passage[passage]
    shown = [each.source for each in changed]
    assert len(set(shown)) == len(shown)


@cache
def all_questions(task: BanglaTask) -> tuple[Question, ...]:
    return tuple(read_bangla(task, sample(task)).questions)


@pytest.mark.parametrize("task", ["qa", "codemix"])
@settings(max_examples=50)
@given(seed=st.integers(0, 50), limit=st.integers(1, 30), frac=st.floats(0, 1))
def test_what_holds_for_every_draw(task: BanglaTask, seed: int, limit: int, frac: float) -> None:
    """The seed decides, the order is the file's, and the others stay as they are."""
    everything = all_questions(task)
    try:
        mixed = read_bangla(task, sample(task), limit=limit, idk_frac=frac, seed=seed)
    except UsageError:  # the share comes to none, or the one drawn cannot be converted
        assert frac * limit < 2
        return
    assert mixed == read_bangla(task, sample(task), limit=limit, idk_frac=frac, seed=seed)
    drawn = mixed.questions
    assert len(drawn) == min(limit, len(everything))
    places = [[each.id for each in everything].index(each.id) for each in drawn]
    assert places == sorted(places)
    assert sum(each.unknown_ok for each in drawn) == mixed.made <= round(frac * len(drawn))
    assert 0 <= mixed.unlike <= mixed.made
    assert all(each == everything[at] for each, at in zip(drawn, places, strict=True) if each.gold)


@given(st.permutations([PADMA, JAMUNA, HARDINGE, CRICKET]))
def test_the_passage_found_does_not_depend_on_the_order(passages: list[str]) -> None:
    asked = item(ROWS[2][2], HARDINGE, "পাকশীতে")
    assert Passages(passages).unanswering(asked) == Passages(sorted(passages)).unanswering(asked)


def test_the_nearest_passage_is_found() -> None:
    asked = item(ROWS[2][2], HARDINGE, "পাকশীতে")
    index = Passages([PADMA, JAMUNA, HARDINGE, CRICKET])
    nearest = index.unanswering(asked)
    assert nearest in (PADMA, JAMUNA)
    assert nearest is not None
    assert index.unanswering(asked, {nearest}) != nearest


def test_a_passage_of_another_topic_is_not_found() -> None:
    assert Passages([HARDINGE, CRICKET]).unanswering(item(ROWS[2][2], HARDINGE, "পাকশীতে")) is None


def test_a_passage_of_another_topic_is_found_where_it_may_be() -> None:
    """It still must not answer, and one of the same topic comes first."""
    asked = item(ROWS[2][2], HARDINGE, "পাকশীতে")
    assert Passages([HARDINGE, CRICKET]).unanswering(asked, any_topic=True) == CRICKET
    index = Passages([PADMA, JAMUNA, HARDINGE, CRICKET])
    assert index.unanswering(asked, any_topic=True) == index.unanswering(asked)
    holds = "ক্রিকেট মাঠটি পাকশীতে।"
    assert Passages([HARDINGE, holds]).unanswering(asked, any_topic=True) is None


@pytest.mark.parametrize("task", ["qa", "codemix"])
def test_a_small_file_of_many_topics_yields_unanswerable_questions(
    task: BanglaTask, capsys: pytest.CaptureFixture[str]
) -> None:
    mixed = read_bangla(task, sample(task), idk_frac=0.3)
    assert (mixed.wanted, mixed.made) == (4, 4)
    told = f"Note: of 4 unanswerable questions, {mixed.unlike} show a passage of another topic"
    assert told in capsys.readouterr().out


def test_a_file_of_one_passage_yields_none_and_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, [ROWS[0], ROWS[4]])
    with pytest.raises(UsageError, match="of 2 questions to be made unanswerable, none could be"):
        read_bangla("qa", path, idk_frac=1)


def test_a_version_of_the_own_passage_is_not_found() -> None:
    """Copies that differ in a mark or a spelling stand in the published files."""
    version = HARDINGE.replace("।", " ।").replace("রেল", "বড় রেল")
    asked = item("সেখানে কী রান্না হয় ?", HARDINGE, "খিচুড়ি")
    assert Passages([HARDINGE, version]).unanswering(asked) is None


def test_a_gold_answer_without_words_of_its_own_finds_none() -> None:
    """There is nothing to look for in a passage."""
    asked = item("হার্ডিঞ্জ সেতু কি পাকশীতে অবস্থিত ?", HARDINGE, "হার্ডিঞ্জ সেতু")
    assert Passages([PADMA, JAMUNA, HARDINGE]).unanswering(asked) is None


@pytest.mark.parametrize(
    ("gold", "passage"),
    [
        ("যমুনা", "সেটি যমুনার তীরে।"),  # inflected
        ("আ\u09dcিয়াল খাঁ", "আ\u09a1\u09bcিয়াল খাঁ একটি নদ।"),  # ড় composed and not
        ("১৮০", "তখন 180 জন ছিল।"),  # the other digits
        ("দশ", "তখন ১০ জন ছিল।"),  # a number in words
        ("রবীন্দ্রনাথ ঠাকুর", "ঠাকুর তা লেখেন।"),  # half of a name
        ("Padma", "পদ্মা একটি নদী।"),  # the other script
        ("২৬ মার্চ ১৯৭১", "১৯৭১ সালের কথা।"),  # one of the numbers
    ],
)
def test_a_passage_that_holds_the_gold_answer_may_answer(gold: str, passage: str) -> None:
    assert may_answer(item("কোনটি ?", "", gold), passage)


def test_a_passage_that_holds_what_is_asked_for_may_answer() -> None:
    """It may give another answer than the gold one, or the same in other words."""
    question = "হার্ডিঞ্জ সেতু কোথায় অবস্থিত ?"
    assert may_answer(item(question, "", "ঈশ্বরদীতে"), HARDINGE)


def test_a_passage_that_counts_what_is_asked_for_may_answer() -> None:
    """It need not name whose it is."""
    question = "ভালুকা উপজেলায় মোট কয়টি গ্রাম আছে ?"
    assert may_answer(item(question, "", "১১০"), "এখানে ৯০টি গ্রাম রয়েছে।")


def test_part_of_a_word_is_not_the_gold_answer() -> None:
    assert not may_answer(item("কোন রাজা ?", "", "রাম"), "সে আরামে ছিল। গ্রামটি সুন্দর।")


@pytest.mark.parametrize(("task", "at_least"), [("qa", 240), ("codemix", 280)])
def test_half_of_the_published_questions_find_a_passage(
    task: BanglaTask, at_least: int, shared_data: Path
) -> None:
    """All do where a third of them are to be unanswerable."""
    path = shared_data / f"{task}_main.csv"
    third = read_bangla(task, path, idk_frac=0.3).questions
    assert sum(each.unknown_ok for each in third) == 150
    everyone = read_bangla(task, path, idk_frac=1).questions
    assert sum(each.unknown_ok for each in everyone) >= at_least
