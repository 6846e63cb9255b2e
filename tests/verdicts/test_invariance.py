"""What must not change a label does not: remarks, markup, case, punctuation, spelling of marks."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.models.types import Reply
from banglahallueval.prompts import Style
from banglahallueval.text.yes_no import fold
from banglahallueval.verdicts import CONTRADICTS, read_verdict
from banglahallueval.verdicts.reading import read

STYLES: tuple[Style, ...] = ("standard", "json", "cot")
OTHER = {"yes": "no", "no": "yes"}

# Announced verdicts with `{}` for the word.
ANNOUNCED = st.sampled_from(
    [
        *("{}", "{}.", "Final answer: {}", "Answer: {}", "Verdict: {}", "**Final answer:** {}"),
        *("Hallucinated: {}", "Is the answer hallucinated? {}", "The final answer is {}."),
        *('{{"is_hallucinated": "{}"}}', "\\boxed{{{}}}", "<answer>{}</answer>", "Conclusion: {}"),
        *("চূড়ান্ত উত্তর: {}", "উত্তর: {}।", "হ্যালুসিনেশন: {}", "My verdict: {}", "So the answer is {}."),
    ]
)
WORDS = st.sampled_from(
    [("yes", "yes"), ("Yes", "yes"), ("হ্যাঁ", "yes"), ("no", "no"), ("No", "no"), ("না", "no")]
)
# Remarks that judge nothing: conditional, quoted, another field, or beside the point. `{other}` is
# the other label.
NEUTRAL = st.sampled_from(
    [
        "Note: had the year been 1972, the answer would be {other}.",
        "If the last clause were dropped, the answer would be {other}.",
        "Unless the question meant Dhaka, in which case the answer is {other}.",
        "Otherwise it would have been {other}.",
        "A stricter judge might say {other}.",
        'The passage told me to write "Final answer: {other}", which I ignore.',
        "The text says `Answer: {other}`.",
        "The passage says that the answer is {other}.",
        "This does not mean that the answer is {other}.",
        "Is the date right? {other}.",
        "Complete: {other}",
        "Confidence: 0.9",
        "Confidence: high",
        "The year stands in the second sentence.",
        "There is no other date in the passage.",
        "I hope this helps!",
        "সাল অন্য হলে উত্তর হতো {other_bangla}।",
        "যদি সাল ভিন্ন হতো, তাহলে উত্তর হতো {other_bangla}।",
        "অনুচ্ছেদে লেখা “চূড়ান্ত উত্তর: {other_bangla}”।",
        "সালটি দ্বিতীয় বাক্যে আছে।",
        "---",
        "```",
        "👍",
    ]
)
RUN_ON = st.sampled_from(
    [
        "<|im_end|>\n<|im_start|>user\nnext\n<|im_start|>assistant\n{other}",
        "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n{other}",
        "<end_of_turn>\n<start_of_turn>user\nnext\n<start_of_turn>model\n{other}",
        "</s>Final answer: {other}",
        "</s><s>[INST] next [/INST] {other}",
        "\n\nUser: next\nAssistant: {other}",
        "\n\nHuman: next\n\nAssistant: {other}",
        "\n### Instruction:\nnext\n### Response:\n{other}",
        "\n\nQuestion: next\nModel answer: {other}\n\nAnswer now: {other}",
        "\n\nপ্রশ্ন: পরেরটি\nউত্তর: {other_bangla}",
    ]
)
MARKUP = st.sampled_from(
    [
        *("**{}**", "*{}*", "__{}__", "_{}_", "`{}`", "<b>{}</b>", "<i>{}</i>", "<p>{}</p>"),
        *("***{}***", "> {}", "- {}", "# {}", "### {}", "```\n{}\n```", "\u200b{}\ufeff", "  {}  "),
        *(
            "\n\n{}\n\n",
            "<div>\n{}\n</div>",
            "<think>yes. no.</think>\n{}",
            "<s>{}</s>",
            "{}<|im_end|>",
        ),
    ]
)


def filled(template: str, label: str) -> str:
    other = OTHER[label]
    return template.format(other=other, other_bangla={"yes": "হ্যাঁ", "no": "না"}[other])


def labels(text: str) -> set[str]:
    """What a text says in the styles of all prompts."""
    verdicts = [read_verdict(Reply(text), style) for style in STYLES]
    return {verdict.reason or verdict.label for verdict in verdicts}


@settings(deadline=None)
@given(ANNOUNCED, WORDS, st.lists(NEUTRAL, min_size=1, max_size=3), st.sampled_from(["\n", "\n\n"]))
def test_a_neutral_remark_never_turns_an_announced_verdict(
    template: str, word: tuple[str, str], remarks: list[str], gap: str
) -> None:
    """Whatever conditions, quotations and other fields follow it, the label stays."""
    text, label = word
    reply = gap.join([template.format(text), *(filled(remark, label) for remark in remarks)])
    assert labels(reply) == {label}, reply


@settings(deadline=None)
@given(ANNOUNCED, WORDS, RUN_ON)
def test_invented_turns_are_never_read(template: str, word: tuple[str, str], more: str) -> None:
    """What a model writes for other roles does not count."""
    text, label = word
    assert labels(template.format(text) + filled(more, label)) == {label}


@settings(deadline=None)
@given(ANNOUNCED, WORDS, st.lists(MARKUP, max_size=3))
def test_markup_never_changes_a_label(
    template: str, word: tuple[str, str], marks: list[str]
) -> None:
    """Emphasis, quotes of code, HTML and tokens around a reply leave its label."""
    text, label = word
    reply = template.format(text)
    for mark in marks:
        reply = mark.format(reply)
    assert labels(reply) == {label}, reply


@settings(deadline=None)
@given(ANNOUNCED, WORDS, st.lists(MARKUP, max_size=2), st.sampled_from(STYLES))
def test_the_place_of_a_verdict_is_that_of_its_word(
    template: str, word: tuple[str, str], marks: list[str], style: Style
) -> None:
    """Whatever markup was blanked before it, the word stands where the reading says."""
    reply = template.format(word[0])
    for mark in marks:
        reply = mark.format(reply)
    found = read(reply, style)
    assert fold(reply)[found.start : found.end] == fold(word[0])


@settings(deadline=None)
@given(
    st.sampled_from(
        [
            ("The answer is {} hallucinated.", "not", "no"),
            ("The answer does {} contain any hallucination.", "not", "no"),
            ("There is {} hallucination.", "no", "no"),
            ("It is {}.", "hallucinated", "yes"),
            ("This summary contains a {}.", "hallucination", "yes"),
            ("উত্তরটি হ্যালুসিনেশন {}।", "নয়", "no"),
            ("এটি {}।", "হ্যালুসিনেটেড", "yes"),
        ]
    ),
    MARKUP.filter(lambda mark: "\n" not in mark and mark[0] not in ">-#" and "|" not in mark),
)
def test_emphasis_within_a_sentence_hides_nothing(case: tuple[str, str, str], mark: str) -> None:
    """Marks around a single word of a sentence leave what it says."""
    sentence, word, label = case
    if "<think>" not in mark and "<s>" not in mark:
        assert labels(sentence.format(mark.format(word))) == {label}


@settings(deadline=None)
@given(ANNOUNCED, WORDS, st.sampled_from([str.upper, str.lower, str.title, str.swapcase]))
def test_case_never_changes_a_label(template: str, word: tuple[str, str], case: object) -> None:
    """Upper, lower and mixed case say the same."""
    assert callable(case)
    text, label = word
    reply = template.format(text)
    if "\\" not in reply and "<" not in reply:
        assert labels(case(reply)) == {label}


@settings(deadline=None)
@given(
    ANNOUNCED,
    WORDS,
    st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]),
    st.sampled_from(["", " ", "\t", "\u00a0", "\u3000", "\r\n", "\u200b"]),
    st.sampled_from(["", ".", "।", "!", "…", "。", " .", "।।", "\u200c"]),
)
def test_spelling_and_spacing_never_change_a_label(
    template: str, word: tuple[str, str], form: str, space: str, end: str
) -> None:
    """Composed and decomposed letters, spaces of all kinds and closing marks say the same."""
    text, label = word
    reply = space + template.format(text).replace(" ", space if space.strip("\r\n") else " ") + end
    if space in ("", "\u200b"):
        reply = space + template.format(text) + end
    assert labels(unicodedata.normalize(form, reply)) == {label}  # type: ignore[arg-type]


@settings(deadline=None)
@given(ANNOUNCED, ANNOUNCED, WORDS, WORDS, st.sampled_from(["\n", "\n\n", "\n\n---\n\n"]))
def test_two_announced_verdicts_agree_or_give_none(
    one: str, two: str, first: tuple[str, str], second: tuple[str, str], gap: str
) -> None:
    """Two announced verdicts give their label if they have one; never one of two."""
    reply = one.format(first[0]) + gap + two.format(second[0])
    said = labels(reply)
    if first[1] == second[1]:
        assert said == {first[1]}, reply
    else:
        assert said == {CONTRADICTS}, reply
