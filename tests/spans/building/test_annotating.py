"""A copy with tags becomes spans of the raw answer, or a counted failure: never a clean answer."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.spans.building.annotating import read_copy
from banglahallueval.spans.building.step import UnusableError
from banglahallueval.spans.tables import read_samples
from banglahallueval.spans.tags import tagged
from banglahallueval.spans.types import Span
from tests.scripting import Finished
from tests.servers.openai_server import OpenAIServer
from tests.spans.building import writers
from tests.spans.building.test_pipeline import asked, rows

Build = Callable[..., Finished]
Until = Callable[[str, OpenAIServer], None]

RAW = "\u09ac\u09dc \u09ac\u09be\u09dc\u09bf \u09e7\u09ef\u09ed\u09e7 \u09b8\u09be\u09b2\u09c7"


@pytest.mark.parametrize(
    ("answer", "reply", "spans"),
    [
        ("ঢাকা না, ঢাকা", "ঢাকা না, [HAL]ঢাকা[/HAL]", [(9, 13)]),
        ("ঢাকা না, ঢাকা\n১৯৭১", "ঢাকা না, [HAL]ঢাকা\n১৯৭১[/HAL]", [(9, 18)]),
        ("ঢাকা।", "ঢাকা।", []),
        ("**ঢাকা** ভুল", "**[HAL]ঢাকা[/HAL]** ভুল", [(2, 6)]),
        ("ঢাকা ", "\n[HAL]ঢাকা[/HAL]\n", [(0, 4)]),
        (" ঢাকা", "[HAL]ঢাকা[/HAL]", [(1, 5)]),
        ("👍🏽 ঢাকা 1999", "👍🏽 ঢাকা [HAL]1999[/HAL]", [(8, 12)]),
        ("কোন ১৯৭১", "[HAL]ক[/HAL]োন ১৯৭১", [(0, 2)]),
        ("ক খ", "[HAL]ক[/HAL][HAL] খ[/HAL]", [(0, 3)]),
        ("ঢাকা না", "ঢাকা[HAL] না।[/HAL]", [(5, 7)]),
    ],
)
def test_spans_are_where_the_tags_stand(
    answer: str, reply: str, spans: list[tuple[int, int]]
) -> None:
    """Repeated words, line breaks, emphasis, edges, emoji, and a sign torn off its letter."""
    assert list(read_copy(reply, answer)) == spans


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_copy_in_another_normal_form_has_the_raw_offsets(form: str) -> None:
    """The year is at 8 to 12 of the raw text, and at 10 to 14 of its normal form."""
    copied = unicodedata.normalize(form, RAW)  # type: ignore[arg-type]
    assert len(copied) == 19
    reply = copied.replace("\u09e7\u09ef\u09ed\u09e7", "[HAL]\u09e7\u09ef\u09ed\u09e7[/HAL]")
    assert read_copy(reply, RAW) == (Span(8, 12),)


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("", "empty"),
        ("[HAL]ঢাকা", "bad tags"),
        ("ঢাকা[/HAL]", "bad tags"),
        ("[HAL][HAL]ঢাকা[/HAL][/HAL]", "bad tags"),
        ("ঢাকা[HAL]\n[/HAL]", "bad tags"),
        ("ঢাকা[HAL]।[/HAL]", "misaligned"),
        ("[HAL]ঢাকায়[/HAL]", "misaligned"),
        ("Here is the copy: [HAL]ঢাকা[/HAL]", "misaligned"),
    ],
)
def test_what_is_no_copy_is_refused(reply: str, name: str) -> None:
    with pytest.raises(UnusableError) as refused:
        read_copy(reply, "ঢাকা")
    assert refused.value.name == name


ANSWERS = st.text("ঢাকয়\u09af\u09bc\u09c7\u09be ১\n*👍🏽", min_size=1).filter(str.strip)


@given(ANSWERS, st.data())
def test_tags_of_an_answer_lead_back_to_its_spans(answer: str, data: st.DataObject) -> None:
    """A copy in any normal form marks at least the letters that were tagged."""
    start = data.draw(st.integers(0, len(answer) - 1))
    end = data.draw(st.integers(start + 1, len(answer)))
    marked = answer[start:end]
    if not marked.strip():
        return
    copy = tagged(answer, [Span(start, end)])
    (found,) = read_copy(copy, answer)
    assert found.start <= end - len(marked.lstrip())
    assert found.end >= start + len(marked.rstrip())
    form = data.draw(st.sampled_from(["NFC", "NFD"]))
    parts = (answer[: found.start], answer[found.start : found.end], answer[found.end :])
    before, inside, after = (unicodedata.normalize(form, part) for part in parts)  # type: ignore[arg-type]
    assert read_copy(f"{before}[HAL]{inside}[/HAL]{after}", answer) == (found,)


def test_an_annotated_file_is_a_span_csv(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    until("filter", server)
    path = tmp_path / "set/annotated.csv"
    for row, sample in zip(rows(path), read_samples(path), strict=True):
        assert row["tagged"] == tagged(sample.answer, sample.spans or ())


def test_a_failed_annotation_is_no_clean_answer(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    """Fault of the reference: what could not be annotated was written as `[]`."""
    until("annotate", server)
    server.answer = writers.writer(annotate=lambda prompt: "অন্য কিছু")
    done = build("annotate", "--model", "m", "--tries", 2, on=server)
    assert done.code == 0, done.err
    assert "could not be used: 18 misaligned" in done.out
    path = tmp_path / "set/annotated.csv"
    assert {(row["spans"], row["tagged"], row["status"]) for row in rows(path)} == {
        ("", "", "misaligned")
    }
    assert {sample.spans for sample in read_samples(path)} == {None}
    refused = build("filter", "--model", "m", on=server)
    assert refused.code == 2
    assert "no row of set/annotated.csv is finished" in refused.err


def test_a_misaligned_copy_is_sent_back(
    build: Build, until: Until, server: OpenAIServer, tmp_path: Path
) -> None:
    until("annotate", server)
    server.answer = writers.mended("[HAL]অন্য[/HAL]", "annotate")
    assert build("annotate", "--model", "m", on=server).code == 0
    assert {row["status"] for row in rows(tmp_path / "set/annotated.csv")} == {"ok"}
    assert "letter by letter" in asked(server)[-1].body["messages"][-1]["content"]
