"""Fixtures: data with pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.discriminative.calling import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Four items with their pictures."""
    return Workspace(tmp_path)
