"""Answer the questions of `Vision/samples/` by the colours of the pictures alone.

    python -m tools.answer_by_colour

writes the sample predictions, and the columns `colours` and `chrf` of the sample scores. The rule:
a picture has a colour if at least SHARE of its pixels have it. Of a caption whose colours the
picture has the answer is yes, of one with a colour that it lacks no, and a caption that names no
colour gets neither. So these are the answers of something that looks at pictures and sees nothing
but colours. Of a description, `colours` is the share of its colours that the picture has, and
`chrf` is chrF++ against the true caption, which looks at no picture.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import regex
from PIL import Image
from sacrebleu.metrics.chrf import CHRF

from banglahallueval.vision.data import read_items
from banglahallueval.vision.images import load_picture
from banglahallueval.vision.pictures import PictureFolder
from banglahallueval.vision.types import PictureItem

SAMPLES = Path(__file__).resolve().parent.parent / "Vision" / "samples"
SHARE = 0.01

# The colours that have a hue: from and to which degrees, least saturation, least and most value.
HUES: Mapping[str, tuple[float, float, float, float, float]] = {
    "red": (345, 372, 0.35, 0.22, 1),
    "orange": (12, 38, 0.6, 0.8, 1),
    "brown": (8, 45, 0.35, 0.22, 0.7),
    "yellow": (40, 65, 0.45, 0.6, 1),
    "green": (75, 170, 0.2, 0.22, 1),
    "blue": (190, 255, 0.2, 0.22, 1),
    "purple": (260, 310, 0.12, 0.22, 1),
    "pink": (310, 345, 0.12, 0.22, 1),
}
# Their names, and those of black, white and grey, in captions of either language.
NAMES: Mapping[str, str] = {
    **{name: name for name in (*HUES, "black", "white", "grey")},
    "golden": "yellow",
    "লাল": "red",
    "কমলা": "orange",
    "হলুদ": "yellow",
    "সবুজ": "green",
    "নীল": "blue",
    "বেগুনি": "purple",
    "কালো": "black",
    "সাদা": "white",
}
BANGLA = {meaning: name for name, meaning in NAMES.items() if not name.isascii()}

_WORD = regex.compile(r"[\p{L}\p{M}]+")


@cache
def colours_of(path: Path) -> frozenset[str]:
    """Find the colours that a picture has."""
    image = Image.open(io.BytesIO(load_picture(path).part.data)).convert("HSV")
    hue, saturation, value = np.moveaxis(np.asarray(image, dtype=np.float64) / 255, 2, 0)
    hue *= 360
    dull = saturation < 0.12
    masks: dict[str, npt.NDArray[np.bool_]] = {
        "black": value < 0.22,
        "grey": dull & (value >= 0.22) & (value <= 0.9),
        "white": dull & (value > 0.9),
    }
    for name, (start, end, least, darkest, lightest) in HUES.items():
        turned = np.where(hue < end - 360, hue + 360, hue)
        masks[name] = (
            ~dull
            & (turned >= start)
            & (turned < end)
            & (saturation >= least)
            & (value >= darkest)
            & (value <= lightest)
        )
    return frozenset(name for name, mask in masks.items() if mask.mean() >= SHARE)


def named_in(text: str) -> list[str]:
    """List the colours that a text names, in its order, each once."""
    words = _WORD.findall(text.lower())
    return list(dict.fromkeys(NAMES[word] for word in words if word in NAMES))


def answer(caption: str, seen: frozenset[str]) -> str:
    """Say whether a caption matches a picture of these colours."""
    named = named_in(caption)
    bangla = not caption.isascii()
    if not named:
        return "শুধু রং দেখে বলা যায় না।" if bangla else "I cannot tell from colours alone."
    missing = next((name for name in named if name not in seen), None)
    if missing is None:
        return "হ্যাঁ, রং মিলছে।" if bangla else "Yes, the colours are there."
    return f"না, ছবিতে {BANGLA[missing]} রং নেই।" if bangla else f"No, nothing is {missing}."


def colour_share(description: str, seen: frozenset[str]) -> float:
    """Calculate the share of a description's colours that the picture has."""
    named = named_in(description)
    return sum(name in seen for name in named) / len(named)


def predict(name: str) -> None:
    """Write the predictions for a sample, one row for each question."""
    data = read_items(SAMPLES / f"{name}.json")
    pictures = PictureFolder(SAMPLES)
    rows = []
    for question in data.questions():
        item = question.item
        reply = answer(question.caption, _seen(pictures, item))
        rows.append((item.index, item.image, question.kind, reply))
    _write(SAMPLES / f"predictions_{name}.csv", ("index", "image", "kind", "reply"), rows)


def score() -> None:
    """Fill the columns of `scores.csv` that are calculated; what people say is left alone."""
    path = SAMPLES / "scores.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows: list[dict[str, Any]] = list(csv.DictReader(file))
    items = {item.image: item for item in read_items(SAMPLES / "in_domain.json").items}
    pictures, chrf = PictureFolder(SAMPLES), CHRF(word_order=2)
    for row in rows:
        item, text = items[row["image"]], row["description"]
        row["colours"] = f"{colour_share(text, _seen(pictures, item)):.3f}"
        row["chrf"] = f"{chrf.sentence_score(text, [item.caption]).score:.2f}"
        row["words"] = len(text.split())
    _write(path, list(rows[0]), [list(row.values()) for row in rows])


def _seen(pictures: PictureFolder, item: PictureItem) -> frozenset[str]:
    path = pictures.find(item)
    assert path is not None, item
    return colours_of(path)


def _write(path: Path, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def main() -> None:
    """Write all that follows from the pictures' colours."""
    for name in ("in_domain", "in_domain_bn", "out_of_domain", "out_of_domain_bn"):
        predict(name)
    score()


if __name__ == "__main__":
    main()
