"""Files of the benchmark become a span set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.records import fits, read_record
from banglahallueval.spans.bangla.commands import main
from banglahallueval.spans.bangla.samples import GOLD_RULE, make_bangla_spans
from banglahallueval.spans.types import Span
from banglahallueval.tasks import TASKS, TaskName

CONTEXT = "হালদা নদীর দৈর্ঘ্য ৯৮ কিলোমিটার।"
QUESTION = "হালদা নদীর দৈর্ঘ্য কত কিলোমিটার ?"
MAIN = ["id,context,question,correct_answer", f"s1,{CONTEXT},{QUESTION},৯৮"]
CANDIDATES_HEADER = "id,source_id,pattern,context,question,right_answer,hallucinated_answer"


def write(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def files(tmp_path: Path, *candidates: str) -> tuple[Path, Path]:
    """A main file, and a candidate file with these rows."""
    return (
        write(tmp_path / "main.csv", MAIN),
        write(tmp_path / "candidates.csv", [CANDIDATES_HEADER, *candidates]),
    )


def candidate(answer: str, *, name: str = "s1::f", context: str = CONTEXT) -> str:
    return f"{name},s1,factualness,{context},{QUESTION},৯৮,{answer}"


def test_a_source_gives_its_candidates_and_its_gold_output(tmp_path: Path) -> None:
    rows = candidate("১২০", name="s1::a"), candidate("দৈর্ঘ্য ১৩০ কিলোমিটার", name="s1::b")
    made = make_bangla_spans(*files(tmp_path, *rows), "qa")
    assert [(s.id, s.spans) for s in made.samples] == [
        ("qa-s1::gold", ()),
        ("qa-s1::a", (Span(0, 3),)),
        ("qa-s1::b", (Span(8, 11),)),
    ]
    assert made.rules == [GOLD_RULE, "swapped answer", "swapped answer"]
    assert {s.source for s in made.samples} == {"s1"}


def test_a_sample_carries_the_texts_as_they_are(tmp_path: Path) -> None:
    made = make_bangla_spans(*files(tmp_path, candidate("১২০")), "qa")
    sample = made.samples[1]
    assert (sample.evidence, sample.question, sample.language) == (CONTEXT, QUESTION, "bn")


def test_pairing_ignores_normal_form_and_spacing(tmp_path: Path) -> None:
    spaced = CONTEXT.replace("দৈর্ঘ্য ", "দৈর্ঘ্য  ").replace("\u09a6\u09c8", "\u09a6\u09c8")
    made = make_bangla_spans(*files(tmp_path, candidate("১২০", context=spaced)), "qa")
    assert made.samples[1].evidence == spaced


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([candidate("১২০", context="অন্য।")], "no gold output of its source"),
        ([candidate("১২০"), candidate("১৩০")], "an id that is there already"),
        ([candidate("৯৮")], "says the same as gold"),
    ],
)
def test_what_is_left_out_is_counted(tmp_path: Path, rows: list[str], why: str) -> None:
    assert make_bangla_spans(*files(tmp_path, *rows), "qa").left_out == {why: 1}


def test_a_gold_chain_with_a_wrong_calculation_is_no_clean_sample(tmp_path: Path) -> None:
    gold = "আম ২+২ = ৫টি।\nলিচু ৩+৩ = ৬টি।\n#### ৬"
    wrong = "আম ২+২ = ৫টি।\nলিচু ৩+৩ = ৭টি।"
    main_file = write(tmp_path / "m.csv", ["question_id,question,answer", f'q1,কত?,"{gold}"'])
    header = "id,question_id,hallucination_type,question,answer,hallucinated_chain"
    row = f'q1::a,q1,arithmetic_slip,কত?,"{gold}","{wrong}"'
    candidates = write(tmp_path / "c.csv", [header, row])
    made = make_bangla_spans(main_file, candidates, "reasoning")
    assert made.rules == ["arithmetic slip"]
    (sample,) = made.samples
    assert (sample.question, sample.evidence) == ("", "কত?")
    assert sample.spans is not None
    assert [sample.answer[start:end] for start, end in sample.spans] == ["৭"]


def test_code_mixed_samples_say_so(tmp_path: Path) -> None:
    header = "id,codemix_context,codemix_question,codemix_answer"
    main_file = write(tmp_path / "m.csv", [header, "s1,Halda 98 kilometer.,Halda koto boro?,98"])
    candidates = write(
        tmp_path / "c.csv",
        [f"{header},hallucinated_answer", "a,Halda 98 kilometer.,Halda koto boro?,98,Halda 120."],
    )
    made = make_bangla_spans(main_file, candidates, "codemix")
    assert {sample.language for sample in made.samples} == {"bn-Latn"}


def test_the_command_prints_what_it_makes_and_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, wrong = files(tmp_path, candidate("১২০", name="a"), candidate("৯৮", name="b"))
    output = tmp_path / "new" / "spans.csv"
    flags = ["--tasks", "qa", "--main", str(gold), "--candidates", str(wrong)]
    assert main("Make spans.", [*flags, "--output", str(output)]) == 0
    printed = capsys.readouterr().out
    assert "qa: 1 gold output, 1 swapped answer" in printed
    assert "left out, says the same as gold: 1" in printed
    assert len(output.read_text(encoding="utf-8").splitlines()) == 3
    record = read_record(output)
    assert record
    assert fits(output, record)
    assert [each["path"] for each in record["inputs"]] == [str(gold), str(wrong)]
    assert record["rules"] == {"gold output": 1, "swapped answer": 1}
    assert record["left_out"] == {"says the same as gold": 1}


def test_an_output_is_replaced_only_if_asked(tmp_path: Path) -> None:
    gold, wrong = files(tmp_path, candidate("১২০"))
    output = write(tmp_path / "spans.csv", ["old"])
    flags = ["--tasks", "qa", "--main", str(gold), "--candidates", str(wrong)]
    with pytest.raises(UsageError, match="--overwrite"):
        main("Make spans.", [*flags, "--output", str(output)])
    assert output.read_text(encoding="utf-8") == "old\n"
    assert main("Make spans.", [*flags, "--output", str(output), "--overwrite"]) == 0


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--main", "m.csv"], "name it with --tasks"),
        (["--tasks", "qa", "--main", "no.csv"], "no file"),
    ],
)
def test_wrong_flags_are_told_in_one_line(flags: list[str], told: str) -> None:
    with pytest.raises(UsageError, match=told) as error:
        main("Make spans.", flags)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("task", TASKS)
def test_a_benchmark_file_that_is_absent_is_told_with_samples(
    task: TaskName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault: the advice was --input, which this script does not have."""
    monkeypatch.setattr("banglahallueval.spans.bangla.commands.repository_root", lambda: tmp_path)
    with pytest.raises(UsageError, match=r"or try the committed samples with --samples$") as error:
        main("Make spans.", ["--tasks", task])
    assert f"`python scripts/fetch_datasets.py {task}` obtains it" in str(error.value)
    assert "--input" not in str(error.value)
    named = tmp_path / Path(TASKS[task].files["main"]).name
    with pytest.raises(UsageError, match=r'or try the committed sample ".*"$'):
        main("Make spans.", ["--tasks", task, "--main", str(named)])


def test_an_input_is_never_the_output(tmp_path: Path) -> None:
    gold, wrong = files(tmp_path, candidate("১২০"))
    flags = ["--tasks", "qa", "--main", str(gold), "--candidates", str(wrong)]
    with pytest.raises(UsageError, match="the input itself"):
        main("Make spans.", [*flags, "--output", str(gold), "--overwrite"])
