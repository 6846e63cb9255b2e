"""Draw the pictures of `Vision/samples/images/`.

    python -m tools.draw_vision_samples                # into their place
    python -m tools.draw_vision_samples --output DIR

The drawings are this project's own, and the same at every run. The files are stored as pictures
from anywhere may be: as JPEG and PNG, one with transparent parts, one turned on its side with an
EXIF tag that says so, one animated.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from PIL import Image

from tools.drawing import of_country, of_home, of_people
from tools.drawing.canvas import Canvas

IMAGES = Path(__file__).resolve().parent.parent / "Vision" / "samples" / "images"
QUALITY = 85  # of JPEG
TURN_RIGHT = 6  # EXIF's Orientation of a picture that is to be turned clockwise to be seen

# How a drawing is stored: by function, so that each says what is peculiar to its file.
Store = Callable[[Image.Image, Path], None]


def store_jpeg(picture: Image.Image, path: Path) -> None:
    """Store a picture as JPEG."""
    picture.convert("RGB").save(path, quality=QUALITY, optimize=True)


def store_turned(picture: Image.Image, path: Path) -> None:
    """Store a picture as a camera does that was held on its side."""
    tags = Image.Exif()
    tags[0x0112] = TURN_RIGHT
    on_its_side = picture.convert("RGB").transpose(Image.Transpose.ROTATE_90)
    on_its_side.save(path, quality=QUALITY, optimize=True, exif=tags)


def store_png(picture: Image.Image, path: Path) -> None:
    """Store a picture as PNG of at most 256 colours."""
    few = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def store_transparent(picture: Image.Image, path: Path) -> None:
    """Store a picture as PNG with its transparent parts."""
    picture.save(path, optimize=True)


def store_animated(picture: Image.Image, path: Path) -> None:
    """Store the clock as GIF whose pendulum swings; the first frame is the drawing."""
    frames = [
        each.convert("RGB").quantize(64, dither=Image.Dither.NONE)
        for each in (picture, of_home.clock(swing=-1).finished())
    ]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=500, loop=0)


# The drawings by file; out-of-domain files bear their key, as those of Hal-Eval do.
PICTURES: Mapping[str, tuple[Callable[[], Canvas], Store]] = {
    "boat.jpg": (of_country.boat, store_jpeg),
    "rickshaw.png": (of_people.rickshaw, store_png),
    "mangoes.jpg": (of_home.mangoes, store_jpeg),
    "cat.jpg": (of_home.cat, store_jpeg),
    "flag.png": (of_country.flag, store_png),
    "kite.jpg": (of_people.kite, store_turned),
    "house.png": (of_country.house, store_png),
    "goat.jpg": (of_country.goat, store_jpeg),
    "woman.png": (of_people.woman, store_png),
    "clock.gif": (of_home.clock, store_animated),
    "000000001.png": (of_home.ball_and_box, store_transparent),
    "000000002.png": (of_home.fish, store_png),
    "000000003.jpg": (of_home.tea, store_jpeg),
    "000000004.jpg": (of_country.bus, store_jpeg),
    "000000005.png": (of_country.monument, store_png),
    "000000006.png": (of_home.lantern, store_png),
}


def draw_all(folder: Path) -> None:
    """Draw every picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (draw, store) in PICTURES.items():
        store(draw().finished(), folder / name)


def main() -> None:
    """Draw the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=IMAGES, help="folder to draw into")
    draw_all(parser.parse_args().output)


if __name__ == "__main__":
    main()
