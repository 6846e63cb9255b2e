"""Chains whose labels are known, read from the data beside the repository where they are there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from banglahallueval.io.tables import read_frame
from banglahallueval.judges.offline import judge_offline
from banglahallueval.tasks import Item

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("BANGLAHALLUEVAL_DATA", ROOT.parent / "shared" / "data"))
CHAINS = DATA.parent / "cases" / "chains.csv"
CASES = list(read_frame(CHAINS).to_dict("records")) if CHAINS.exists() else []


@pytest.mark.skipif(not CASES, reason="the known chains are not here")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_known_chains_have_their_labels(case: dict[str, str]) -> None:
    """Each chain has its label; a conclusion against the last result is suspected, not proven."""
    verdict = judge_offline(Item("reasoning", "", "", case["chain"]))
    assert verdict.label == case["label"]
    if "not proven" in case["why"]:
        assert not any(finding.proven for finding in verdict.findings)
