"""Two judges on the rows both labelled."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.scoring.compare import compare, holm, match, mcnemar_exact
from banglahallueval.scoring.results import Results


def rows(
    system: str, keys: list[int], labels: list[str], tracks: list[str] | None = None
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "task": "qa",
            "system": system,
            "key": keys,
            "source": keys,
            "track": tracks or ["candidates"] * len(keys),
            "label": labels,
        }
    )


def test_equal_rows_are_paired_once_each() -> None:
    """Three equal rows here and two there make two pairs, and one is left over."""
    pairs = match(
        rows("a", [7, 7, 7, 8], ["yes", "no", "yes", "no"]), rows("b", [7, 7, 9], ["no"] * 3)
    )
    assert list(pairs["label_a"]) == ["yes", "no"]


def test_unmatched_rows_are_counted() -> None:
    """Rows that only one judge labelled are left out and shown."""
    both = pd.concat([rows("a", [1, 2, 3], ["yes"] * 3), rows("b", [2, 3, 4, 5], ["no"] * 4)])
    (found,) = compare(both)
    assert (found.rows, found.only_a, found.only_b) == (2, 1, 2)
    assert (found.a_right, found.b_right) == (2, 0)
    assert np.isnan(found.difference.value)


def test_mcnemar_is_the_exact_binomial() -> None:
    """8 against 2 has p 0.109375; nothing against nothing has p 1."""
    assert mcnemar_exact(8, 2) == pytest.approx(0.109375)
    assert mcnemar_exact(0, 0) == 1


def test_holm_steps_down_and_skips_what_is_undefined() -> None:
    """0.01, 0.04, 0.03 become 0.03, 0.06, 0.06; nan stays and does not count."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.01, float("nan"), 0.04]) == pytest.approx(
        [0.02, float("nan"), 0.04], nan_ok=True
    )
    assert holm([]) == []


def test_published_judges_differ_where_they_should(published_results: Results) -> None:
    """Codemix: DeepSeek and Gemma, 1.675 apart, may be equal; GPT and Mistral are not."""
    by_pair = {(each.task, each.a, each.b): each for each in published_results.comparisons}
    near = by_pair["codemix", "deepseek_r1_14b", "gemma2_27b"]
    assert near.difference.value == pytest.approx(27.6 - 29.275)
    assert near.difference.low < 0 < near.difference.high
    assert near.bhs_holm > 0.05
    far = by_pair["codemix", "gpt_4_1_mini", "mistral_nemo"]
    assert far.difference.value == pytest.approx(21.025 - 55.45)
    assert far.bhs_holm < 0.05
    assert (near.rows, near.only_a, near.only_b) == (2500, 0, 0)


def test_files_with_renamed_columns_match(published_results: Results) -> None:
    """A judge whose file renames the summary column is compared on all its rows."""
    pairs = [each for each in published_results.comparisons if each.task == "summarization"]
    tiger = [each for each in pairs if "tigerllm_9b" in {each.a, each.b}]
    assert len(tiger) == 6
    assert all(each.rows == 500 for each in tiger)


def test_where_all_sources_agree_the_interval_of_a_difference_has_a_width() -> None:
    """Fault: two judges that agreed on 3 + 3 rows differed by [0, 0] at 95 %.

    Of 3 sources in which they agree, up to t² / (3 + t²) = 0.8606 may be such that they differ, t =
    4.303 at 2 degrees of freedom: BHS by 50 · 0.8606 · √2 = 60.85 either way.
    """
    tracks = ["main"] * 3 + ["candidates"] * 3
    labels = ["no", "yes", "no", "yes", "yes", "no"]
    both = pd.concat([rows(name, list(range(6)), labels, tracks) for name in "ab"])
    (found,) = compare(both)
    assert (found.difference.value, found.bhs_p) == (0, 1)
    assert found.difference.high == pytest.approx(60.85, abs=0.005)
    assert found.difference.low == pytest.approx(-60.85, abs=0.005)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=2, max_size=30))
def test_p_is_below_5_percent_where_the_interval_leaves_out_0(
    labels: list[tuple[bool, bool, bool]],
) -> None:
    tracks = ["candidates" if candidate else "main" for candidate, _, _ in labels]
    both = pd.concat(
        rows(
            name, list(range(len(labels))), ["yes" if each[n] else "no" for each in labels], tracks
        )
        for n, name in enumerate("ab", 1)
    )
    both["source"] //= 3
    (found,) = compare(both)
    if not np.isnan(found.bhs_p):
        assert (found.bhs_p < 0.05) == (not found.difference.low <= 0 <= found.difference.high)
