"""Panels of models, against servers that answer over sockets."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from banglahallueval.io.assignments import Assignments
from banglahallueval.io.tables import writing
from banglahallueval.scoring.inputs import read_inputs
from banglahallueval.scoring.report_tables import overview
from banglahallueval.scoring.results import results
from tests.in_process import run_script
from tests.labelling.conftest import Call
from tests.scripting import start_script
from tests.scripts.rows import column, record
from tests.servers.answers import Answer, Answerer, Body, always, prompt_of
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer

OpenAI = Callable[..., OpenAIServer]
Ollama = Callable[..., OllamaServer]
MODELS = "openai:gpt-4.1-mini,openai:gpt-4.1-nano,ollama:qwen2.5:32b"
SLUGS = ("openai_gpt_4_1_mini", "openai_gpt_4_1_nano", "ollama_qwen2_5_32b")


def write_rows(path: Path, track: str, rows: int = 4) -> Path:
    """QA rows with the answers m0, m1, … (main) or c0, c1, … (candidates)."""
    name = {"main": "correct_answer", "candidates": "hallucinated_answer"}[track]
    with writing(path, ("id", "context", "question", name)) as writer:
        for n in range(rows):
            writer.writerow([str(n), f"প্রসঙ্গ {n}", "কী?", f"[{track[0]}{n}]"])
    return path


def says(labels: Mapping[str, Mapping[str, str]]) -> Answerer:
    """Each model's label for each answer; `no` where none is listed."""

    def answer(body: Body) -> Answer:
        judged = prompt_of(body).partition("[")[2].partition("]")[0]
        return Answer(labels.get(str(body["model"]), {}).get(judged, "no"))

    return answer


LABELS = {
    "gpt-4.1-mini": {"m0": "yes", "c0": "yes", "c1": "yes", "c2": "yes"},
    "gpt-4.1-nano": {"m0": "yes", "m1": "yes", "c0": "yes", "c1": "yes", "c3": "not sure"},
    "qwen2.5:32b": {"m1": "not sure", "c1": "yes", "c3": "yes"},
}


def flags(openai: OpenAIServer, ollama: OllamaServer, models: str = MODELS) -> list[str]:
    return [
        "--judge", "panel", "--models", models, "--base-url", openai.url,
        "--ollama-url", ollama.url,
    ]  # fmt: skip


def test_a_panel_and_its_members_scored_by_hand(
    call: Call, tmp_path: Path, openai_server: OpenAI, ollama_server: Ollama
) -> None:
    """Every label, the scores of panel and members, and the cost, counted by hand.

    mini, nano, qwen say (y, n, ? for unknown):
        m0 y y n: yes    m1 n y ?: tie    m2 n n n: no     m3 n n n: no
        c0 y y n: yes    c1 y y y: yes    c2 y n n: no     c3 n ? y: tie
    False alarms of the panel 1/4 (m0), misses 2/4 (c2, c3): BHS = 50 · (0.25 + 0.5) = 37.5.
    mini: alarms 1/4, misses 1/4 (c3): 25. nano: 2/4 and 2/4 (c2, c3): 50. qwen: 0 and 2/4: 25.
    """
    openai = openai_server(answer=says(LABELS))
    ollama = ollama_server(models=["qwen2.5:32b"], answer=says(LABELS))
    for track in ("main", "candidates"):
        source = write_rows(tmp_path / f"{track}.csv", track)
        done = call(
            *flags(openai, ollama), "--input", source, "--output", f"out/{track}_panel.csv",
        )  # fmt: skip
        assert done.code == 0, done.err
    main, candidates = (tmp_path / "out" / f"{t}_panel.csv" for t in ("main", "candidates"))
    assert column(main, "is_hallucinated") == ["yes", "unknown", "no", "no"]
    assert column(main, "unknown_reason") == ["", "tie", "", ""]
    assert column(candidates, "is_hallucinated") == ["yes", "yes", "no", "unknown"]
    assert column(main, "p_hallucinated") == ["0.666667", "0.5", "0", "0"]
    assert column(main, "agreement") == ["0.666667", "0.5", "1", "1"]
    assert column(main, "raw_response")[1] == "yes 1, no 1, unknown 1"
    # Every label is traceable to its member and the member's words.
    members = [column(main, f"label_{slug}") for slug in SLUGS]
    assert members == [
        ["yes", "no", "no", "no"],
        ["yes", "yes", "no", "no"],
        ["no", "unknown", "no", "no"],
    ]
    assert column(main, f"raw_{SLUGS[2]}")[1] == "not sure"
    assert column(main, f"unknown_reason_{SLUGS[2]}") == ["", "unparsed", "", ""]

    judge = record(main)["judge"]
    panel = "panel of gpt-4.1-mini, gpt-4.1-nano, qwen2.5:32b"
    assert judge["name"] == panel
    assert [each["name"] for each in judge["members"]] == MODELS.split(",")
    assert judge["members"][1]["votes"] == {"yes": 2, "no": 2, "unknown": 0}
    assert judge["mean_agreement"] == pytest.approx((2 / 3 + 1 / 2 + 1 + 1) / 4)
    (run,) = record(main)["runs"]
    assert (run["asked"], [each["asked"] for each in run["models"]]) == (12, [4, 4, 4])

    read = read_inputs([tmp_path / "out"], Assignments())
    assert read.labelled is not None
    tables = {each.name: each.frame for each in overview(results(read.labelled))}
    assert tables["scores"].set_index("judge")["bhs"].to_dict() == {
        panel: 37.5,
        "gpt-4.1-mini": 25,
        "gpt-4.1-nano": 50,
        "qwen2.5:32b": 25,
    }
    pairs = tables["comparisons"].set_index(["a", "b"])
    (against,) = pairs.loc[[(panel, "gpt-4.1-nano")]].to_dict("records")
    assert (against["bhs_difference"], against["rows"]) == (-12.5, 8)
    assert against["bhs_difference_low"] <= -12.5 <= against["bhs_difference_high"]
    # List prices a million tokens: mini 0.40 and 1.60 dollars, nano 0.10 and 0.40; Ollama free.
    cost = tables["costs"].set_index("judge")
    spent = [
        sum(r["runs"][0]["models"][n][f"{kind}_tokens"] for r in (record(main), record(candidates)))
        for n in (0, 1)
        for kind in ("prompt", "completion")
    ]
    mini, nano = (
        (rate * (spent[at] + 4 * spent[at + 1])) / 1e6 for rate, at in ((0.4, 0), (0.1, 2))
    )
    assert cost.loc["gpt-4.1-mini", "usd_per_1000"] == pytest.approx(1000 * mini / 8)
    assert cost["usd_per_1000"].iloc[0] == pytest.approx(1000 * (mini + nano) / 8)
    assert cost.loc["qwen2.5:32b", "usd_per_1000"] == 0


