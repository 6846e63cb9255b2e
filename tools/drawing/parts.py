"""What several pictures show: sky, ground, trees, people, wheels."""

from __future__ import annotations

from math import cos, pi, sin

from tools.drawing.canvas import HEIGHT, WIDTH, Canvas, Point

SKIN, HAIR, INK = "#8d5a3b", "#1d1716", "#2b2b30"
WOOD, DARK_WOOD = "#8a5a33", "#5f3b20"


def outdoors(horizon: float, ground: str = "#7fb35a") -> Canvas:
    """Start a picture with sky and ground."""
    canvas = Canvas("#ffffff")
    canvas.fade(0, horizon, "#8fc9ee", "#e2f2fb")
    canvas.box(0, horizon, WIDTH, HEIGHT, ground)
    return canvas


def indoors(floor: float, wall: str = "#f3e3c3", boards: str = "#b98a5c") -> Canvas:
    """Start a picture with a wall and a floor of boards."""
    canvas = Canvas(wall)
    canvas.box(0, floor, WIDTH, HEIGHT, boards)
    for number in range(1, 4):
        y = floor + number * (HEIGHT - floor) / 4
        canvas.line([(0, y), (WIDTH, y)], "#a87a4e", 1.2)
    canvas.box(0, floor - 7, WIDTH, floor, "#fffaf0")
    return canvas


def cloud(canvas: Canvas, centre: Point, size: float, colour: str = "#ffffff") -> None:
    """Draw a cloud."""
    x, y = centre
    for across, up, radius in (
        (-1.2, 0, 0.7),
        (-0.4, 0.45, 0.85),
        (0.5, 0.35, 0.75),
        (1.2, 0, 0.6),
    ):
        canvas.disc((x + across * size, y - up * size), radius * size, colour)
    canvas.rounded(x - 1.8 * size, y, x + 1.75 * size, y + 0.68 * size, colour, 0.3 * size)


def tree(canvas: Canvas, foot: Point, height: float, crown: str = "#3f8f3f") -> None:
    """Draw a tree with a round crown."""
    x, y = foot
    canvas.shape(
        [
            (x - 0.07 * height, y),
            (x - 0.035 * height, y - 0.5 * height),
            (x + 0.035 * height, y - 0.5 * height),
            (x + 0.07 * height, y),
        ],
        DARK_WOOD,
    )
    for across, up, radius in ((-0.18, 0.55, 0.2), (0.18, 0.55, 0.2), (0, 0.74, 0.25)):
        canvas.disc((x + across * height, y - up * height), radius * height, crown)


def palm(canvas: Canvas, foot: Point, height: float) -> None:
    """Draw a coconut palm."""
    x, y = foot
    top = (x + 0.12 * height, y - height)
    canvas.curve([foot, (x + 0.02 * height, y - 0.5 * height), top], DARK_WOOD, 0.06 * height)
    for degrees in (190, 225, 270, 315, 350, 160, 20):
        angle = degrees * pi / 180
        tip = (top[0] + 0.42 * height * cos(angle), top[1] + 0.3 * height * sin(angle) + 10)
        bend = (top[0] + 0.25 * height * cos(angle), top[1] + 0.3 * height * sin(angle) - 4)
        canvas.curve([top, bend, tip], "#2f7d3a", 0.055 * height)


def wheel(canvas: Canvas, centre: Point, radius: float, behind: str) -> None:
    """Draw a wheel with spokes, the colour behind it seen through them."""
    canvas.disc(centre, radius, INK)
    canvas.disc(centre, radius - 4, behind)
    for spoke in range(6):
        c, s = cos(spoke * pi / 6), sin(spoke * pi / 6)
        reach = radius - 4
        x, y = centre
        canvas.line(
            [(x - reach * c, y - reach * s), (x + reach * c, y + reach * s)], "#8b8f96", 1.2
        )
    canvas.disc(centre, 4, INK)


def head(canvas: Canvas, centre: Point, radius: float, facing: int = 0) -> None:
    """Draw a head with short hair; facing is -1 for left, 1 for right, 0 for the viewer."""
    x, y = centre
    canvas.disc(centre, radius, SKIN)
    canvas.slice((x, y), radius * 1.06, radius * 1.06, 195, 345, HAIR)
    if facing:
        canvas.disc((x + facing * 0.5 * radius, y + 0.1 * radius), 0.13 * radius, INK)
        canvas.disc((x + facing * radius, y + 0.25 * radius), 0.18 * radius, SKIN)
        return
    for side in (-1, 1):
        canvas.disc((x + side * 0.38 * radius, y + 0.1 * radius), 0.12 * radius, INK)
    smile = [(x - 0.35 * radius, y + 0.5 * radius), (x, y + 0.63 * radius)]
    canvas.curve([*smile, (x + 0.35 * radius, y + 0.5 * radius)], INK, 0.1 * radius)
