"""From labelled files to scores: rates, intervals, comparisons, calibration, audit, report."""