def test_weights_decide_and_are_part_of_what_the_judge_is(
    call: Call, tmp_path: Path, openai_server: OpenAI, ollama_server: Ollama
) -> None:
    """With 0.1, 0.2 and 0.3, m0 (y y n) is a tie; another weighting is refused."""
    openai = openai_server(answer=says(LABELS))
    ollama = ollama_server(models=["qwen2.5:32b"], answer=says(LABELS))
    source = write_rows(tmp_path / "main.csv", "main")
    given = [*flags(openai, ollama), "--input", source, "--output", "out.csv"]
    assert call(*given, "--weights", "0.1,0.2,0.3").code == 0
    out = tmp_path / "out.csv"
    assert column(out, "is_hallucinated") == ["unknown", "yes", "no", "no"]
    assert column(out, "unknown_reason") == ["tie", "", "", ""]
    assert column(out, "p_hallucinated") == ["0.5", "0.666667", "0", "0"]
    done = call(*given, "--weights", "1,1,3", "--resume")
    assert done.code == 2
    assert "name another --output" in done.err


def test_a_member_that_cannot_be_reached_has_no_votes(
    call: Call, tmp_path: Path, openai_server: OpenAI, ollama_server: Ollama
) -> None:
    """The others decide, the run says so and ends with 1; once it is back, only it is asked.

    Fault: with --resume such an output was called complete, though a member had no votes.
    """
    openai = openai_server(answer=says(LABELS))
    ollama = ollama_server(models=["other:7b"], answer=says(LABELS))
    source = write_rows(tmp_path / "main.csv", "main")
    given = [*flags(openai, ollama), "--input", source, "--output", "out.csv"]
    done = call(*given)
    assert done.code == 1
    assert "ollama:qwen2.5:32b is left out of the panel" in done.err
    assert "gave no reply for 4 rows" in done.out
    out = tmp_path / "out.csv"
    assert column(out, "is_hallucinated") == ["yes", "unknown", "no", "no"]
    assert set(column(out, f"unknown_reason_{SLUGS[2]}")) == {"no reply: out of reach"}
    assert record(out)["judge"]["members"][2]["unanswered"] == 4
    openai.answer = always("no")  # which settles the tie
    for _ in range(2):
        again = call(*given, "--resume")
        assert again.code == 1
        assert "gave no reply for 4 rows" in again.out
        assert column(out, "is_hallucinated") == ["yes", "no", "no", "no"]
    before = openai.counts.requests
    back = ollama_server(models=["qwen2.5:32b"], answer=says(LABELS))
    assert call(*given, "--overwrite", "--ollama-url", back.url).code == 0
    posted = [seen for seen in openai.requests[before:] if seen.method == "POST"]
    assert posted == []
    assert column(out, f"label_{SLUGS[2]}") == ["no", "unknown", "no", "no"]
    assert record(out)["runs"][0]["replies"]["cost_usd"] > 0


