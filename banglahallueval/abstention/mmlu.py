"""Read MMLU, multiple-choice questions of 57 subjects, from the Hugging Face hub or a local copy.

Source: Hendrycks et al. 2021 (arXiv:2009.03300), the hub's cais/mmlu.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from banglahallueval.abstention.choices import show_options
from banglahallueval.abstention.mmlu_copy import SPLITS, load_library, make_rows, read_copy
from banglahallueval.abstention.mmlu_rows import Row
from banglahallueval.abstention.questions import draw
from banglahallueval.abstention.types import Question
from banglahallueval.abstention.unanswerable import Mixed, make_unanswerable
from banglahallueval.errors import UsageError, suggestion
from banglahallueval.io.paths import find_repository

REPOSITORY = "cais/mmlu"
ALL = "all"
SUBJECTS = (
    "abstract_algebra", "anatomy", "astronomy", "business_ethics", "clinical_knowledge",
    "college_biology", "college_chemistry", "college_computer_science", "college_mathematics",
    "college_medicine", "college_physics", "computer_security", "conceptual_physics",
    "econometrics", "electrical_engineering", "elementary_mathematics", "formal_logic",
    "global_facts", "high_school_biology", "high_school_chemistry",
    "high_school_computer_science", "high_school_european_history", "high_school_geography",
    "high_school_government_and_politics", "high_school_macroeconomics",
    "high_school_mathematics", "high_school_microeconomics", "high_school_physics",
    "high_school_psychology", "high_school_statistics", "high_school_us_history",
    "high_school_world_history", "human_aging", "human_sexuality", "international_law",
    "jurisprudence", "logical_fallacies", "machine_learning", "management", "marketing",
    "medical_genetics", "miscellaneous", "moral_disputes", "moral_scenarios", "nutrition",
    "philosophy", "prehistory", "professional_accounting", "professional_law",
    "professional_medicine", "professional_psychology", "public_relations", "security_studies",
    "sociology", "us_foreign_policy", "virology", "world_religions",
)  # fmt: skip
_FETCHED = Path("Abstention") / "Source Dataset"
_HOW_TO_COPY = (
    "where the hub can be reached, `python scripts/fetch_datasets.py mmlu` fetches the test split "
    f"to where it is found, and `hf download {REPOSITORY} --repo-type dataset --local-dir mmlu` "
    "makes a copy for --data-dir mmlu"
)


def fetched_copy(split: str) -> Path | None:
    """Find the folder to which `scripts/fetch_datasets.py` fetched a split; None without."""
    root = find_repository()
    folder = root / _FETCHED if root else None
    files = (f"mmlu_{split}.parquet", f"mmlu_{split}.jsonl")
    return folder if folder and any((folder / name).is_file() for name in files) else None


def read_mmlu(
    *,
    split: str = "test",
    subjects: Sequence[str] = (ALL,),
    data_dir: Path | None = None,
    limit: int | None = None,
    idk_frac: float = 0.0,
    seed: int = 1234,
) -> Mixed:
    """Read questions of MMLU, in the order of the data set; say so where too few can be converted.

    Args:
        split: test, validation, dev or auxiliary_train.
        subjects: The subjects to keep; `all` for every one.
        data_dir: A local copy; None to load from the hub.
        limit: Maximum number of questions, drawn at random from those of the subjects.
        idk_frac: Fraction of them to make unanswerable, in [0, 1]; options are borrowed from all
            questions of the subjects.
        seed: Decides what is drawn and converted.

    Raises:
        UsageError: If there is no such split or subject, the data cannot be had, a number is out of
            range, or no question can be made unanswerable although some are to be.
    """
    if split not in SPLITS:
        raise UsageError(
            f"--split {split}: MMLU has {', '.join(SPLITS)}{suggestion(split, SPLITS)}"
        )
    if data_dir is None:
        _check_subjects(subjects, SUBJECTS)
        rows = _load(split, SUBJECTS if ALL in subjects else subjects)
    else:
        rows = read_copy(data_dir, split)
        _check_subjects(subjects, sorted({row.subject for row in rows}))
    questions = [each for each in _questions(rows) if ALL in subjects or each.subject in subjects]
    if not questions:
        raise UsageError(f"--split {split} has no question of {', '.join(subjects)}")
    drawn = draw(questions, limit, seed)
    mixed = make_unanswerable(drawn, idk_frac, seed, donors=questions)
    mixed.report("hold an option of another style, length or subject")
    return mixed


def _questions(rows: Sequence[Row]) -> Iterator[Question]:
    """Make questions whose ids count the rows of each subject from 1."""
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row.subject] += 1
        yield Question(
            id=f"{row.subject or 'mmlu'}-{seen[row.subject]}",
            text=show_options(row.question, row.choices),
            gold=row.answer,
            options=row.choices,
            subject=row.subject,
        )


def _check_subjects(subjects: Sequence[str], known: Sequence[str]) -> None:
    unknown = [name for name in subjects if name != ALL and name not in known]
    if not subjects:
        raise UsageError("--subjects names none; take all for every one")
    if unknown:
        meant = suggestion(unknown[0], known) or f"; it has {', '.join(known[:5])} … ({len(known)})"
        raise UsageError(f"--subjects: MMLU has no {unknown[0]!r}{meant}")


def _load(split: str, subjects: Sequence[str]) -> list[Row]:
    """Load all subjects in one piece, else, where that fails, those asked for one by one."""
    datasets = load_library("datasets")

    def load(config: str) -> list[Row]:
        loaded = datasets.load_dataset(REPOSITORY, config, split=split)
        subject = "" if config == ALL else config
        return make_rows(loaded, f"{REPOSITORY} {config} {split}", subject)

    print(f"loading {REPOSITORY} ({split}) from the Hugging Face hub", flush=True)
    with _quiet():
        try:
            return load(ALL)
        except (UsageError, ConnectionError) as error:  # away for one, away for all
            raise UsageError(_not_loaded(error)) from None
        except Exception as error:  # those of the library, of the hub's client and of both's parts
            reason = _not_loaded(error)
        try:
            return [row for subject in subjects for row in load(subject)]
        except Exception:  # as above
            raise UsageError(reason) from None


def _not_loaded(error: Exception) -> str:
    reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
    return f"cannot load {REPOSITORY} from the Hugging Face hub ({reason[:200]}); {_HOW_TO_COPY}"


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep progress bars, logs and warnings of the library and the hub's client off the screen."""
    with contextlib.ExitStack() as restoring:
        restoring.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        for bars in map(load_library, ("datasets.utils", "huggingface_hub.utils")):
            if not bars.are_progress_bars_disabled():
                bars.disable_progress_bars()
                restoring.callback(bars.enable_progress_bars)
        for name in ("datasets", "huggingface_hub"):
            logger = logging.getLogger(name)
            restoring.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL)
        yield
