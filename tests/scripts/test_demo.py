"""The demo shows what the offline judge reacts to, and what it does not."""

from __future__ import annotations

import runpy

import pytest

from tests.scripting import ROOT


def test_a_framed_right_answer_is_kept_and_an_exchanged_name_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runpy.run_path(str(ROOT / "scripts" / "demo.py"))["show_minimal_pair"](ROOT)
    judged = [line for line in capsys.readouterr().out.splitlines() if "Sure!" in line]
    assert [line.partition(":")[0] for line in judged] == ["no", "yes"]
    assert "রাবেয়া" in judged[1]
