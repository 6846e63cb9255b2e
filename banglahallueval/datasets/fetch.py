"""Fetching data sets into the layout that the scripts expect; nothing is ever overwritten."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tqdm import tqdm

from banglahallueval.datasets.catalogue import Dataset, File
from banglahallueval.datasets.derive import derive
from banglahallueval.datasets.download import (
    Downloader,
    NotThereError,
    Sums,
    file_sum,
    matches,
    note_path,
    open_part,
    write_part,
)
from banglahallueval.datasets.validation import Condition, condition
from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.paths import short
from banglahallueval.io.tables import replacing

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where files come from.

    Attributes:
        mirror: A folder or the URL of one; empty for each data set's own home.
    """

    mirror: str = ""

    def candidates(self, dataset: Dataset, file: File) -> list[str]:
        """Where a file may be, the likeliest first."""
        if not self.mirror:
            return dataset.urls(file)
        below = [*file.paths, file.target, f"{dataset.name}/{file.name}", file.name]
        below = list(dict.fromkeys(below))
        if self.is_url:
            return [f"{self.mirror.rstrip('/')}/{quote(path, safe='/%')}" for path in below]
        return [str(Path(self.mirror) / path) for path in below]

    @property
    def is_url(self) -> bool:
        """Whether files come over HTTP."""
        return not self.mirror or "://" in self.mirror


class Manifest:
    """The checksums of what was fetched first, so that a later difference is seen."""

    def __init__(self, root: Path) -> None:
        """Read what is known of the files below a root.

        Raises:
            UsageError: If it cannot be read.
        """
        self._path = root / ".fetched.json"
        try:
            self._sums: dict[str, str] = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            self._sums = {}
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read {self._path}: {error}; delete it to go on") from None

    def sha256(self, file: File) -> str:
        """The checksum that a file should have; empty where none is known."""
        return file.sha256 or self._sums.get(file.target, "")

    def note(self, file: File, sha256: str) -> None:
        """Keep a checksum."""
        self._sums[file.target] = sha256
        with replacing(self._path) as out:
            out.write(json.dumps(self._sums, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


class Fetcher:
    """Brings data sets to their places below a root."""

    def __init__(self, root: Path, place: Place, *, pause: float = 1.0, quiet: bool = False):
        """Say where to and where from.

        Args:
            root: The folder that the layout begins at.
            place: Where files come from.
            pause: Seconds before a failed request is made again.
            quiet: Whether to show no progress bar.
        """
        self._root = root
        self._place = place
        self._manifest = Manifest(root)
        self._downloader = Downloader(pause=pause)
        self._quiet = quiet

    def fetch(self, dataset: Dataset) -> list[str]:
        """Fetch a data set; print what became of each file.

        Returns:
            What went wrong, one line for each file.
        """
        print(f"{dataset.name}: {dataset.title}\n  home: {dataset.home}")
        print(f"  licence: {dataset.licence}")
        wrong = []
        for file in dataset.files:
            try:
                print(f"  {self._fetch(dataset, file)}")
            except (RunError, UsageError) as error:
                print(f"  {file.target}: not fetched")
                wrong.append(str(error))
        if not wrong and dataset.made:
            try:
                for path in derive(dataset, self._root):
                    print(f"  {short(path)}: made")
            except (RunError, UsageError) as error:
                wrong.append(str(error))
        return wrong

    def _fetch(self, dataset: Dataset, file: File) -> str:
        target = self._root / file.target
        if target.exists():
            return self._stays(file, target)
        part = target.with_name(target.name + ".part")
        try:
            part.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write {target}: {error.strerror}") from None
        source, sums = self._bring(dataset, file, part)
        state = self._check(file, part, source, sums)
        if target.exists():
            raise RunError(f"{target} appeared meanwhile; it is left as it is")
        part.replace(target)
        note_path(part).unlink(missing_ok=True)
        self._manifest.note(file, file_sum(target, "sha256"))
        return _said(f"{file.target}: fetched, {target.stat().st_size:,} bytes", state)

    def _stays(self, file: File, target: Path) -> str:
        known = self._manifest.sha256(file)
        if known and file_sum(target, "sha256") != known:
            raise RunError(
                f"{target} is not the file that was fetched first (its checksum differs); it is "
                "left as it is. Move it away to fetch it again"
            )
        state = condition(target, target.suffix, file.facts)
        if state.broken:
            raise RunError(
                f"{target} is there, but {state.broken}; it is left as it is. Move it away to "
                "fetch it"
            )
        return _said(f"{file.target}: there already", state)

    def _bring(self, dataset: Dataset, file: File, part: Path) -> tuple[str, Sums]:
        for source in self._place.candidates(dataset, file):
            try:
                if self._place.is_url:
                    return source, self._download(source, part)
                return source, _copy(Path(source), part)
            except NotThereError:
                continue
        looked = " or ".join(self._place.candidates(dataset, file))
        raise RunError(f"{file.target}: not found at {looked}")

    def _download(self, url: str, part: Path) -> Sums:
        with tqdm(
            desc=part.stem,
            unit="B",
            unit_scale=True,
            disable=self._quiet,
            leave=False,
            dynamic_ncols=True,
        ) as bar:

            def report(there: int, total: int) -> None:
                bar.total = total or None
                bar.update(there - bar.n)

            return self._downloader.fetch(url, part, report)

    def _check(self, file: File, part: Path, source: str, sums: Sums) -> Condition:
        known = Sums(self._manifest.sha256(file))
        for expected, said in ((known, "the one known"), (sums, "the one its home announces")):
            if not matches(part, expected):
                _discard(part)
                raise RunError(
                    f"{source}: the checksum of what arrived is not {said}; it was thrown away. "
                    "Run the command again, or use --mirror"
                )
        state = condition(part, Path(file.target).suffix, file.facts)
        if state.broken:
            _discard(part)
            raise RunError(f"{source}: {state.broken}; it was thrown away")
        return state


def _said(line: str, state: Condition) -> str:
    return "; note that ".join((line, *state.differs))


def _copy(source: Path, part: Path) -> Sums:
    if not source.is_file():
        raise NotThereError(str(source))
    with source.open("rb") as given, open_part(part, append=False) as file:
        while piece := given.read(_CHUNK):
            write_part(file, part, piece)
    return Sums()


def _discard(part: Path) -> None:
    part.unlink(missing_ok=True)
    note_path(part).unlink(missing_ok=True)
