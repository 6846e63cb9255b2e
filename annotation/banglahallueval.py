"""Load the installed package as `scripts/banglahallueval.py` does."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).resolve().parents[1] / "scripts" / "banglahallueval.py"))
