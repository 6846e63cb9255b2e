"""A study from files to tables: figures checked by hand, what fails, what is asked again."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table, read_frame
from banglahallueval.labelling.plan import Plan
from banglahallueval.mitigation.commands import Preset, study_main
from banglahallueval.scoring.load import load
from banglahallueval.scoring.report_tables import overview
from banglahallueval.scoring.results import results
from banglahallueval.tasks import split_final_answer
from tests.in_process import run_script
from tests.mitigation.studies import answers, run_study, table, write_files
from tests.scripting import ROOT, start_script
from tests.servers.answers import Answer, Body, always, by_hash, hashed_label, prompt_of
from tests.servers.openai_server import OpenAIServer

Servers = Callable[..., OpenAIServer]
YES = {
    "standard": ["m0", "c0", "c1"],
    "cot": ["m0", "m1", "c0", "c1", "c2"],
    "ecot": ["c0", "c1", "c2"],
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9")


def test_the_tables_hold_what_a_hand_finds(tmp_path: Path, openai_server: Servers) -> None:
    """Four main rows and four candidates: every figure of the tables, counted by hand."""
    files = write_files(tmp_path, 4)
    false = {"c0": [("এখানে", "supported"), ("অন্য কথা", "supported")]}
    server = openai_server(
        answer=answers(YES, claims=false, verdicts={"c0": "no"}), ignores=["json_schema"]
    )
    assert run_study(tmp_path / "out", server.url, files) == 0

    arms = table(tmp_path / "out", "mitigation").set_index("prompt")
    assert list(arms.index) == ["standard", "cot", "ecot"]
    assert arms["a_err"].to_list() == [0.25, 0.5, 0.0]
    assert arms["b_err"].to_list() == [0.5, 0.25, 0.25]
    assert arms["bhs"].to_list() == [37.5, 37.5, 12.5]
    # c0 is the one row of eight where the model's verdict is not the rule's; one of nine
    # citations (eight rows with one, c0 with two) is false.
    assert arms.loc["ecot", "divergence"] == 1 / 8
    assert arms.loc["ecot", "false_citations"] == pytest.approx(1 / 9)
    asked = Counter(len(seen.prompt) // 3 for seen in server.requests if seen.body)
    assert arms["prompt_tokens"].sum() == sum(size * count for size, count in asked.items())
    # List price of gpt-4.1-mini: 0.40 and 1.60 dollars a million tokens.
    first = arms.loc["standard"]
    dollars = (0.4 * first["prompt_tokens"] + 1.6 * first["completion_tokens"]) / 1e6
    assert first["usd"] == pytest.approx(dollars)

    pairs = table(tmp_path / "out", "mitigation_differences").set_index(["with", "without"])
    assert pairs["bhs_difference"].to_dict() == {
        ("ecot", "cot"): -25,
        ("ecot", "standard"): -25,
        ("cot", "standard"): 0,
    }
    # E-CoT is right on m0 and m1 where CoT is wrong, never the other way: 2 · ½².
    assert pairs.loc[("ecot", "cot"), "mcnemar_p"] == 0.5
    for name in ("scores.md", "scores.tex", "mitigation.csv", "study.json"):
        assert (tmp_path / "out" / name).exists()
    assert "37.500" in (tmp_path / "out" / "scores.md").read_text(encoding="utf-8")


def test_a_finished_study_asks_nothing(tmp_path: Path, openai_server: Servers) -> None:
    """The same command again asks nothing, not even for unknown rows; --resume asks for those."""
    files = write_files(tmp_path, 4)
    server = openai_server(answer=always("not sure"), ignores=["json_schema"])
    assert run_study(tmp_path / "out", server.url, files) == 0
    before = server.counts.requests
    assert run_study(tmp_path / "out", server.url, files) == 0
    assert server.counts.requests == before
    server.answer = answers(YES)
    assert run_study(tmp_path / "out", server.url, files, "--resume") == 0
    assert table(tmp_path / "out", "mitigation")["unknown"].to_list() == [0, 0, 0]


def test_a_killed_study_asks_nothing_twice(tmp_path: Path, openai_server: Servers) -> None:
    """Killed in the middle and started again: only what was in flight is asked again."""
    files = write_files(tmp_path, 8)
    server = openai_server(answer=answers(YES), ignores=["json_schema"])
    server.hold(after=21)
    flags = [
        "--judges=openai:gpt-4.1-mini", "--tasks=qa", "--base-url", server.url, "--quiet",
        "--concurrency=2", "--output", tmp_path / "out",
        *(f"--input=qa.{track}={path}" for track, path in files.items()),
    ]  # fmt: skip
    process = start_script("scripts/run_mitigation.py", *flags)
    server.until_held(2)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    server.until_held(0)
    server.release()
    again = run_script("scripts/run_mitigation.py", *flags)
    assert again.code == 0, again.err
    asked = Counter(seen.prompt for seen in server.requests if seen.body)
    assert len(asked) == 3 * 16
    assert asked.total() - len(asked) == 2
    # The replies of the killed run are in the costs.
    arms = table(tmp_path / "out", "mitigation")
    assert arms["prompt_tokens"].sum() == sum(len(prompt) // 3 for prompt in asked)


def test_one_failing_judge_stops_no_other(
    tmp_path: Path, openai_server: Servers, capsys: pytest.CaptureFixture[str]
) -> None:
    """A judge whose server is down is named with its reason; the others are labelled and scored."""
    files = write_files(tmp_path, 2)
    server = openai_server(answer=answers(YES), ignores=["json_schema"])
    judges = ["--judges", "ollama:llama3.1:8b,openai:gpt-4.1-mini"]
    assert run_study(tmp_path / "out", server.url, files, *judges) == 1
    assert len(table(tmp_path / "out", "mitigation")) == 3
    (failed,) = table(tmp_path / "out", "mitigation_failures").to_dict("records")
    assert (failed["judge"], failed["number"]) == ("ollama:llama3.1:8b", 6)
    assert "cannot reach" in failed["why"]
    assert "Traceback" not in capsys.readouterr().err


def test_a_fault_of_our_own_stops_no_other_arm(
    tmp_path: Path, openai_server: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even an error that nobody foresaw costs one arm only."""
    from banglahallueval.mitigation import arms

    def broken(plan: Plan) -> int:
        if plan.judge.prompt and plan.judge.prompt.name == "qa.cot":
            raise ZeroDivisionError("unforeseen")
        return run(plan)

    from banglahallueval.labelling.run import run

    monkeypatch.setattr(arms, "run", broken)
    server = openai_server(answer=answers(YES), ignores=["json_schema"])
    assert run_study(tmp_path / "out", server.url, write_files(tmp_path, 2)) == 1
    assert table(tmp_path / "out", "mitigation")["prompt"].to_list() == ["standard", "ecot"]


