"""Fixtures: a folder of data and pictures, and the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.generative.calling import Call, Folder, call


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Three items with their pictures."""
    return Folder(tmp_path)


@pytest.fixture
def hal_eval(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls `hal_eval.py` in this process."""
    return call(capsys, monkeypatch)
