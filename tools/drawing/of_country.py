"""What stands outdoors: a boat, the flag, a house, a goat, a bus, a monument."""

from __future__ import annotations

from math import cos, pi, sin

from tools.drawing.canvas import HEIGHT, WIDTH, Canvas
from tools.drawing.parts import DARK_WOOD, INK, WOOD, cloud, outdoors, palm, tree, wheel

GREEN, RED = "#006a4e", "#f42a41"  # of the flag


def boat() -> Canvas:
    """A wooden boat with a red sail on a river, the sun in the sky."""
    canvas = outdoors(150, "#5aa7cf")
    canvas.disc((365, 62), 30, "#ffd23f")
    canvas.blob([(0, 128), (120, 118), (250, 132), (448, 120), (460, 160), (-10, 160)], "#6faa4e")
    for x in (40, 92, 402):
        palm(canvas, (x, 132), 62)
    canvas.box(0, 152, WIDTH, HEIGHT, "#5aa7cf")
    for x, y in ((30, 185), (330, 190), (70, 300), (240, 318), (370, 292), (15, 245), (395, 235)):
        canvas.curve([(x, y), (x + 16, y - 4), (x + 32, y), (x + 48, y - 4)], "#a9d5ea", 2.5)
    canvas.line([(215, 258), (215, 62)], DARK_WOOD, 6)
    canvas.blob([(220, 70), (300, 100), (318, 160), (300, 218), (220, 225)], "#d8362a")
    canvas.line([(212, 70), (303, 98)], DARK_WOOD, 4)
    canvas.line([(212, 225), (303, 217)], DARK_WOOD, 4)
    canvas.blob(
        [
            (95, 226),
            (130, 252),
            (215, 262),
            (300, 252),
            (345, 222),
            (305, 288),
            (215, 298),
            (135, 288),
        ],
        WOOD,
    )
    canvas.curve([(112, 251), (150, 267), (215, 274), (285, 267), (328, 249)], DARK_WOOD, 3)
    canvas.curve([(130, 292), (215, 302), (310, 292)], "#3f83a8", 5)
    return canvas


def flag() -> Canvas:
    """The flag of Bangladesh on a tall pole."""
    canvas = outdoors(286)
    cloud(canvas, (90, 76), 24)
    cloud(canvas, (392, 46), 15)
    canvas.rounded(92, 276, 160, 296, "#b9b4ab", 3)
    canvas.line([(126, 286), (126, 26)], "#7c8087", 7)
    canvas.disc((126, 22), 8, "#e6b422")
    top, length = 44.0, 250.0

    def wave(x: float) -> float:
        return 9 * sin(x / length * 2 * pi)

    upper = [(130 + x, top + wave(x)) for x in range(0, 251, 5)]
    canvas.shape([*upper, *((x, y + 150) for x, y in reversed(upper))], GREEN)
    centre = 0.45 * length
    rim = [(centre + 50 * cos(turn * pi / 36), 75 + 50 * sin(turn * pi / 36)) for turn in range(72)]
    canvas.shape([(130 + x, top + y + wave(x)) for x, y in rim], RED)
    return canvas


def house() -> Canvas:
    """Rain on a small house between two trees."""
    canvas = Canvas("#b7c4cf")
    canvas.fade(0, 240, "#8e9dab", "#c7d1d8")
    canvas.box(0, 240, WIDTH, HEIGHT, "#6a9a4f")
    for x, y, size in ((80, 38, 30), (230, 28, 34), (380, 40, 30)):
        cloud(canvas, (x, y), size, "#6d7985")
    tree(canvas, (72, 276), 170, "#2f7f3a")
    tree(canvas, (376, 276), 170, "#2f7f3a")
    canvas.box(150, 180, 298, 280, "#f2e2c0")
    canvas.shape([(132, 184), (224, 116), (316, 184)], "#a8442f")
    canvas.rounded(204, 216, 244, 280, DARK_WOOD, 2)
    canvas.disc((237, 250), 3, "#e6b422")
    for x in (164, 258):
        canvas.box(x, 206, x + 26, 236, "#6fb1d6")
        canvas.line([(x + 13, 206), (x + 13, 236)], "#fffaf0", 3)
        canvas.line([(x, 221), (x + 26, 221)], "#fffaf0", 3)
    canvas.oval((330, 308), 46, 10, "#9fc3d8")
    canvas.oval((120, 316), 36, 8, "#9fc3d8")
    for row in range(9):
        for column in range(15):
            x = 14 + column * 31 + (row % 3) * 10
            y = 66 + row * 30 + (column % 2) * 13
            canvas.line([(x, y), (x - 5, y + 14)], "#e9f4fb", 2)
    return canvas


