"""E-CoT with real models: a served one that keeps a schema, a Hugging Face one that cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.io.tables import read_frame, writing
from tests import scripting
from tests.models.hf_models import random_model
from tests.servers.process import Child
from tests.servers.real_llm import MODEL, PATIENCE

pytestmark = pytest.mark.timeout(2 * PATIENCE)


def write_rows(path: Path) -> Path:
    with writing(path, ("context", "question", "answer")) as writer:
        writer.writerow(["Dhaka is the capital of Bangladesh.", "What is the capital?", "Dhaka"])
        writer.writerow(["ঢাকা রাজধানী।", "রাজধানী কী?", "সিলেট"])
    return path


def test_a_real_model_with_a_schema(
    tmp_path: Path, real_llm: Child, run_script: Callable[..., scripting.Finished]
) -> None:
    """Held to the schema, even a very small model's claims are read, verified and counted."""
    output = tmp_path / "out.csv"
    done = run_script(
        "scripts/label.py", "--task=qa", "--judge=openai", "--prompt=qa.ecot", "--model", MODEL,
        "--base-url", real_llm.url, "--input", write_rows(tmp_path / "in.csv"), "--output", output,
        "--start=1", "--max-tokens=120", "--timeout", PATIENCE, "--quiet",
    )  # fmt: skip
    assert done.code == 0, done.err
    frame = read_frame(output)
    assert set(frame["is_hallucinated"]) <= {"yes", "no", "unknown"}
    assert frame["raw_response"].str.startswith("{").all()
    for claims, number in zip(frame["claims_json"], frame["num_claims"], strict=True):
        assert len(json.loads(claims or "[]")) == int(number or 0)
    assert frame["claims_json"].ne("").any()


def test_a_hugging_face_model_is_asked_plainly(
    tmp_path: Path, run_script: Callable[..., scripting.Finished]
) -> None:
    """A local model that writes noise is asked twice, and its rows stay unknown."""
    pytest.importorskip("transformers")
    model = random_model(tmp_path / "model", context=8192)
    output = tmp_path / "out.csv"
    done = run_script(
        "scripts/label.py", "--task=qa", "--judge=hf", "--prompt=qa.ecot", "--model", model,
        "--device=cpu", "--input", write_rows(tmp_path / "in.csv"), "--output", output,
        "--max-tokens=12", "--quiet",
    )  # fmt: skip
    assert done.code == 0, done.err
    frame = read_frame(output)
    assert set(frame["is_hallucinated"]) == {"unknown"}
    assert set(frame["unknown_reason"]) <= {"unparsed", "cut off"}
    record = json.loads(Path(f"{output}.run.json").read_text(encoding="utf-8"))
    assert record["judge"]["asked_twice"] == 2
    assert record["runs"][0]["asked"] == 4
