"""Convert source files to the form that the scripts read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from banglahallueval.datasets.catalogue import Dataset
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import replacing, writing

_TYDIQA = ("id", "question", "context", "correct_answer")


def derive(dataset: Dataset, root: Path) -> list[Path]:
    """Make the files that scripts read from the fetched ones, unless they exist.

    Returns:
        The files made now.

    Raises:
        UsageError: If the library that reads the fetched files is not installed.
    """
    made = []
    for place, target in enumerate(dataset.derived):
        path = root / target
        if path.exists():
            continue
        sources = [root / file.target for file in dataset.files]
        if dataset.name == "tydiqa":
            _write_tydiqa(sources, path)
        else:
            _write_jsonl(sources[place], path)
        made.append(path)
    return made


def _write_tydiqa(sources: list[Path], path: Path) -> None:
    with writing(path, _TYDIQA) as writer:
        for source in sources:
            for row in _bengali_rows(json.loads(source.read_bytes())):
                writer.writerow(row)


def _bengali_rows(data: dict[str, Any]) -> Iterator[list[str]]:
    for article in data["data"]:
        for paragraph in article["paragraphs"]:
            for item in paragraph["qas"]:
                if item["id"].startswith("bengali"):
                    answer = item["answers"][0]["text"]
                    yield [item["id"], item["question"], paragraph["context"], answer]


def _write_jsonl(source: Path, path: Path) -> None:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise UsageError(
            f"{source} is fetched; making {path.name} from it needs pyarrow: pip install -e "
            "'.[datasets]', then run the command again"
        ) from None
    with replacing(path) as file:
        for batch in parquet.ParquetFile(source).iter_batches():
            for row in batch.to_pylist():
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
