"""Fetch data sets into the layout that the scripts expect; never overwrite a file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.datasets.catalogue import Dataset, File
from banglahallueval.datasets.derive import derive
from banglahallueval.datasets.download import Checksums, Downloader, NotThereError, Part
from banglahallueval.datasets.sources import Source
from banglahallueval.datasets.validation import FileState, inspect_file
from banglahallueval.errors import RunError, UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import short
from banglahallueval.io.tables import replacing


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """What `fetch_datasets.py` was asked for.

    Attributes:
        datasets: The data sets to fetch.
        root: The folder that the layout starts from.
        source: Where files come from.
        retry_pause: Seconds before the first repeated request; doubles each time.
        quiet: Whether to show no progress bar.
    """

    datasets: tuple[Dataset, ...]
    root: Path
    source: Source
    retry_pause: float
    quiet: bool


class Manifest:
    """The checksums of the files as first fetched, so that a later difference is noticed."""

    def __init__(self, root: Path) -> None:
        """Read the checksums of the files below a root.

        Raises:
            UsageError: If they cannot be read.
        """
        self._path = root / ".fetched.json"
        try:
            self._sums: dict[str, str] = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            self._sums = {}
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read {self._path}: {error}; delete it to go on") from None

    def checksums(self, file: File) -> Checksums:
        """The checksum that a file should have; empty where none is known."""
        known = file.sha256 or self._sums.get(file.target)
        return {"sha256": known} if known else {}

    def record(self, file: File, path: Path) -> None:
        """Keep the checksum of a fetched file."""
        self._sums[file.target] = file_sha256(path)
        with replacing(self._path) as out:
            out.write(json.dumps(self._sums, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


class Fetcher:
    """Brings data sets to their places below a root."""

    def __init__(self, options: FetchOptions) -> None:
        """Read what has been fetched before.

        Raises:
            UsageError: If the record of it cannot be read.
        """
        self._root = options.root
        self._source = options.source
        self._manifest = Manifest(options.root)
        self._downloader = Downloader(pause=options.retry_pause, quiet=options.quiet)

    def fetch(self, dataset: Dataset) -> list[str]:
        """Fetch a data set, and print the outcome for each file.

        Returns:
            One line for each file that failed.
        """
        print(f"{dataset.name}: {dataset.title}\n  home: {dataset.home}")
        print(f"  licence: {dataset.licence}")
        failures = []
        for file in dataset.files:
            try:
                print(f"  {self._fetch_file(dataset, file)}")
            except (RunError, UsageError) as error:
                print(f"  {file.target}: not fetched")
                failures.append(str(error))
        if not failures and dataset.derived:
            try:
                for path in derive(dataset, self._root):
                    print(f"  {short(path)}: made")
            except (RunError, UsageError) as error:
                failures.append(str(error))
        return failures

    def _fetch_file(self, dataset: Dataset, file: File) -> str:
        target = self._root / file.target
        if target.exists():
            return self._keep(file, target)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write {target}: {error.strerror}") from None
        part = Part(target)
        source, announced = self._download(dataset, file, part)
        state = self._verify(file, part, source, announced)
        if target.exists():
            raise RunError(f"{target} has appeared in the meantime; it is left as it is")
        part.move(target)
        self._manifest.record(file, target)
        return _outcome(f"{file.target}: fetched, {target.stat().st_size:,} bytes", state)

    def _keep(self, file: File, target: Path) -> str:
        """Leave a file as it is, and say whether it is the right one."""
        known = self._manifest.checksums(file)
        if known and known != {"sha256": file_sha256(target)}:
            raise RunError(
                f"{target} is not the file that was fetched first (its checksum differs); it is "
                "left as it is. Move it away to fetch it again"
            )
        state = inspect_file(target, target.suffix, file.expected)
        if state.broken:
            raise RunError(
                f"{target} is there, but {state.broken}; it is left as it is. Move it away to "
                "fetch it"
            )
        return _outcome(f"{file.target}: there already", state)

    def _download(self, dataset: Dataset, file: File, part: Part) -> tuple[str, Checksums]:
        candidates = self._source.candidates(dataset, file)
        for source in candidates:
            try:
                return source, self._downloader.fetch(source, part)
            except NotThereError:
                continue
        raise RunError(f"{file.target}: not found at {' or '.join(candidates)}")

    def _verify(self, file: File, part: Part, source: str, announced: Checksums) -> FileState:
        known = self._manifest.checksums(file)
        for sums, origin in ((known, "the known one"), (announced, "the one its home announces")):
            if not part.matches(sums):
                part.discard()
                raise RunError(
                    f"{source}: the checksum of what arrived is not {origin}; it was thrown away. "
                    "Run the command again, or use --mirror"
                )
        state = inspect_file(part.path, Path(file.target).suffix, file.expected)
        if state.broken:
            part.discard()
            raise RunError(f"{source}: {state.broken}; it was thrown away")
        return state


def fetch_all(options: FetchOptions) -> None:
    """Fetch every data set that was asked for.

    Raises:
        RunError: Naming each file that failed, after all others were fetched.
    """
    fetcher = Fetcher(options)
    failures = [line for dataset in options.datasets for line in fetcher.fetch(dataset)]
    if failures:
        raise RunError("\nerror: ".join(failures))


def _outcome(line: str, state: FileState) -> str:
    return "; note that ".join((line, *state.differences))
