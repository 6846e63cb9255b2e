"""Rows of a data set on the Hugging Face hub, through the `datasets` library."""

from __future__ import annotations

from collections.abc import Iterator

from banglahallueval.errors import RunError, UsageError
from banglahallueval.spans.records import Record

PSILOQA = "s-nlp/PsiloQA"


def hub_records(name: str, split: str) -> Iterator[Record]:
    """Load a split of a data set; the library keeps what it downloads in its own cache.

    Raises:
        UsageError: If the library is not installed.
        RunError: If the data set or its split cannot be loaded.
    """
    try:
        import datasets
    except ImportError:
        raise UsageError(
            f"loading {name} from the hub needs the datasets library: pip install datasets"
        ) from None
    try:
        rows = datasets.load_dataset(name, split=split)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0][:160]
        raise RunError(
            f"cannot load {split!r} of {name} from the hub: {reason}; or fetch its files with "
            "`python scripts/fetch_datasets.py psiloqa` and name their folder"
        ) from None
    for number, fields in enumerate(rows, 1):
        yield Record(fields, f"{name} {split}, row {number}", number)
