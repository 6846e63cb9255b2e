"""The checks of a pair, and of candidates among themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from banglahallueval.audit import Check, audit, make_side, read_side
from banglahallueval.audit.commands import main as audit_main
from banglahallueval.errors import UsageError
from banglahallueval.prompts import all_names, template
from tests.audit.pairs import qa_pair


def by_name(checks: list[Check], where: str) -> dict[str, Check]:
    return {check.name: check for check in checks if check.where == where}


def test_a_pair_without_a_common_source_is_an_error_with_its_cause() -> None:
    """Files of different selections, of one id space with other texts, of no ids at all."""
    main, candidates = qa_pair(8, main_of=lambda number: number + 100)
    with pytest.raises(UsageError, match="share no source: neither ids nor texts agree"):
        audit(main, candidates, classify=False)
    nameless = make_side(candidates.frame.assign(source_id=""), "qa", None, "c")
    with pytest.raises(UsageError, match="made from different files"):
        audit(main, nameless, classify=False)
    main, candidates = qa_pair(8)
    edited = make_side(main.frame.assign(context="অন্য পাতা।"), "qa", None, "m")
    with pytest.raises(UsageError, match="their ids agree but their texts do not"):
        audit(edited, candidates, classify=False)
    blank = make_side(main.frame.assign(context="", question=""), "qa", None, "m")
    with pytest.raises(UsageError, match="main holds no question and no context"):
        audit(blank, candidates, classify=False)


def test_the_command_refuses_such_a_pair(tmp_path: Path) -> None:
    """A user gets one line, not an audit of files that have nothing to do with each other."""
    paths = []
    for side in qa_pair(8, main_of=lambda number: number + 100):
        paths.append(tmp_path / f"{side.name}.csv")
        side.frame.to_csv(paths[-1], index=False)
    with pytest.raises(UsageError, match="take the main file"):
        audit_main("doc", list(map(str, paths)))


def test_candidates_of_sources_that_main_lacks_are_counted() -> None:
    """Four candidates of each source, and one main row missing."""
    main, candidates = qa_pair(8)
    short = make_side(main.frame.iloc[1:], "qa", None, "m")
    found = by_name(audit(short, candidates, classify=False), "candidates")
    check = found["candidates whose source is not in main"]
    assert (check.count, check.of, check.rows, check.warning) == (4, 32, (0, 1, 2, 3), True)
    longer = make_side(candidates.frame.iloc[4:], "qa", None, "c")
    checks = by_name(audit(main, longer, classify=False), "main")
    assert checks["rows without a candidate"].count == 1


def test_right_outputs_that_differ_from_main_are_counted() -> None:
    """A candidates file made from another edition of the gold answers."""
    main, candidates = qa_pair(8)
    changed = candidates.frame.copy()
    changed.loc[0, "right_answer"] = "অন্য কিছু"
    made = audit(main, make_side(changed, "qa", None, "c"), classify=False)
    assert by_name(made, "candidates")["right outputs that are not those of main"].rows == (0,)


def test_patterns_out_of_balance_are_told_with_their_counts() -> None:
    """A pattern that is missing leaves too many rows for the others."""
    _, candidates = qa_pair(10)
    frame = candidates.frame[candidates.frame["pattern"] != "inference"]
    name = "rows above an even share of the patterns"
    check = by_name(audit(make_side(frame, "qa", None, "c"), classify=False), "candidates")[name]
    assert (check.count, check.of, check.warning) == (6, 30, True)
    assert check.detail == "factualness 10, comprehension 10, specificity 10, inference 0"
    assert by_name(audit(candidates, classify=False), "candidates")[name].count == 0


def test_the_same_text_under_two_patterns_is_counted() -> None:
    """Case and spaces make no other text; a whole row that stands twice is none."""
    _, candidates = qa_pair(6)
    frame = candidates.frame.copy()
    texts = frame["hallucinated_answer"].to_list()
    frame["hallucinated_answer"] = [texts[0], f" {texts[0]}", *texts[2:]]
    frame = pd.concat([frame, frame.iloc[[5]]], ignore_index=True)
    found = by_name(audit(make_side(frame, "qa", None, "c"), classify=False), "candidates")
    assert found["candidates that say the same under another pattern"].rows == (1,)


def test_a_byte_order_mark_is_told(tmp_path: Path) -> None:
    """It makes readers that expect plain UTF-8 call the first column something else."""
    _, candidates = qa_pair(6)
    for encoding, count in (("utf-8", 0), ("utf-8-sig", 1)):
        path = tmp_path / f"{encoding}.csv"
        candidates.frame.to_csv(path, index=False, encoding=encoding)
        found = by_name(audit(read_side(path), classify=False), "candidates")
        assert ("byte order mark" in found) == bool(count)
        assert found["blank ids"].count == 0


def test_gold_chains_that_miscalculate_are_counted() -> None:
    """What the arithmetic judge proves wrong of a right solution is a fault of the benchmark."""
    frame = pd.DataFrame(
        {
            "question": ["কত টাকা?", "কয়টি আম?"],
            "answer": ["২*৩ = <<২*৩=৬>>৬ টাকা।\n#### ৬", "২+৩ = <<২+৩=৬>>৬টি।\n#### ৬"],
        }
    )
    found = by_name(audit(make_side(frame, "reasoning", "main", "m"), classify=False), "main")
    check = found["right solutions that the arithmetic judge calls wrong"]
    assert (check.rows, check.warning) == ((1,), True)


def test_a_row_that_a_prompt_shows_is_told_with_the_prompt() -> None:
    """A model that was shown a benchmark row as an example knows its label."""
    assert "generate.qa.factualness" in all_names("qa")
    example = template("generate.qa.factualness")
    question = example.partition("Question: ")[2].partition("\n")[0]
    main, _ = qa_pair(6)
    frame = main.frame.copy()
    frame.loc[2, "question"] = f"{question} "
    check = by_name(audit(make_side(frame, "qa", None, "m")), "main")[
        "rows that a prompt shows as an example"
    ]
    assert (check.rows, check.warning, check.detail) == ((2,), True, "generate.qa.factualness")


def test_flagged_candidates_are_left_out_unless_asked_for() -> None:
    """What generation flagged is not audited; a column of that name alone flags nothing."""
    checks = ["ok", "too long", "", "ok"] * 6
    _, candidates = qa_pair(6, generator=["m"] * 24, checks=checks)
    assert (len(candidates.items), candidates.flagged) == (18, 6)
    name = "rows that fail a generation check, left out"
    assert by_name(audit(candidates, classify=False), "candidates")[name].count == 6
    kept = make_side(qa_pair(6)[1].frame.assign(generator="m", checks=checks), "qa", None, "c")
    assert len(kept.items) == 18
    whole = make_side(
        qa_pair(6)[1].frame.assign(generator="m", checks=checks),
        "qa", None, "c", keep_flagged=True,
    )  # fmt: skip
    assert len(whole.items) == 24
    _, own = qa_pair(6, checks=checks)
    assert len(own.items) == 24
    assert replace(own, flagged=0) == own