def goat() -> Canvas:
    """A black goat to the right of a haystack."""
    canvas = outdoors(222)
    cloud(canvas, (360, 62), 22)
    straw, dark = "#e0b645", "#b98c26"
    canvas.blob(
        [(26, 290), (34, 200), (70, 122), (112, 92), (154, 122), (190, 200), (198, 290)], straw
    )
    canvas.line([(112, 94), (112, 70)], DARK_WOOD, 6)
    for x, y, lean in (
        (70, 170, -6),
        (112, 130, 0),
        (150, 172, 6),
        (52, 236, -5),
        (96, 206, -2),
        (132, 232, 3),
        (172, 244, 6),
        (86, 264, -3),
        (150, 272, 4),
    ):
        canvas.line([(x, y), (x + lean, y + 24)], dark, 3)
    coat = "#26242a"
    for x in (276, 296, 358, 378):
        canvas.line([(x, 236), (x, 294)], coat, 11)
        canvas.line([(x, 296), (x, 299)], "#57504a", 12)
    canvas.blob(
        [(262, 206), (290, 188), (360, 190), (392, 206), (392, 244), (340, 254), (276, 250)], coat
    )
    canvas.line([(392, 204), (404, 190)], coat, 9)
    canvas.blob([(266, 232), (252, 184), (262, 168), (284, 176), (300, 206)], coat)
    canvas.blob([(276, 158), (268, 146), (244, 150), (222, 168), (228, 180), (258, 184)], coat)
    canvas.blob([(270, 152), (284, 158), (298, 172), (284, 174), (270, 164)], "#3a363e")
    for bend in (0, 9):
        canvas.curve([(256 + bend, 150), (262 + bend, 128), (280 + bend, 116)], "#a79c88", 6)
    canvas.disc((250, 160), 3.6, "#f0c93a")
    canvas.disc((250, 160), 1.8, INK)
    canvas.shape([(230, 179), (246, 183), (235, 204)], coat)
    for x, y in ((230, 312), (320, 322), (410, 306)):
        for lean in (-5, 0, 5):
            canvas.line([(x, y), (x + lean, y - 10)], "#5f9440", 2)
    return canvas


def bus() -> Canvas:
    """A yellow bus on a bridge across a river."""
    canvas = outdoors(170, "#5aa7cf")
    cloud(canvas, (70, 50), 20)
    cloud(canvas, (384, 38), 16)
    canvas.blob(
        [(-20, 150), (90, 138), (230, 150), (360, 138), (470, 150), (470, 186), (-20, 186)],
        "#6faa4e",
    )
    canvas.box(0, 170, WIDTH, HEIGHT, "#5aa7cf")
    for x, y in ((120, 262), (330, 270), (180, 308), (20, 312), (300, 322), (130, 286)):
        canvas.curve([(x, y), (x + 14, y - 4), (x + 28, y), (x + 42, y - 4)], "#a9d5ea", 2.5)
    for x in (70, 224, 378):
        canvas.shape([(x - 22, 212), (x + 22, 212), (x + 15, 300), (x - 15, 300)], "#9a978f")
        canvas.oval((x, 300), 30, 7, "#7f7c75")
    canvas.box(0, 196, WIDTH, 222, "#b8b4ab")
    canvas.box(0, 216, WIDTH, 222, "#8d8a83")
    paint, glass = "#f5c518", "#bfe3f4"
    canvas.rounded(112, 84, 338, 182, paint, 12)
    canvas.box(112, 150, 338, 160, "#d98e12")
    for x in (126, 168, 210, 252):
        canvas.rounded(x, 98, x + 34, 132, glass, 4)
    canvas.rounded(296, 98, 334, 172, glass, 4)
    canvas.line([(315, 98), (315, 172)], "#d98e12", 3)
    canvas.disc((334, 160), 5, "#fff6c9")
    for x in (160, 282):
        canvas.slice((x, 181), 22, 22, 180, 360, "#d98e12")
        wheel(canvas, (x, 180), 18, "#d7d9dd")
    for x in range(8, WIDTH, 36):
        canvas.line([(x, 196), (x, 176)], "#d9d5cb", 4)
    canvas.line([(0, 176), (WIDTH, 176)], "#d9d5cb", 5)
    return canvas


def monument() -> Canvas:
    """The Shaheed Minar: white columns, a red disc behind them."""
    canvas = outdoors(250, "#c9b9a0")
    canvas.disc((224, 136), 82, "#d8261c")
    white, shade = "#fdfdfb", "#b9bec4"

    def frame(left: float, right: float, top: float, bend: float = 0) -> None:
        bars = 3
        for number in range(bars + 1):
            x = left + number * (right - left) / bars
            canvas.line([(x, 262), (x, top)], shade, 9)
            canvas.line([(x - 1, 262), (x - 1, top)], white, 7)
            if bend:
                tip = (x, top - bend)
                canvas.line([(x, top), tip], shade, 9)
                canvas.line([(x - 1, top), (tip[0] - 1, tip[1])], white, 7)
        y = top - bend
        canvas.line([(left - 4, y), (right + 4, y)], shade, 9)
        canvas.line([(left - 4, y - 1), (right + 4, y - 1)], white, 7)

    frame(64, 112, 168)
    frame(336, 384, 168)
    frame(124, 166, 124)
    frame(282, 324, 124)
    frame(180, 268, 92, 44)
    for step, (left, top) in enumerate(((96, 258), (66, 276), (36, 296))):
        canvas.box(left - 46, top, 494 - left, top + 20, ("#b5483a", "#a23f33", "#8f372c")[step])
    for x in range(150, 310, 16):
        canvas.disc((x, 254), 6, ("#ffd23f", "#f58a2a", "#ffffff")[x // 16 % 3])
        canvas.oval((x + 8, 257), 5, 3, "#3f8f3f")
    return canvas
