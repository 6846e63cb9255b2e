"""Hybrids, panels, absent and local models in a study, and what it would cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import regex

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.tables import read_frame, writing
from banglahallueval.mitigation.judges import read_judges
from tests.mitigation.studies import answers, run_study, study_of, table, write_files
from tests.models.hf_models import random_model
from tests.servers.answers import Answer, Answerer, Body, always
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer

OpenAI = Callable[..., OpenAIServer]
Ollama = Callable[..., OllamaServer]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")


def by_model(yes: Mapping[str, list[str]]) -> Answerer:
    """Each model calls its own outputs hallucinated, by the standard prompt."""
    models = {model: answers({"standard": outputs}) for model, outputs in yes.items()}

    def answer(body: Body) -> Answer:
        return models[str(body["model"])](body)

    return answer


def test_names_of_judges() -> None:
    """A model, a hybrid of one, a panel of several; each is named as its files' scores name it."""
    given = "openai:a,hybrid:ollama:b:7b,panel:openai:a+ollama:b:7b"
    judges = read_judges([given])
    assert ",".join(map(str, judges)) == given
    assert [judge.name for judge in judges] == ["a", "hybrid b:7b", "panel of a, b:7b"]
    for wrong in ("panel:openai:a", "panel:openai:a+b", "hybrid:a", "hybrid:hybrid:openai:a"):
        with pytest.raises(UsageError, match="--judges"):
            read_judges([wrong])


def test_a_panel_and_a_hybrid_beside_a_model_by_hand(tmp_path: Path, openai_server: OpenAI) -> None:
    """Four rows a track; the offline judge proves nothing in them.

    a says yes to m0 c0 c1, b to m0 m1 c0 c2, c to c0 c1 c3. The panel says yes to m0 (a b), to c0
    (all), c1 (a c): A-err 1/4, B-err 2/4, BHS 37.5. a alone: 1/4, 2/4: 37.5. The hybrid is a.
    """
    yes = {
        "a": ["m0", "c0", "c1"],
        "b": ["m0", "m1", "c0", "c2"],
        "c": ["c0", "c1", "c3"],
    }
    server = openai_server(answer=by_model(yes))
    files = write_files(tmp_path, 4)
    judges = "openai:a,hybrid:openai:a,panel:openai:a+openai:b+openai:c"
    flags = ["--judges", judges, "--prompts", "standard"]
    assert run_study(tmp_path / "out", server.url, files, *flags) == 0
    arms = table(tmp_path / "out", "mitigation").set_index("judge")
    assert list(arms.index) == judges.split(",")
    assert arms["a_err"].to_list() == [0.25, 0.25, 0.25]
    assert arms["b_err"].to_list() == [0.5, 0.5, 0.5]
    assert arms["bhs"].to_list() == [37.5, 37.5, 37.5]
    tokens = arms["prompt_tokens"].to_list()
    assert tokens[2] == 3 * tokens[0]
    panel = tmp_path / "out" / "panel_openai_a_openai_b_openai_c" / "qa_main_standard.csv"
    assert read_frame(panel)["label_openai_b"].to_list() == ["yes", "yes", "no", "no"]
    before = server.counts.requests
    assert run_study(tmp_path / "out", server.url, files, *flags) == 0
    assert server.counts.requests == before


def test_a_model_known_to_be_absent_is_asked_once(tmp_path: Path, ollama_server: Ollama) -> None:
    """Six arms name the reason; only the first of them asked the server."""
    ollama = ollama_server(models=["other:7b"])
    files = write_files(tmp_path, 2)
    flags = ["--judges", "ollama:absent:7b", "--ollama-url", ollama.url]
    with pytest.raises(RunError, match="6 arms"):
        study_of(tmp_path / "out", files, *flags)
    shown = [seen for seen in ollama.requests if seen.path == "/api/show"]
    assert len(shown) == 1


