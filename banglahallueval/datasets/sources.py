"""Where the files of a data set come from: its home, or a mirror."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from banglahallueval.datasets.catalogue import Dataset, File


@dataclass(frozen=True, slots=True)
class Source:
    """Where files come from.

    Attributes:
        mirror: A folder, or the URL of one; empty for each data set's home.
    """

    mirror: str = ""

    @property
    def is_folder(self) -> bool:
        """Whether files are copied from a folder of this machine."""
        return bool(self.mirror) and "://" not in self.mirror

    def candidates(self, dataset: Dataset, file: File) -> list[str]:
        """List the URLs or paths at which a file may be, the most likely first."""
        if not self.mirror:
            return dataset.urls(file)
        below = [*file.paths, file.target, f"{dataset.name}/{file.name}", file.name]
        below = list(dict.fromkeys(below))
        if self.is_folder:
            return [str(Path(self.mirror) / path) for path in below]
        return [f"{self.mirror.rstrip('/')}/{quote(path, safe='/%')}" for path in below]
