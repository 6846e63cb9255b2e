"""What the evidence judge weighs with, written by `bench/fit_evidence.py --write`.

Fitted on the first halves of the published files: codemix 2500, qa 540, summarization
2000 rows (both tracks), from 1002 sources.
"""

from __future__ import annotations

PLACE_WEIGHTS: dict[str, float] = {
    "near": -0.314,
    "mid": 0.416,
    "wide": 1.952,
    "mid_rank": -0.14,
    "wide_rank": -1.937,
    "capital": 0.588,
    "number": 0.746,
    "year": -0.9,
    "month": -0.895,
    "time_asked": 3.346,
    "count_asked": 1.393,
    "person_asked": 0.928,
    "relation": 0.782,
    "before": -0.497,
    "after": 0.412,
    "after_name": 0.751,
    "first_sentence": 0.341,
}

WEIGHTS: dict[str, dict[str, float]] = {
    "answers": {
        "absent": 5.292,
        "absent_cut": -1.696,
        "absent_uncovered": -1.908,
        "place_best": 0.28,
        "place_rank": 0.26,
        "place_odds": 0.404,
        "pull": 0.323,
        "wrong_relation": 0.533,
        "scattered": 1.757,
        "wrong_date": 6.98,
        "other_count": 1.381,
        "denies": 1.922,
        "guesses": 4.342,
        "argues": 4.907,
        "approximates": 6.345,
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

INTERCEPTS: dict[str, float] = {"codemix": -2.673, "qa": -3.061, "summarization": -4.172}
