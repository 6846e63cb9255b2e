"""Labels by trained classifiers: `--judge encoder` and `--judge nli`."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.io.tables import Table
from banglahallueval.judges.factory import JudgeSpec
from banglahallueval.labelling.commands import Preset, label
from banglahallueval.labelling.explain_command import explain_main
from banglahallueval.labelling.plan import default_output
from banglahallueval.models.options import ClassifierOptions
from banglahallueval.tasks import TASKS, TaskName
from tests.in_process import ended
from tests.labelling.conftest import Call
from tests.models.classifiers import random_classifier
from tests.scripting import ROOT

XNLI = {0: "entailment", 1: "neutral", 2: "contradiction"}


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (["--concurrency", "3"], "--concurrency"),
        (["--decode", "score"], "--decode"),
        (["--load-in-4bit"], "--load-in-4bit"),
        (["--prompt", "qa.cot"], "--prompt"),
        (["--store", "s.sqlite"], "--store"),
        (["--force-binary"], "--force-binary"),
        (["--base-url", "http://h/v1"], "--base-url"),
    ],
)
def test_flags_of_chat_models_are_refused(call: Call, flags: list[str], named: str) -> None:
    done = call("--judge", "encoder", "--model", "m", *flags)
    assert done.code == 2
    assert f"makes no use of {named};" in done.err


@pytest.mark.parametrize("judge", ["nli", "offline"])
def test_only_an_encoder_has_a_template(call: Call, judge: str) -> None:
    model = ["--model", "m"] if judge == "nli" else []
    done = call("--judge", judge, *model, "--template", "request")
    assert done.code == 2
    assert "makes no use of --template;" in done.err


@pytest.mark.parametrize("judge", ["encoder", "nli"])
def test_a_classifier_needs_a_model(call: Call, judge: str) -> None:
    done = call("--judge", judge)
    assert (done.code, done.err) == (2, f"error: --judge {judge} needs --model NAME\n")


def test_the_default_output_is_named_after_the_model() -> None:
    judge = JudgeSpec("encoder", classifier=ClassifierOptions("org/Some-Encoder"))
    assert default_output("qa", Path("in.csv"), judge).name == "in_org_some_encoder.csv"


# What follows runs a model.


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("models")
    return {
        "encoder": random_classifier(folder / "encoder"),
        "nli": random_classifier(
            folder / "nli", "BertForSequenceClassification", XNLI, positions=256
        ),
    }


def rows(path: Path) -> list[dict[str, str]]:
    table = Table(path)
    return [dict(zip(table.columns, cells, strict=True)) for cells in table.rows()]


def record(path: Path) -> dict[str, Any]:
    loaded = json.loads(Path(f"{path}.run.json").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


@pytest.mark.parametrize("judge", ["encoder", "nli"])
@pytest.mark.parametrize("task", list(TASKS))
def test_every_task_is_labelled_with_its_spans(
    task: TaskName,
    judge: str,
    models: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`yes` where a span is marked, its highest score the probability; the record says by whom."""
    source = ROOT / TASKS[task].samples["candidates"]
    output = tmp_path / "out.csv"
    flags = ["--task", task, "--judge", judge, "--model", models[judge], "--device", "cpu"]
    flags += ["--input", str(source), "--output", str(output), "--limit", "6", "--explain"]
    done = ended(capsys, lambda: label(Preset("Label."), [*flags, "--quiet"]))
    assert (done.code, done.err) == (0, "")
    found = rows(output)
    assert len(found) == 6
    for row in found:
        p, spans = float(row["p_hallucinated"]), json.loads(row["unsupported_spans"])
        assert 0 <= p <= 1
        assert row["is_hallucinated"] == ("yes" if p >= 0.5 else "no")
        assert bool(spans) is (p >= 0.5)
        assert all(span["field"] == "output" and span["text"].strip() for span in spans)
        assert row["explanation"] == row["raw_response"]
    judged = record(output)["judge"]
    assert (judged["kind"], judged["name"]) == (judge, models[judge])
    assert judged["model"]["revision"]
    assert judged["supported_labels"] == [0]
    assert ended(capsys, lambda: explain_main("Show.", [str(output)])).code == 0


@pytest.mark.parametrize("judge", ["encoder", "nli"])
def test_slices_make_the_file_of_one_run(
    judge: str, models: dict[str, str], call: Call, tmp_path: Path
) -> None:
    flags = ["--judge", judge, "--model", models[judge], "--device", "cpu"]
    assert call(*flags).code == 0
    whole = rows(tmp_path / "out.csv")
    assert call(*flags, "--overwrite", "--start", 5).code == 0
    assert call(*flags, "--resume").code == 0
    for one, other in zip(whole, rows(tmp_path / "out.csv"), strict=True):
        p, same = (float(row.pop("p_hallucinated")) for row in (one, other))
        assert p == pytest.approx(same, abs=1e-4)
        assert one["is_hallucinated"] == other["is_hallucinated"]
    assert "nothing left to ask" in call(*flags, "--resume").out


def test_labels_of_another_template_are_not_mixed(
    call: Call, tmp_path: Path, models: dict[str, str]
) -> None:
    """Fault: --resume labelled the rest with texts given in another way."""
    flags = ["--judge", "encoder", "--model", models["encoder"], "--device", "cpu"]
    assert call(*flags, "--limit", 2, "--template", "question").code == 0
    before = (tmp_path / "out.csv").read_bytes()
    for template in ([], ["--template", "request"]):
        done = call(*flags, *template, "--resume")
        assert done.code == 2
        assert "was labelled with the template question, this run has" in done.err
    assert (tmp_path / "out.csv").read_bytes() == before
    assert call(*flags, "--template", "question", "--limit", 3, "--resume").code == 0


def test_labels_of_other_weights_are_not_mixed(
    call: Call, tmp_path: Path, models: dict[str, str]
) -> None:
    """The same folder may hold a model that was trained further."""
    folder = random_classifier(tmp_path / "m")
    flags = ["--judge", "encoder", "--model", folder, "--device", "cpu"]
    assert call(*flags, "--end", 3).code == 0
    weights = tmp_path / "m" / "model.safetensors"
    raw = bytearray(weights.read_bytes())
    raw[-1] ^= 1
    weights.write_bytes(raw)
    done = call(*flags, "--resume")
    assert done.code == 2
    assert "was labelled by a model of revision" in done.err


def test_blank_rows_are_unknown(call: Call, tmp_path: Path, models: dict[str, str]) -> None:
    with (tmp_path / "in.csv").open("a", encoding="utf-8", newline="") as file:
        csv.writer(file).writerow(["blank", *[""] * (len(Table(tmp_path / "in.csv").columns) - 1)])
    assert call("--judge", "encoder", "--model", models["encoder"], "--device", "cpu").code == 0
    last = rows(tmp_path / "out.csv")[-1]
    assert (last["is_hallucinated"], last["unknown_reason"]) == ("unknown", "blank input")


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_missing_model_is_one_line(call: Call, more: list[str], models: dict[str, str]) -> None:
    done = call("--judge", "nli", "--model", "./none", *more)
    assert (done.code, done.err) == (2, "error: --model ./none: there is no such folder or file\n")


def test_a_dry_run_names_the_model_and_loads_nothing(call: Call, models: dict[str, str]) -> None:
    done = call("--judge", "nli", "--model", models["nli"], "--dry-run")
    assert done.code == 0
    assert f"Running {models['nli']} on this machine" in done.out
    assert "8 of 8 rows to judge; nothing was asked" in done.out
