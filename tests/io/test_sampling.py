"""Samples are seeded and stratified; what they say of the whole is checked against the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.sampling import Sample, Size, draw
from banglahallueval.io.tables import Table, writing
from banglahallueval.mitigation.sample_intervals import finite_wilson
from banglahallueval.scoring.rates import Rate, half_sum, wilson
from tests.in_process import run_script
from tests.mitigation.studies import answers, run_study, table, write_files
from tests.servers.answers import Answer, hashed_label, prompt_of
from tests.servers.openai_server import OpenAIServer


def candidates(path: Path, patterns: dict[str, int]) -> Path:
    header = ("id", "pattern", "context", "question", "hallucinated_answer")
    with writing(path, header) as writer:
        for pattern, count in patterns.items():
            for n in range(count):
                writer.writerow(["1", pattern, f"{pattern} {n}", "?", "NA"])
    return path


def drawn(source: Path, size: Size, folder: Path, seed: int = 42) -> Sample:
    return draw(source, "qa", "candidates", size, seed, folder)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (Size(share=0.1), {"a": 10, "b": 5, "c": 1}),
        (Size(rows=20), {"a": 13, "b": 6, "c": 1}),
        (Size(rows=1000), {"a": 100, "b": 50, "c": 4}),
    ],
)
def test_patterns_are_drawn_in_proportion(
    tmp_path: Path, size: Size, expected: dict[str, int]
) -> None:
    """A share of each pattern, at least one; so many rows by the largest remainders."""
    source = candidates(tmp_path / "in.csv", {"a": 100, "b": 50, "c": 4})
    sample = drawn(source, size, tmp_path / "samples")
    rows = [*Table(sample.path).rows()]
    assert Counter(cells[1] for cells in rows) == expected
    assert {name: count for name, (count, _) in sample.strata.items()} == expected
    assert sample.rows == sum(expected.values())
    everything = [*Table(source).rows()]
    places = [everything.index(cells) for cells in rows]
    assert places == sorted(set(places))


def test_equal_seeds_give_equal_samples(tmp_path: Path) -> None:
    """The seed decides, and another seed decides otherwise."""
    source = candidates(tmp_path / "in.csv", {"a": 200})
    size = Size(share=0.1)
    texts = [
        drawn(source, size, tmp_path / str(n), seed).path.read_text(encoding="utf-8")
        for n, seed in enumerate((42, 42, 43))
    ]
    assert texts[0] == texts[1] != texts[2]


def test_a_sample_of_another_file_is_not_replaced(tmp_path: Path) -> None:
    """Labels of an earlier sample must not be taken for those of a new one."""
    source = candidates(tmp_path / "in.csv", {"a": 50})
    sample = drawn(source, Size(rows=5), tmp_path / "samples")
    before = sample.path.read_bytes()
    candidates(source, {"b": 60})
    with pytest.raises(UsageError, match="holds another sample"):
        drawn(source, Size(rows=5), tmp_path / "samples")
    assert sample.path.read_bytes() == before
    assert [path.name for path in sample.path.parent.iterdir()] == ["qa_candidates.csv"]


def test_all_rows_are_the_file_itself(tmp_path: Path) -> None:
    """Without a size nothing is drawn or copied."""
    source = candidates(tmp_path / "in.csv", {"a": 5})
    sample = drawn(source, Size(), tmp_path / "samples")
    assert (sample.path, sample.rows, sample.population) == (source, 5, 5)


def test_the_finite_interval_by_hand() -> None:
    """10 of 19 rows are worth 10 · 18 / 9 = 20 independent ones; all rows leave no doubt."""
    assert finite_wilson(5, 10, 19) == Rate(0.5, wilson(10, 20).low, wilson(10, 20).high, 10)
    assert finite_wilson(3, 4, 4) == Rate(0.75, 0.75, 0.75, 4)
    assert finite_wilson(10, 100, 10**9).low == pytest.approx(wilson(10, 100).low)


def test_bhs_of_two_samples_by_hand() -> None:
    """Half the sum; distances to the limits 0.3 and 0.4 make 0.5, halved."""
    both = half_sum(Rate(0.4, 0.1, 0.7, 10), Rate(0.6, 0.2, 1.0, 20))
    assert (both.value, both.low, both.high, both.rows) == pytest.approx((50, 25, 75, 30))


def test_a_sample_is_held_against_the_whole(
    tmp_path: Path, openai_server: Callable[..., OpenAIServer]
) -> None:
    """Where the whole files are labelled too, the table has their figure and whether it fits."""
    files = write_files(tmp_path, 30, per_source=2)
    server = openai_server(answer=lambda body: Answer(hashed_label(prompt_of(body))))
    flags = ["--prompts=standard"]
    assert run_study(tmp_path / "all", server.url, files, *flags) == 0
    flags += ["--share=0.5", "--full", str(tmp_path / "all")]
    assert run_study(tmp_path / "half", server.url, files, *flags) == 0
    (whole,) = table(tmp_path / "all", "mitigation").to_dict("records")
    rows = table(tmp_path / "half", "mitigation_samples").set_index("figure")
    assert rows["sample_rows"].to_dict() == {"a_err": 15, "b_err": 30, "bhs": 45}
    assert rows["all_rows"].to_dict() == {"a_err": 30, "b_err": 60, "bhs": 90}
    assert rows["whole"].to_dict() == {
        name: pytest.approx(whole[name]) for name in ("a_err", "b_err", "bhs")
    }
    for _, row in rows.iterrows():
        fits = row["value_low"] <= row["whole"] <= row["value_high"]
        assert row["inside"] == ("yes" if fits else "no")


def test_without_the_whole_nothing_is_claimed(
    tmp_path: Path, openai_server: Callable[..., OpenAIServer]
) -> None:
    """Another judge's whole files are not this judge's."""
    files = write_files(tmp_path, 6)
    server = openai_server(answer=lambda body: Answer(hashed_label(prompt_of(body))))
    flags = ["--prompts=standard", "--judges=openai:gpt-5.4"]
    assert run_study(tmp_path / "all", server.url, files, *flags) == 0
    flags = ["--prompts=standard", "--share=0.5", "--full", str(tmp_path / "all")]
    assert run_study(tmp_path / "half", server.url, files, *flags) == 0
    rows = table(tmp_path / "half", "mitigation_samples")
    assert rows["whole"].isna().all()
    assert set(rows["inside"]) == {""}


@pytest.mark.parametrize(
    ("model_right", "chosen", "bhs", "published"),
    [(True, "the model's own", 0.0, 50.0), (False, "rule: any contradicted", 50.0, 50.0)],
)
def test_the_policy_is_chosen_on_one_half_and_reported_on_the_other(
    tmp_path: Path,
    openai_server: Callable[..., OpenAIServer],
    model_right: bool,
    chosen: str,
    bhs: float,
    published: float,
) -> None:
    """Where claims say nothing and the model's verdict everything, that is chosen; at a tie not."""
    files = write_files(tmp_path, 10)
    verdicts = {f"c{n}": "yes" for n in range(10)} if model_right else {}
    server = openai_server(answer=answers({"ecot": []}, verdicts=verdicts), ignores=["json_schema"])
    assert run_study(tmp_path / "out", server.url, files, "--prompts=ecot") == 0
    (row,) = table(tmp_path / "out", "mitigation_policies").to_dict("records")
    assert row["policy"].startswith(chosen)
    assert (row["bhs"], row["bhs_published_policy"]) == (bhs, published)
    assert (row["calibration_rows"], row["held_out_rows"]) == (10, 10)


def test_the_sampled_evaluation_runs_as_a_script(
    tmp_path: Path, openai_server: Callable[..., OpenAIServer]
) -> None:
    """A tenth with and without CoT by default, of all tasks, with no evidence-augmented arm."""
    server = openai_server()
    done = run_script(
        "scripts/evaluate_sampled.py", "--judges=openai:gpt-4.1-mini", "--samples", "--quiet",
        "--base-url", server.url, "--output", tmp_path,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "qa candidates: 4 of 56 rows (factualness 1, " in done.out
    arms = table(tmp_path, "mitigation")
    assert arms[~arms["task"].str.startswith("mean")][["task", "prompt"]].to_numpy().tolist() == [
        ["qa", "standard"],
        ["qa", "cot"],
        ["summarization", "standard"],
        ["summarization", "cot"],
        ["reasoning", "standard"],
        ["reasoning", "cot"],
        ["codemix", "standard"],
    ]
    assert len(table(tmp_path, "mitigation_samples")) == 7 * 3
