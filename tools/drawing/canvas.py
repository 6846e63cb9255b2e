"""A canvas that is drawn on large and scaled down, which smooths every edge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, radians, sin

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 448, 336
_SCALE = 4

Point = tuple[float, float]


class Canvas:
    """A picture of WIDTH by HEIGHT units, its origin at the top left.

    Colours are names or `#rrggbb`, as Pillow reads them.
    """

    def __init__(self, background: str | None) -> None:
        """Start a picture.

        Args:
            background: Its colour; None leaves it transparent.
        """
        size = (WIDTH * _SCALE, HEIGHT * _SCALE)
        self._image = Image.new("RGBA", size, background or (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self._image)

    def finished(self) -> Image.Image:
        """Scale the picture down to its size."""
        return self._image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS, reducing_gap=None)

    def box(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        """Draw a rectangle."""
        self._draw.rectangle(_large([(left, top), (right, bottom)]), colour)

    def rounded(
        self, left: float, top: float, right: float, bottom: float, colour: str, radius: float
    ) -> None:
        """Draw a rectangle with round corners."""
        corners = _large([(left, top), (right, bottom)])
        self._draw.rounded_rectangle(corners, radius * _SCALE, colour)

    def oval(self, centre: Point, across: float, down: float, colour: str) -> None:
        """Draw an ellipse by its centre and half axes."""
        x, y = centre
        self._draw.ellipse(_large([(x - across, y - down), (x + across, y + down)]), colour)

    def disc(self, centre: Point, radius: float, colour: str) -> None:
        """Draw a disc."""
        self.oval(centre, radius, radius, colour)

    def slice(
        self, centre: Point, across: float, down: float, start: float, end: float, colour: str
    ) -> None:
        """Draw what a chord cuts off an ellipse, from one angle to another, clockwise from east."""
        x, y = centre
        bounds = _large([(x - across, y - down), (x + across, y + down)])
        self._draw.chord(bounds, start, end, colour)

    def shape(self, points: Iterable[Point], colour: str) -> None:
        """Draw a polygon."""
        self._draw.polygon(_large(points), colour)

    def blob(self, points: Sequence[Point], colour: str) -> None:
        """Draw a round closed shape that goes through points."""
        self.shape(_smooth([points[-1], *points, points[0], points[1]]), colour)

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a line with round ends and corners."""
        self._draw.line(_large(points), colour, round(width * _SCALE), joint="curve")
        for end in (points[0], points[-1]):
            self.disc(end, width / 2, colour)

    def curve(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a smooth line that goes through points."""
        self.line(_smooth([points[0], *points, points[-1]]), colour, width)

    def fade(self, top: float, bottom: float, upper: str, lower: str) -> None:
        """Fill a band of the picture with one colour that becomes another, in 24 steps."""
        steps = 24
        height = (bottom - top) / steps
        for step in range(steps):
            colour = mixed(upper, lower, step / (steps - 1))
            self.box(0, top + step * height, WIDTH, top + (step + 1) * height, colour)

    def slanted(self, points: Iterable[Point], about: Point, degrees: float, colour: str) -> None:
        """Draw a polygon turned clockwise about a point."""
        self.shape(turned(points, about, degrees), colour)


def turned(points: Iterable[Point], about: Point, degrees: float) -> list[Point]:
    """Turn points clockwise about another."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    x0, y0 = about
    return [(x0 + (x - x0) * c - (y - y0) * s, y0 + (x - x0) * s + (y - y0) * c) for x, y in points]


def mixed(first: str, second: str, share: float) -> str:
    """Mix two colours, both `#rrggbb`, with a share of the second."""
    pairs = zip(bytes.fromhex(first[1:]), bytes.fromhex(second[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex()


def _large(points: Iterable[Point]) -> list[Point]:
    return [(x * _SCALE, y * _SCALE) for x, y in points]


def _smooth(points: Sequence[Point]) -> list[Point]:
    """Make a Catmull-Rom curve through all points but the first and last."""
    steps = 12
    made = []
    for a, b, c, d in zip(points, points[1:], points[2:], points[3:], strict=False):
        for step in range(steps + 1):
            t = step / steps
            x, y = (
                0.5
                * (
                    2 * q
                    + (r - p) * t
                    + (2 * p - 5 * q + 4 * r - s) * t**2
                    + (3 * q - p - 3 * r + s) * t**3
                )
                for p, q, r, s in zip(a, b, c, d, strict=True)
            )
            made.append((x, y))
    return made