def test_a_row_with_nothing_to_judge_is_settled(
    call: Call, tmp_path: Path, openai_server: OpenAI, ollama_server: Ollama
) -> None:
    """Fault: a blank answer had "no votes", so that every run promised to ask for it again."""
    openai, ollama = openai_server(answer=always("no")), ollama_server(models=["qwen2.5:32b"])
    with writing(tmp_path / "main.csv", ("id", "context", "question", "correct_answer")) as writer:
        writer.writerow(["1", "প্রসঙ্গ।", "কী?", " "])
        writer.writerow(["2", "প্রসঙ্গ।", "কী?", "ক"])
    given = [*flags(openai, ollama), "--input", tmp_path / "main.csv", "--output", "out.csv"]
    assert call(*given, "--force-binary").code == 0
    assert column(tmp_path / "out.csv", "unknown_reason") == ["blank input", ""]


def test_a_panel_without_any_member_in_reach_is_no_run(
    call: Call, tmp_path: Path, ollama_server: Ollama
) -> None:
    ollama = ollama_server(models=["other:7b"])
    source = write_rows(tmp_path / "main.csv", "main")
    done = call(
        "--judge", "panel", "--models", "ollama:a:1b,ollama:b:1b", "--ollama-url", ollama.url,
        "--input", source, "--output", "out.csv",
    )  # fmt: skip
    assert done.code == 1
    assert not (tmp_path / "out.csv").exists()


def test_a_killed_panel_goes_on_to_the_same_bytes(
    tmp_path: Path, openai_server: OpenAI, ollama_server: Ollama
) -> None:
    """Nothing that was answered is asked again, of any member or sample."""
    openai = openai_server(answer=says(LABELS))
    ollama = ollama_server(models=["qwen2.5:32b"], answer=says(LABELS))
    source = write_rows(tmp_path / "main.csv", "main", rows=12)
    always = [
        "--task=qa", "--input", source, "--quiet", "--samples=2", "--temperature=0.7",
        "--concurrency=2", *flags(openai, ollama),
    ]  # fmt: skip
    whole = run_script("scripts/label.py", *always, "--output", tmp_path / "whole.csv")
    assert whole.code == 0, whole.err
    asked = len([seen for seen in openai.requests if seen.method == "POST"])
    assert asked == 12 * 2 * 2
    openai.hold(after=21)
    killed = start_script("scripts/label.py", *always, "--output", tmp_path / "out.csv")
    openai.until_held(4)  # two of each model
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    openai.until_held(0)
    openai.release()
    again = run_script("scripts/label.py", *always, "--output", tmp_path / "out.csv", "--resume")
    assert again.code == 0, again.err
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    second = [seen for seen in openai.requests if seen.method == "POST"][asked:]
    keys = Counter((seen.prompt, seen.body["model"], seen.body["seed"]) for seen in second)
    assert len(keys) == asked
    assert len(second) - len(keys) == 4  # what was in flight at the kill


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--judge", "panel"], "needs --models"),
        (["--judge", "panel", "--models", "openai:a"], "two or more"),
        (["--judge", "panel", "--models", "openai:a,gpt-4"], "PROVIDER:MODEL"),
        (["--judge", "panel", "--models", "openai:a,openai:A"], "is openai:a in all but signs"),
        (["--judge", "panel", "--models", "openai:a,openai:a"], "is there twice; leave one out"),
        (["--judge", "panel", "--models", "openai:a,hf:b", "--weights", "1"], "--weights 1"),
        (["--judge", "panel", "--models", "openai:a,hf:b", "--weights", "1,0"], "--weights 1,0"),
        (["--judge", "panel", "--models", "openai:a,hf:b", "--num-ctx", "9"], "--num-ctx"),
        (["--judge", "panel", "--models", "openai:a,hf:b", "--model", "c"], "--model"),
        (["--judge", "openai", "--model", "m", "--models", "openai:a"], "no use of --models"),
        (["--samples", "3", "--temperature", "1"], "no use of --samples, --temperature"),
        (["--judge", "openai", "--model", "m", "--samples", "3"], "needs --temperature"),
        (["--judge", "openai", "--model", "m", "--temperature", "1"], "--samples N"),
        (
            ["--judge=hf", "--model=m", "--decode=score", "--samples=3", "--temperature=1"],
            "every sample would be the same",
        ),
    ],
)
def test_wrong_calls_are_one_line(
    call: Call, tmp_path: Path, argv: list[str], message: str
) -> None:
    source = write_rows(tmp_path / "main.csv", "main")
    done = call(*argv, "--input", source, "--output", "out.csv")
    assert done.code == 2
    assert message in done.err


def test_a_dry_run_prices_each_member(
    call: Call, tmp_path: Path, openai_server: OpenAI, ollama_server: Ollama
) -> None:
    """One line per member, one total, nothing asked and nothing written."""
    openai, ollama = openai_server(), ollama_server()
    source = write_rows(tmp_path / "main.csv", "main")
    given = [*flags(openai, ollama), "--input", source, "--output", "out.csv", "--dry-run"]
    done = call(*given, "--samples", 3, "--temperature", 1)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    for member in MODELS.split(","):
        (line,) = (line for line in lines if line.startswith(f"{member}: "))
        assert "12 requests; about" in line
    assert "4 of 4 rows to judge, 36 requests; about" in lines[-1]
    assert (openai.counts.requests, ollama.counts.requests) == (0, 0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "main.csv"]
