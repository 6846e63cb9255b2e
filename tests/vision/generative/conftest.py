"""Fixtures: a folder of data and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.generative.calling import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Three items with their pictures."""
    return Folder(tmp_path)