def test_a_key_that_is_missing_is_asked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fault: each of the arms said so anew."""
    monkeypatch.setenv("OPENAI_API_KEY", "")
    with pytest.raises(RunError, match="none of 6 arms could be labelled; the last: no OpenAI key"):
        study_of(tmp_path / "out", write_files(tmp_path, 1), "--judges", "openai:m")
    assert capsys.readouterr().err.count("no OpenAI key") == 1


def test_one_loaded_hugging_face_model_serves_all_arms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault: the weights were read again for each of the arms, and are given back at the end."""
    pytest.importorskip("transformers")
    from banglahallueval.models.huggingface import kept, loading

    loads = []
    load = loading.load

    def counted(*args: object, **options: object) -> object:
        loads.append(args)
        return load(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(loading, "load", counted)
    model = random_model(tmp_path / "model", context=4096)
    files = write_files(tmp_path, 1)
    flags = [
        "--judges", f"hf:{model}", "--prompts=standard,standard_bn", "--device=cpu",
        "--max-tokens=2",
    ]  # fmt: skip
    assert study_of(tmp_path / "out", files, *flags) == 0
    assert len(table(tmp_path / "out", "mitigation")) == 2
    assert len(loads) == 1
    assert kept._kept is None


def test_a_dry_run_prints_a_prompt_per_kind_one_table_and_one_total(
    tmp_path: Path, openai_server: OpenAI, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two judges, two kinds of prompts, two tracks: 8 arms of 2 rows; and nothing is written."""
    server = openai_server()
    files = write_files(tmp_path, 3)
    flags = ["--judges", "openai:gpt-4.1-mini,openai:gpt-4.1-nano", "--prompts=standard,ecot"]
    before = sorted(tmp_path.rglob("*"))
    assert run_study(tmp_path / "out", server.url, files, *flags, "--dry-run", "--pilot=2") == 0
    out = capsys.readouterr().out
    assert regex.findall(r"first prompt of (\S+)", out) == ["qa.standard", "qa.ecot"]
    rows = [line.split("|") for line in out.splitlines() if line.startswith("| openai:")]
    assert [int(row[4]) for row in rows] == [2] * 8
    assert out.count("What the study would ask") == 1
    tokens = [sum(int(row[at].replace(",", "")) for row in rows) for at in (5, 6)]
    dollars = sum(float(row[7]) for row in rows)
    (total,) = [line for line in out.splitlines() if line.startswith("All 8 arms: 16 requests")]
    assert f"about {tokens[0]:,} prompt tokens and at most {tokens[1]:,} reply tokens" in total
    (said,) = regex.findall(r"about \$(\d+\.\d\d)", total)
    assert float(said) == pytest.approx(dollars, abs=0.006)
    assert sorted(tmp_path.rglob("*")) == before
    assert server.counts.requests == 0


def test_few_shot_and_bangla_prompts_are_arms_marked_as_ours(
    tmp_path: Path, openai_server: OpenAI
) -> None:
    """Both tracks show the same examples, and the table says that these prompts are ours."""
    server = openai_server()
    pool = tmp_path / "pool.csv"
    with writing(pool, ("context", "question", "model_answer", "expected", "kind", "style")) as w:
        for n in range(4):
            expected, kind = (("no", "right"), ("yes", "number"))[n % 2]
            w.writerow([f"উৎস {n}", "কে?", "ক", expected, kind, "short"])
        w.writerow(["প্রসঙ্গ 0 এখানে।", "কে?", "shared", "yes", "x", "s"])
    flags = ["--prompts=standard,standard_bn,few_shot", "--shots=3", "--examples", pool]
    server.answer = lambda body: Answer("no")
    assert run_study(tmp_path / "out", server.url, write_files(tmp_path, 2), *flags) == 0
    arms = table(tmp_path / "out", "mitigation")
    assert arms["prompt"].to_list() == ["standard", "standard_bn", "few_shot"]
    heads = Counter(
        seen.prompt.partition("প্রসঙ্গ")[0]
        for seen in server.requests
        if seen.body and "Examples follow" in seen.prompt
    )
    assert list(heads.values()) == [4]
    assert "shared" not in next(iter(heads))
    note = (tmp_path / "out" / "scores.md").read_text(encoding="utf-8")
    assert "few_shot: prompts of this project, not of the published study" in note


def test_latex_tables_show_chosen_columns_and_csv_shows_all(
    tmp_path: Path, openai_server: OpenAI
) -> None:
    """Fault: tables of eighteen columns ran off the page."""
    yes = {"standard": ["m0", "c0"], "cot": ["c0"], "ecot": ["c0", "c1"]}
    server = openai_server(answer=answers(yes), ignores=["json_schema"])
    assert run_study(tmp_path / "out", server.url, write_files(tmp_path, 3)) == 0
    tex = (tmp_path / "out" / "scores.tex").read_text(encoding="utf-8")
    begins = tex.count(r"\begin{tabular}")
    assert begins == tex.count(r"\begin{adjustbox}{max width=\linewidth") > 2
    assert begins == tex.count(r"\end{tabular}" + "\n" + r"\end{adjustbox}")
    assert tex.count(r"\toprule") == begins
    assert max(map(len, tex.splitlines())) < 160
    assert "task & judge & prompt & a err & b err & bhs & unknown & usd" in tex
    columns = read_frame(tmp_path / "out" / "mitigation.csv").columns
    assert {"completion_tokens", "false_contradictions", "bhs_low", "remark"} <= {*columns}


def test_a_study_asks_again_for_the_votes_that_a_panel_lacks(
    tmp_path: Path, openai_server: OpenAI, ollama_server: Ollama
) -> None:
    """Fault: the arm was whole the second time, and the absent member never voted."""
    server = openai_server(answer=by_model({"a": ["c0"]}))
    away = ollama_server(models=["other:1b"])
    files = write_files(tmp_path, 2)
    flags = ["--judges=panel:openai:a+ollama:b:1b", "--prompts=standard", "--base-url", server.url]
    out = tmp_path / "out"
    for _ in range(2):
        assert study_of(out, files, *flags, "--ollama-url", away.url) == 1
    asked = len([seen for seen in server.requests if seen.method == "POST"])
    assert asked == 4
    back = ollama_server(models=["b:1b"], answer=always("yes"))
    assert study_of(out, files, *flags, "--ollama-url", back.url) == 0
    labelled = read_frame(out / "panel_openai_a_ollama_b_1b" / "qa_candidates_standard.csv")
    assert labelled["label_ollama_b_1b"].to_list() == ["yes", "yes"]
    assert len([seen for seen in server.requests if seen.method == "POST"]) == asked
