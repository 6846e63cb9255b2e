"""What replies of every shape mark; a reply that does not say is a failure, never clean."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.models.types import Reply
from banglahallueval.spans.alignment import UnalignedError
from banglahallueval.spans.detectors.replies import read_marks

ANSWER = "কবিতাটি ১৯২৫ সালে ঢাকার ‘বিজলী’ পত্রিকায় ছাপা হয়।"
TAGGED = "কবিতাটি [HAL]১৯২৫[/HAL] সালে [HAL]ঢাকার[/HAL] ‘বিজলী’ পত্রিকায় ছাপা হয়।"
WRONG = ["১৯২৫", "ঢাকার"]
QUOTES = json.dumps(WRONG)


def marked(reply: str, answer: str = ANSWER) -> list[str]:
    return [answer[start:end] for start, end in read_marks(Reply(reply), answer)]


def reason(reply: Reply, answer: str = ANSWER) -> str:
    with pytest.raises(UnalignedError) as error:
        read_marks(reply, answer)
    return str(error.value)


@pytest.mark.parametrize(
    "reply",
    [
        TAGGED,
        TAGGED.replace("১৯২৫", "1925").replace("‘", "'").replace("’", "'").replace("।", "."),
        TAGGED.replace("[HAL]", "[hal]").replace("[/HAL]", "[ /hal ]"),
        TAGGED.replace("[HAL]", "<HAL>").replace("[/HAL]", "</HAL>"),
        TAGGED.replace("[HAL]১৯২৫[/HAL]", "**[HAL] ১৯২৫ [/HAL]**"),
        f"```\n{TAGGED}\n```",
        f"```text\n{TAGGED}\n```\nThe evidence says 1922.",
        f"Here is the answer:\n\n{TAGGED}",
        f"Here is the answer with [HAL]...[/HAL] around what is wrong:\n{TAGGED}",
        f"**Highlighted LLM Response:** {TAGGED}",
        f"### Tagged answer\n{TAGGED}",
        f"উত্তর: {TAGGED}",
        f"> {TAGGED}",
        f"“{TAGGED}”",
        f"{TAGGED}\n\nExplanation: [HAL]১৯২৫[/HAL] is wrong, [HAL]ঢাকার[/HAL] too.",
        f"The answer was:\n{ANSWER}\n\nTagged:\n{TAGGED}",
        f"<think>[HAL]ঢাকা[/HAL]?</think>\n{TAGGED}",
        f"<answer 0123abcd>\n{TAGGED}\n</answer 0123abcd>",
        TAGGED.replace(" সালে", "\nসালে"),
        json.dumps({"answer": TAGGED}),
        json.dumps({"highlighted": TAGGED, "why": "১৯২২"}, ensure_ascii=False),
        QUOTES,
        json.dumps(WRONG, ensure_ascii=False),
        f'{{"spans": {QUOTES}}}',
        f'```json\n{{\n"spans": {QUOTES}}}\n```',
        f'Unsupported spans:\n{{"hallucinated_spans": {QUOTES}, "reason": "1922"}}',
        json.dumps(QUOTES),
        json.dumps({"spans": QUOTES}),
        '{"spans": [1925, "ঢাকার"]}',
        '{"spans": ["1925", "ঢাকার",]}',
        '{"spans": [{"text": "১৯২৫", "start": 0, "end": 2}, {"quote": "ঢাকার"}]}',
        '["[HAL]১৯২৫[/HAL]", "ঢাকার"]',
    ],
)
def test_shapes_of_a_reply(reply: str) -> None:
    """Whatever stands around it, and however it is written, the same words are marked."""
    assert marked(reply) == WRONG


@pytest.mark.parametrize(
    "reply",
    [
        ANSWER,
        f"Here is the answer:\n{ANSWER}",
        f"Answer: {ANSWER}",
        f"```\n{ANSWER}\n```",
        f"> {ANSWER}",
        f'"{ANSWER}"',
        ANSWER.removesuffix("।"),
        ANSWER.replace("।", " ."),
        json.dumps({"answer": ANSWER}),
        "[]",
        '{"spans": []}',
        "```json\n[]\n```",
    ],
)
def test_a_reply_that_marks_nothing_says_so(reply: str) -> None:
    assert marked(reply) == []


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (f"{ANSWER}\n\nThe year is wrong.", ANSWER),
        (f"The year is wrong.\n\n{ANSWER}", ANSWER),
        (f"{ANSWER}\n\nWrong: [HAL]১৯২৫[/HAL]", ANSWER),
        ("Unsupported: ঢাকা", "ঢাকা"),
        ("The hallucinated part:\nঢাকা", "ঢাকা"),
        ("It is wrong.\n\nHere is the answer:\nঢাকা", "ঢাকা"),
        ("Supported spans: []", "ঢাকা"),
        ('{"hallucinated": true, "spans": []}', "ঢাকা"),
    ],
)
def test_remarks_beside_a_reply_without_marks_may_be_the_verdict(reply: str, answer: str) -> None:
    assert reason(Reply(reply), answer) == "remarks beside a reply that marks nothing"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(TAGGED.replace("[/HAL]", "", 1)), "unbalanced tags"),
        (Reply(TAGGED.replace("[HAL]", "[/HAL]", 1)), "unbalanced tags"),
        (Reply(f"[HAL]{TAGGED}[/HAL]"), "unbalanced tags"),
        (Reply(TAGGED.replace("ঢাকার", "কলকাতার")), "changed the answer"),
        (Reply(ANSWER.replace("১৯২৫", "১৯২২")), "changed the answer"),
        (Reply("[HAL]১৯২৫[/HAL]"), "changed the answer"),
        (Reply(ANSWER.replace(" ", " [HAL][/HAL]", 1)), "marked what is not in the answer"),
        (Reply('["১৯২২"]'), "marked what is not in the answer"),
        (Reply('{"spans": [null]}'), "a list of other things than quotes"),
        (Reply('{"spans": [[0, 4]]}'), "a list of other things than quotes"),
        (Reply('{"supported": ["ঢাকার"]}'), "a list of other things than quotes"),
        (Reply('{"spans": 3}'), "a list of other things than quotes"),
        (Reply("I'm sorry, I cannot help with that."), "refused"),
        (Reply("It is all wrong."), "unparsed"),
        (Reply("{" * 3000), "unparsed"),
        (Reply(""), "empty reply"),
        (Reply("<think>x</think>\n"), "empty reply"),
        (Reply("<think>x"), "unfinished thinking"),
        (Reply(TAGGED, finish="length"), "cut off"),
        (Reply(TAGGED[:20], finish="length"), "cut off"),
        (Reply(TAGGED, finish="filtered"), "filtered"),
        (Reply("", finish="refused"), "refused"),
        (Reply(TAGGED, finish="context truncated"), "context truncated"),
    ],
)
def test_a_reply_that_does_not_say_is_a_failure(reply: Reply, expected: str) -> None:
    assert reason(reply) == expected


@pytest.mark.parametrize(
    "mark", ["❌{}❌", "[[{}]]", "<<{}>>", "**{}**", "{}(?)", "~~{}~~", "({})"]
)
@pytest.mark.parametrize("word", ["১৯২৫", "ঢাকার", "হয়।"])
def test_marks_in_another_notation_are_no_clean_copy(mark: str, word: str) -> None:
    """Fault: signs around a word were taken for punctuation of a copy that marks nothing."""
    assert reason(Reply(ANSWER.replace(word, mark.format(word)))) == "changed the answer"


@pytest.mark.parametrize("reply", [f"{ANSWER}\n❌", f"Answer ❌:\n{ANSWER}", f"{ANSWER} ❌"])
def test_a_sign_beside_a_copy_is_no_clean_copy(reply: str) -> None:
    with pytest.raises(UnalignedError):
        read_marks(Reply(reply), ANSWER)


@pytest.mark.parametrize(
    "reply",
    ['["Yes"]', '```json\n["Yes"]\n```', '{"spans": ["Yes"]}', 'Answer: ["Yes"]', '["yes."]'],
)
def test_a_quote_of_the_whole_answer_marks_it(reply: str) -> None:
    """Fault: a list was read as a copy with other punctuation before it was read as JSON."""
    assert marked(reply, "Yes.")[0].startswith("Yes")


def test_a_copy_of_an_answer_that_is_json_marks_nothing() -> None:
    for answer in ('["Yes"]', '{"spans": ["Yes"]}', "[]"):
        assert marked(answer, answer) == []


@pytest.mark.parametrize(
    "reply",
    [
        '["১৯২৫", "ঢাকা',
        '["১৯২৫"',
        '{"spans": []',
        '{"spans": [],',
        '{"spans": ["১৯২৫"}',
        '```json\n{"spans": ["১৯২৫",',
    ],
)
def test_json_that_is_never_closed_is_a_failure(reply: str) -> None:
    """Fault: it was mended into what stood before the cut: nothing, or half a word."""
    assert reason(Reply(reply)) == "unparsed"


def test_a_repeated_word_is_where_its_tag_is() -> None:
    assert read_marks(Reply("ঢাকা না, [HAL]ঢাকা[/HAL]"), "ঢাকা না, ঢাকা") == ((9, 13),)


def test_an_answer_of_several_paragraphs() -> None:
    answer = "**শিরোনাম**\n\nপ্রথম: ঢাকা।\n\n- দ্বিতীয়: ১৯৭১।\n"
    reply = "Here it is:\n\n" + answer.replace("১৯৭১", "[HAL]১৯৭১[/HAL]") + "\nনোট: ভুল সাল।"
    assert marked(reply, answer) == ["১৯৭১"]


@given(st.text(st.sampled_from('[]{}":,/HAL<> \nঢাকা১।`'), max_size=60))
def test_no_reply_breaks_the_reading(reply: str) -> None:
    """Any text is spans within the answer, or a failure."""
    try:
        spans = read_marks(Reply(reply), ANSWER)
    except UnalignedError:
        return
    assert all(0 <= start < end <= len(ANSWER) for start, end in spans)


def test_long_texts_take_moderate_steps() -> None:
    """Ten thousand code points with differences all over; and none hangs at garbage."""
    answer = "".join(f"কবিতাটি {n} সালে ‘বিজলী’ পত্রিকায় ছাপা হয়। " for n in range(1000, 1200))
    copy = answer.replace("পত্রিকায়", "[HAL]পত্রিকায়[/HAL]").replace("বিজলী", "বিজলি", 150)
    assert len(answer) > 8000
    assert marked(copy, answer) == ["পত্রিকায়"] * 200
    for garbage in ("x\n\n" * 30_000, '["' * 30_000, "[HAL]" * 30_000, '{"a":' * 30_000):
        reason(Reply(garbage), answer)