def test_a_refused_schema_is_learned_and_left_out(tmp_path: Path, openai_server: Servers) -> None:
    """A server without structured output is asked once with a schema, then plainly."""
    files = write_files(tmp_path, 3)
    server = openai_server(answer=answers(YES), refuses=["json_schema"])
    assert run_study(tmp_path / "out", server.url, files, "--prompts=ecot", "--concurrency=1") == 0
    with_schema = [bool(s.body.get("response_format")) for s in server.requests if s.body]
    # Two runs, main and candidates, each of which has to learn it.
    assert Counter(with_schema) == {True: 2, False: 6}
    assert table(tmp_path / "out", "mitigation")["bhs"].to_list() == [0.0]


def test_a_schema_that_is_kept_needs_no_second_asking(
    tmp_path: Path, openai_server: Servers
) -> None:
    """The reply schema is one that the API takes as strict."""
    server = openai_server(answer=by_hash())
    run_study(tmp_path / "out", server.url, write_files(tmp_path, 1), "--prompts=ecot")
    named = [s.body["response_format"]["json_schema"] for s in server.requests if s.body]
    assert {s.status for s in server.requests} == {200}
    assert named[0]["strict"] is True


def evidence_of(prompt: str) -> str:
    return prompt.partition("Evidence:\n")[2].partition("\n\nSolution to check:")[0]


def agrees(body: Body) -> Answer:
    """Cites the evidence's first line as support for everything."""
    cited = evidence_of(prompt_of(body)).partition("\n")[0]
    claim = {"claim": "ক", "supported_by": cited, "status": "supported"}
    return Answer(json.dumps({"claims": [claim], "verdict": "no"}, ensure_ascii=False))


@pytest.mark.parametrize("evidence", ["gold", "problem"])
def test_the_leak_of_the_published_study_is_marked(
    tmp_path: Path, openai_server: Servers, evidence: str
) -> None:
    """Regression: with the gold solution as evidence main rows are judged against themselves."""
    server = openai_server(answer=agrees, ignores=["json_schema"])
    flags = [
        "--judges=openai:gpt-4.1-mini", "--tasks=reasoning", "--prompts=ecot", "--samples",
        "--pilot=3", "--base-url", server.url, "--quiet", "--output", tmp_path / "out",
        "--evidence", evidence, *(["--report"] if evidence == "gold" else []),
    ]  # fmt: skip
    assert study_main(Preset("Study."), [str(flag) for flag in flags]) == 0

    main = read_frame(tmp_path / "out" / "samples" / "reasoning_main.csv")
    candidates = read_frame(tmp_path / "out" / "samples" / "reasoning_candidates.csv")
    shown = {evidence_of(seen.prompt) for seen in server.requests if seen.body}
    gold = {*main["answer"], *candidates["answer"]}
    assert shown == gold if evidence == "gold" else not shown & gold
    (row,) = table(tmp_path / "out", "mitigation").to_dict("records")
    assert ("not meaningful" in row["remark"]) == (evidence == "gold")
    (policy,) = table(tmp_path / "out", "mitigation_policies").to_dict("records")
    assert policy["remark"] == row["remark"]
    trusted = table(tmp_path / "out", "mitigation_samples").set_index("figure")["remark"]
    assert trusted.to_dict() == {"a_err": row["remark"], "b_err": "", "bhs": row["remark"]}

    if evidence == "gold":
        page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
        assert 'id="table-mitigation"' in page
        assert row["remark"] in page

    made = overview(results(load([tmp_path / "out" / "openai_gpt_4_1_mini"])))
    (files,) = (each.frame for each in made if each.name == "files")
    assert files["note"].str.contains("not meaningful").sum() == (evidence == "gold")


