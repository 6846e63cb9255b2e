"""The sections of report.html, read by a browser as a reviewer would."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from banglahallueval.io.tables import write_frame
from banglahallueval.scoring.commands import report
from banglahallueval.vision.section import find_sections
from tests.browsing import chromium
from tests.scripting import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SAMPLES = ROOT / "Vision" / "samples"
