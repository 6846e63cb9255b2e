"""`scripts/audit_dataset.py`, as it is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.audit.commands import main
from banglahallueval.errors import UsageError
from tests.audit.pairs import qa_pair
from tests.scripting import Finished


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    """A main and a candidates file; the candidates close with a mark."""
    made = []
    for side in qa_pair(12, candidate=lambda number, text: f"{text} | নদী।"):
        path = tmp_path / f"qa_{side.name}.csv"
        side.frame.to_csv(path, index=False)
        made.append(str(path))
    return made


def test_an_audit_is_printed_as_a_table_or_as_json(
    pair: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The audit of a pair names what needs attention first, in words and in JSON."""
    assert main("doc", pair) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "## Audit"
    assert lines[4].startswith("| warning | ")
    closing = next(line for line in lines if "closing mark alone tells" in line)
    cells = [cell.strip() for cell in closing.strip("|").split("|")]
    assert cells[3] == "AUROC 1.000 [0.758, 1.000]"
    assert cells[4] == "in 100% of candidates, 0% of gold"
    assert any(r"'\|'" in line for line in lines)  # an n-gram that is the table's own mark
    assert main("doc", [*pair, "--json"]) == 0
    checks = json.loads(capsys.readouterr().out)
    need = sum(check["warning"] for check in checks)
    assert lines[-1] == f"{need} of {len(checks)} checks need attention"
    figures = [check for check in checks if check["auroc"] is not None]
    assert all(0 <= check["low"] <= check["auroc"] <= check["high"] <= 1 for check in figures)
    assert all(check["low"] is None for check in checks if check["auroc"] is None)


def test_files_that_are_no_pair_are_refused(pair: list[str]) -> None:
    """Three files are a wrong call, and so is a track for two."""
    for arguments in ([pair[0]] * 3, [*pair, "--track", "main"]):
        with pytest.raises(UsageError, match="one main and one candidates"):
            main("doc", arguments)


@pytest.mark.parametrize("track", ["main", "candidates"])
def test_two_files_of_one_track_are_named_as_such(pair: list[str], track: str) -> None:
    """Fault: the advice was --track, which a pair does not take."""
    file = next(path for path in pair if track in path)
    with pytest.raises(UsageError, match=rf"\({track} and {track} by their columns\)"):
        main("doc", [file, file])


def test_a_file_without_rows_is_refused(tmp_path: Path) -> None:
    """Fault: every check of it said AUROC nan, and none needed attention."""
    empty, flagged = tmp_path / "empty.csv", tmp_path / "flagged.csv"
    header = "id,context,question,hallucinated_answer,generator,checks\n"
    empty.write_text(header, encoding="utf-8")
    flagged.write_text(f"{header}1,প্রসঙ্গ।,কী?,,m,same as gold\n", encoding="utf-8")
    with pytest.raises(UsageError, match="no rows to audit; give a file with rows"):
        main("doc", [str(empty)])
    with pytest.raises(UsageError, match=r"1 rows left out: .* --keep-flagged keeps them"):
        main("doc", [str(flagged)])
    assert main("doc", [str(flagged), "--keep-flagged"]) == 0


def test_a_missing_file_is_one_line(run_script: Callable[..., Finished], tmp_path: Path) -> None:
    """A wrong call is one line on standard error and status 2."""
    done = run_script("scripts/audit_dataset.py", str(tmp_path / "missing.csv"))
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
