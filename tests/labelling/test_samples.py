"""Repeated judging: what several replies to one row come to."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.labelling.conftest import Call
from tests.labelling.test_panels import write_rows
from tests.scripts.rows import column, record
from tests.servers.answers import Answer, Body, prompt_of
from tests.servers.openai_server import OpenAIServer

OpenAI = Callable[..., OpenAIServer]


def test_samples_are_counted_by_hand(call: Call, tmp_path: Path, openai_server: OpenAI) -> None:
    """Five samples a row: m0 y y n y n is 3/5 yes; m1 has no vote; m2 y n and three unread ties."""
    labels = {
        "m0": ["yes", "yes", "no", "yes", "no"],
        "m1": ["hm"] * 5,
        "m2": ["yes", "hm", "no", "hm", "hm"],
    }

    def answer(body: Body) -> Answer:
        judged = prompt_of(body).partition("[")[2].partition("]")[0]
        assert body["temperature"] == 0.7
        return Answer(labels[judged][int(body["seed"]) - 1])

    server = openai_server(answer=answer)
    source = write_rows(tmp_path / "main.csv", "main", rows=3)
    given = [
        "--judge", "openai", "--model", "gpt-4.1-mini", "--base-url", server.url,
        "--input", source, "--output", "out.csv", "--temperature", "0.7",
    ]  # fmt: skip
    assert call(*given, "--samples", 5).code == 0
    out = tmp_path / "out.csv"
    assert column(out, "is_hallucinated") == ["yes", "unknown", "unknown"]
    assert column(out, "unknown_reason") == ["", "unparsed", "tie"]
    assert column(out, "p_hallucinated") == ["0.6", "", "0.5"]
    assert column(out, "agreement") == ["0.6", "", "0.5"]
    assert column(out, "sample_labels")[0] == "yes,yes,no,yes,no"
    assert json.loads(column(out, "raw_response")[0]) == labels["m0"]
    judge = record(out)["judge"]
    assert judge["samples"] == "5 samples at 0.7"
    assert judge["mean_agreement"] == pytest.approx(0.55)
    for other in (["--samples", 4], []):
        done = call(*(given if other else given[:-2]), *other, "--resume")
        assert done.code == 2
        assert "was labelled with the samples 5 samples at 0.7" in done.err
