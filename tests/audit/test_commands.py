"""`scripts/audit_dataset.py`, as it is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.audit.commands import main
from banglahallueval.errors import UsageError
from tests.scripting import Finished

MAIN = """id,context,question,correct_answer
1,নদীর নাম পদ্মা।,নাম কী?,পদ্মা
2,নদীর নাম মেঘনা।,নাম কী?,মেঘনা
"""
CANDIDATES = """id,source_id,pattern,context,question,hallucinated_answer
1::factualness,1,factualness,নদীর নাম পদ্মা।,নাম কী?,যমুনা | নদী
2::factualness,2,factualness,নদীর নাম মেঘনা।,নাম কী?,যমুনা নদী
"""


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    """A main and a candidates file."""
    made = []
    for name, text in (("main", MAIN), ("candidates", CANDIDATES)):
        path = tmp_path / f"qa_{name}.csv"
        path.write_text(text, encoding="utf-8")
        made.append(str(path))
    return made


def test_an_audit_is_printed_as_a_table_or_as_json(
    pair: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The audit of a pair names what needs attention first, in words and in JSON."""
    assert main("doc", pair) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "## Audit"
    assert lines[4].startswith("| warning | both ")
    assert any("length alone tells" in line for line in lines)
    assert lines[-1] == "1 of 17 checks need attention"
    assert main("doc", [*pair, "--json"]) == 0
    checks = json.loads(capsys.readouterr().out)
    assert len(checks) == 17
    assert any(check["auroc"] is not None for check in checks)


def test_files_that_are_no_pair_are_refused(pair: list[str]) -> None:
    """Three files are a wrong call, and so is a track for two."""
    for arguments in ([pair[0]] * 3, [*pair, "--track", "main"]):
        with pytest.raises(UsageError, match="one main and one candidates"):
            main("doc", arguments)


def test_a_missing_file_is_one_line(run_script: Callable[..., Finished], tmp_path: Path) -> None:
    """A wrong call is one line on standard error and status 2."""
    done = run_script("scripts/audit_dataset.py", str(tmp_path / "missing.csv"))
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
