"""Fixtures: data with pictures, and the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.discriminative.calling import Call, Workspace, call


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Four items with their pictures."""
    return Workspace(tmp_path)


@pytest.fixture
def hal_eval(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls `hal_eval.py` in this process."""
    return call(capsys, monkeypatch)
