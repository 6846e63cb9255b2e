"""The arithmetic judge: checks every calculation of a reasoning chain exactly."""

from banglahallueval.judges.arithmetic.chain import check_chain
from banglahallueval.judges.arithmetic.judge import judge_item
from banglahallueval.judges.arithmetic.report import ChainReport, Step

__all__ = ["ChainReport", "Step", "check_chain", "judge_item"]
