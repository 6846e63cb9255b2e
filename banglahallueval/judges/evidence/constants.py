"""What the evidence judge weighs with, written by `bench/fit_evidence.py --write`.

Fitted on the first halves of the published files: codemix 2500, qa 540, summarization
2000 rows (both tracks), from 1002 sources.
"""

from __future__ import annotations

PLACE_WEIGHTS: dict[str, float] = {
    "near": -0.319,
    "mid": 0.416,
    "wide": 1.956,
    "mid_rank": -0.14,
    "wide_rank": -1.914,
    "capital": 0.589,
    "number": 0.756,
    "year": -0.898,
    "month": -0.888,
    "time_asked": 3.346,
    "count_asked": 1.402,
    "person_asked": 0.922,
    "place_asked": 0.0,
    "relation": 0.807,
    "before": -0.505,
    "after": 0.41,
    "after_name": 0.761,
    "first_sentence": 0.351,
    "repeated": 0.067,
    "quoted": -0.024,
}

WEIGHTS: dict[str, dict[str, float]] = {
    "answers": {
        "absent": 5.29,
        "absent_cut": -1.628,
        "absent_uncovered": -1.874,
        "place_best": 0.292,
        "place_rank": 0.469,
        "place_odds": 0.377,
        "pull": 0.227,
        "wrong_relation": 0.637,
        "scattered": 1.843,
        "wrong_date": 7.018,
        "other_count": 1.392,
        "denies": 1.804,
    },
    "summarization": {
        "absent_share": 10.136,
        "absent_long": -0.643,
        "absent_number": 1.495,
        "contradicted": 2.84,
        "absent_number_share": 3.396,
        "other_unit": 0.958,
        "opposite": 2.255,
        "denial_added": -1.149,
        "denial_added_share": 7.238,
        "denial_dropped": 1.445,
    },
}

INTERCEPTS: dict[str, float] = {"codemix": -2.712, "qa": -4.443, "summarization": -4.172}
