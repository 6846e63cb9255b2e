"""The files of a run never take each other's place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.runs.places import Places, lock_path


def test_companions_lie_beside_the_output(tmp_path: Path) -> None:
    places = Places(tmp_path / "o.csv")
    assert places.record == tmp_path / "o.csv.run.json"
    assert places.store == tmp_path / "o.csv.replies.sqlite"
    assert lock_path(places.output) == tmp_path / "o.csv.lock"
    places.check()


def test_the_owner_of_replies_moves_with_its_folder(tmp_path: Path) -> None:
    """A name from the store's folder is the same wherever both are moved."""
    assert Places(tmp_path / "o.csv").owner == "o.csv"
    shared = Places(tmp_path / "a" / "o.csv", tmp_path / "s.sqlite")
    assert shared.owner == os.path.join("a", "o.csv")  # noqa: PTH118
    assert shared.owner != Places(tmp_path / "b" / "o.csv", tmp_path / "s.sqlite").owner


@pytest.mark.parametrize("name", ["o.csv.run.json", "o.csv.lock"])
def test_an_output_whose_companion_is_an_input_is_refused(tmp_path: Path, name: str) -> None:
    places = Places(tmp_path / "o.csv", inputs=[tmp_path / name])
    with pytest.raises(UsageError, match=f"{name} beside it is an input"):
        places.check()


def test_a_store_that_is_a_hard_link_to_the_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "i.csv").write_text("key\n", encoding="utf-8")
    (tmp_path / "s.sqlite").hardlink_to(tmp_path / "i.csv")
    places = Places(tmp_path / "o.csv", tmp_path / "s.sqlite", [tmp_path / "i.csv"])
    with pytest.raises(UsageError, match="is the input"):
        places.check()


def test_an_output_may_be_its_own_input(tmp_path: Path) -> None:
    """Whether it may is for the capability to say; its companions are no matter."""
    Places(tmp_path / "o.csv", inputs=[tmp_path / "o.csv"]).check()


def test_names_are_measured_where_they_will_stand(tmp_path: Path) -> None:
    """The folder need not exist yet."""
    folder = tmp_path / "new" / "folder"
    Places(folder / ("o" * 220 + ".csv")).check()
    with pytest.raises(UsageError, match="name too long"):
        Places(folder / ("o" * 230 + ".csv")).check()
