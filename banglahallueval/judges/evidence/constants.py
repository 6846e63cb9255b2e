"""What the evidence judge weighs with. Written by `python bench/fit_evidence.py --write`.

Fitted on the first halves of the published files: codemix 2500, qa 540, summarization
2000 rows (both tracks), from 1002 sources.
"""

from __future__ import annotations

PLACE_WEIGHTS: dict[str, float] = {'near': -0.386,
 'mid': 0.455,
 'wide': 1.957,
 'mid_rank': -0.243,
 'wide_rank': -1.804,
 'capital': 0.622,
 'number': 0.799,
 'year': -0.861,
 'month': -0.858,
 'time_asked': 3.303,
 'count_asked': 1.349,
 'person_asked': 0.908,
 'place_asked': 0.0,
 'relation': 0.804,
 'before': -0.497,
 'after': 0.389,
 'after_name': 0.621,
 'first_sentence': 0.361,
 'repeated': -0.055,
 'quoted': 0.05}

WEIGHTS: dict[str, dict[str, float]] = {'answers': {'absent': 4.912,
             'absent_cut': -1.426,
             'absent_uncovered': -1.594,
             'place_best': 0.291,
             'place_rank': 0.43,
             'place_odds': 0.346,
             'pull': 0.301,
             'wrong_relation': 0.631,
             'scattered': 1.756,
             'wrong_date': 4.983,
             'other_count': 1.517,
             'denies': 1.751},
 'summarization': {'absent_share': 9.456,
                   'absent_long': -0.507,
                   'absent_number': 2.156,
                   'absent_number_share': 3.397,
                   'other_unit': 0.992,
                   'opposite': 2.226,
                   'denial_added': -0.425,
                   'denial_added_share': 5.554,
                   'denial_dropped': 1.38}}

INTERCEPTS: dict[str, float] = {'codemix': -2.645, 'qa': -3.71, 'summarization': -3.738}