def test_problem_evidence_shows_no_solution(tmp_path: Path, openai_server: Servers) -> None:
    """By default no line of a candidate's right solution is shown, unless the candidate has it."""
    server = openai_server(answer=agrees, ignores=["json_schema"])
    source = ROOT / "Hallucination Generated Answers" / "reasoning_sample.csv"
    output = tmp_path / "out.csv"
    done = run_script(
        "scripts/label.py", "--task=reasoning", "--judge=openai", "--model=gpt-4.1-mini",
        "--prompt=reasoning.ecot", "--input", source, "--output", output, "--limit=12",
        "--base-url", server.url, "--quiet",
    )  # fmt: skip
    assert done.code == 0, done.err
    frame = read_frame(output)
    prompts = {seen.prompt for seen in server.requests if seen.body}
    for cell, right in zip(frame["hallucinated_chain"], frame["answer"], strict=True):
        chain, _ = split_final_answer(cell)
        (prompt,) = (p for p in prompts if chain in p)
        hidden = [line for line in right.splitlines() if line not in chain]
        assert hidden
        assert not [line for line in hidden if line in prompt]


def test_code_mixed_qa_has_no_cot_arm_and_the_table_says_so(
    tmp_path: Path, openai_server: Servers
) -> None:
    """The missing arm is no failure, and no silence."""
    server = openai_server()
    flags = [
        "--judges=openai:gpt-4.1-mini", "--tasks=codemix", "--prompts=standard,cot", "--samples",
        "--pilot=4", "--base-url", server.url, "--quiet", "--output", str(tmp_path / "out"),
    ]  # fmt: skip
    assert study_main(Preset("Study."), flags) == 0
    assert table(tmp_path / "out", "mitigation")["prompt"].to_list() == ["standard"]
    assert "no chain-of-thought prompt" in (tmp_path / "out" / "scores.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--judges", "gpt-4.1-mini"], "PROVIDER:MODEL"),
        (["--judges", "openai:a.b,ollama:a-b"], "two judges are called like openai:a.b"),
        (["--prompts", "few_shot", "--shots", "99"], "of 99 examples"),
        (["--prompts", "cot", "--shots", "2"], "few_shot to --prompts"),
        (["--prompts", "cot,ecott"], "did you mean ecot?"),
        (["--input", "qa.gold=x.csv"], "TASK.TRACK=CSV"),
        (["--prompts", "cot", "--policy", "rule"], "--policy is for"),
        (["--evidence", "gold", "--tasks", "codemix", "--prompts", "cot"], "is for"),
        (["--evidence", "gold", "--tasks", "qa"], "which is not among --tasks"),
        (["--num-ctx", "4096"], "no use of --num-ctx"),
        (["--full", "nowhere.csv"], "no labelled CSV at nowhere.csv"),
    ],
)
def test_wrong_calls_are_refused_before_anything_is_asked(
    tmp_path: Path, openai_server: Servers, flags: list[str], message: str
) -> None:
    """One line that names the flag."""
    server = openai_server()
    with pytest.raises(UsageError, match=message):
        run_study(tmp_path / "out", server.url, write_files(tmp_path, 1), *flags)
    assert server.counts.requests == 0


def test_arms_judge_the_same_rows(tmp_path: Path, openai_server: Servers) -> None:
    """With --pilot, all arms share one sample, which is written beside them."""
    files = write_files(tmp_path, 12, per_source=2)
    server = openai_server(answer=lambda body: Answer(hashed_label(prompt_of(body))))
    flags = ["--pilot=5", "--prompts=standard,cot"]
    assert run_study(tmp_path / "out", server.url, files, *flags) == 0
    for track in ("main", "candidates"):
        drawn = [*Table(tmp_path / "out" / "samples" / f"qa_{track}.csv").rows()]
        assert len(drawn) == 5
        for style in ("standard", "cot"):
            labelled = tmp_path / "out" / "openai_gpt_4_1_mini" / f"qa_{track}_{style}.csv"
            assert [cells[: len(drawn[0])] for cells in Table(labelled).rows()] == drawn
