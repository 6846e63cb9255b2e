"""Agreement of annotators against published figures and cases worked by hand."""

from __future__ import annotations

import math

import pytest

from banglahallueval.annotation.agreement import (
    AnnotatorAgreement,
    agreement,
    landis_koch,
    majority,
    pair_agreement,
)
from banglahallueval.annotation.forms import FORMS, FormName
from banglahallueval.annotation.labels import Labels

Y, N = "yes", "no"


def labels(rows: list[list[str]], form: FormName = "qa", question: int = 0) -> Labels:
    found = Labels(FORMS[form], [str(number) for number in range(len(rows))])
    name = found.form.questions[question].name
    for at in range(len(rows[0])):
        given = {str(number): row[at] for number, row in enumerate(rows) if row[at]}
        found.answers["abc"[at]] = {q.name: {} for q in found.form.questions} | {name: given}
    return found


def agreed(rows: list[list[str]], form: FormName = "qa", question: int = 0) -> AnnotatorAgreement:
    return agreement(labels(rows, form, question), FORMS[form].questions[question])


@pytest.mark.parametrize(
    ("unanimous", "items", "exact"),
    [(231, 241, 97.23), (244, 250, 98.40), (192, 200, 97.33), (288, 300, 97.33), (111, 150, 82.67)],
)
def test_published_exact_agreement_is_mean_pairwise(
    unanimous: int, items: int, exact: float
) -> None:
    """The published table's exact agreement follows from its counts of unanimous items."""
    split = items - unanimous
    found = agreed([[Y, Y, Y]] * unanimous + [[Y, N, Y]] * split)
    assert round(100 * found.exact, 2) == exact
    assert (found.unanimous, found.complete) == (unanimous, items)


def test_fleiss_kappa_by_hand() -> None:
    """Four items, three annotators, 7 yes of 12: P = 2/3, chance = (7/12)² + (5/12)² = 37/72."""
    found = agreed([[Y, Y, Y], [Y, Y, N], [Y, N, Y], [N, N, N]])
    assert found.exact == pytest.approx(2 / 3)
    assert found.prevalence == {Y: pytest.approx(7 / 12), N: pytest.approx(5 / 12)}
    chance = 37 / 72
    assert found.fleiss.value == pytest.approx((2 / 3 - chance) / (1 - chance))
    assert found.fleiss.low <= found.fleiss.value <= found.fleiss.high
    assert found.fleiss.interpretation == "fair"


def test_two_annotators_by_hand() -> None:
    """Ten items, 8 agreed; yes shares 0.6 and 0.6: Cohen's κ = (0.8 - 0.52) / 0.48."""
    found = agreed([[Y, Y]] * 5 + [[N, N]] * 3 + [[Y, N], [N, Y]])
    assert found.cohen["a", "b"].value == pytest.approx(0.28 / 0.48)
    assert found.exact == pytest.approx(0.8)


def test_krippendorff_alpha_by_hand() -> None:
    """Two annotators, [yes yes] [no no] [yes no]: D_o = 1/3, D_e = 2·3·3/(6·5), α = 4/9."""
    found = agreed([[Y, Y], [N, N], [Y, N]])
    assert found.alpha.value == pytest.approx(1 - (1 / 3) / (18 / 30))


def test_one_answer_alone_leaves_kappa_undefined() -> None:
    """Perfect agreement on a single answer is no evidence, and the table says so."""
    found = agreed([[Y, Y, Y]] * 5)
    assert found.exact == 1
    for each in (found.fleiss, found.alpha, *found.cohen.values()):
        assert math.isnan(each.value)
        assert each.interpretation.startswith("undefined: only one answer occurs")


def test_an_item_one_annotator_missed_is_dropped_and_counted() -> None:
    """Fleiss' κ leaves the item out; α uses the two labels there are."""
    found = agreed([[Y, Y, Y], [N, N, N], [Y, "", N]])
    assert (found.items, found.complete, found.unanimous) == (3, 2, 2)
    assert found.fleiss.value == 1
    assert found.alpha.items == 3
    assert found.alpha.value < 1


def test_no_complete_item_leaves_everything_undefined() -> None:
    """Without a complete item there is no κ and no division by zero."""
    found = agreed([[Y, ""], ["", N]])
    assert math.isnan(found.exact)
    assert found.fleiss.interpretation == "undefined: no item has enough labels"


def test_marks_are_ordered() -> None:
    """Neighbouring marks agree better than distant ones: α of naturalness is ordinal."""
    near = [["1", "2"], ["3", "3"], ["5", "4"], ["2", "2"], ["5", "5"]]
    far = [["1", "5"], ["3", "3"], ["5", "1"], ["2", "2"], ["5", "5"]]
    closer, farther = (agreed(rows, "conversion", 1) for rows in (near, far))
    assert closer.exact == farther.exact == pytest.approx(3 / 5)
    assert closer.alpha.value > 0.7 > farther.alpha.value
    assert closer.cohen["a", "b"].value > farther.cohen["a", "b"].value


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (-0.1, "poor"),
        (0.0, "slight"),
        (0.2, "slight"),
        (0.41, "moderate"),
        (0.568, "moderate"),
        (0.61, "substantial"),
        (0.914, "almost perfect"),
    ],
)
def test_landis_koch_words(value: float, word: str) -> None:
    """Words as in the 1977 table, limits belonging to the lower word."""
    assert landis_koch(value) == word


def test_majorities() -> None:
    """A tie has no majority; marks have their lower median."""
    yes_no, marks = FORMS["conversion"].questions
    assert majority(yes_no, [Y, N, Y]) == Y
    assert majority(yes_no, [Y, N]) == ""
    assert majority(yes_no, []) == ""
    assert majority(marks, ["5", "2", "4"]) == "4"
    assert majority(marks, ["2", "3"]) == "2"


def test_agreement_of_one_item() -> None:
    """A split item of three annotators counts one third; a single label agrees with nothing."""
    assert pair_agreement([Y, Y, N]) == pytest.approx(1 / 3)
    assert math.isnan(pair_agreement([Y]))
