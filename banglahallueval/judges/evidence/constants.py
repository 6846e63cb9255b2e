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
        "absent": 5.32,
        "absent_cut": -1.594,
        "absent_uncovered": -1.913,
        "place_best": 0.262,
        "place_rank": 0.466,
        "place_odds": 0.395,
        "pull": 0.268,
        "wrong_relation": 0.65,
        "scattered": 1.825,
        "wrong_date": 7.032,
        "other_count": 1.371,
        "denies": 1.815,
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

INTERCEPTS: dict[str, float] = {"codemix": -2.765, "qa": -3.174, "summarization": -4.172}
