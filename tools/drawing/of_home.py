"""What stands indoors: fruit, a cat, a clock, a fish, tea, a lantern, a ball and a box."""

from __future__ import annotations

from math import cos, pi, sin

from tools.drawing.canvas import HEIGHT, WIDTH, Canvas, turned
from tools.drawing.parts import DARK_WOOD, INK, WOOD, indoors


def mangoes() -> Canvas:
    """Three yellow mangoes on a white plate."""
    canvas = Canvas("#e9d3ae")
    canvas.box(0, 120, WIDTH, HEIGHT, "#9c6b43")
    for y in (170, 232, 296):
        canvas.line([(0, y), (WIDTH, y)], "#87592f", 1.5)
    canvas.oval((224, 240), 168, 62, "#7d5433")
    canvas.oval((224, 230), 166, 60, "#f7f7f4")
    canvas.oval((224, 226), 124, 40, "#dfe3e4")
    canvas.oval((224, 229), 124, 39, "#f1f3f3")
    for x, y, lean in ((160, 190, -14), (290, 194, -32), (226, 212, 4)):
        outline = [
            (x - 58, y + 2),
            (x - 48, y - 24),
            (x - 16, y - 38),
            (x + 22, y - 30),
            (x + 46, y - 8),
            (x + 58, y + 18),
            (x + 44, y + 25),
            (x + 10, y + 36),
            (x - 34, y + 30),
        ]
        canvas.blob(turned(outline, (x, y), lean), "#d2881b")
        inner = [(x + 0.94 * (a - x), y + 0.94 * (b - y) - 1) for a, b in outline]
        canvas.blob(turned(inner, (x, y), lean), "#f7bd2a")
        blush = [
            (x - 52, y - 2),
            (x - 44, y - 22),
            (x - 18, y - 34),
            (x - 26, y - 10),
            (x - 36, y + 12),
        ]
        canvas.blob(turned(blush, (x, y), lean), "#f2983a")
        shine = [(x - 14, y - 12), (x - 4, y - 24), (x + 18, y - 20), (x + 4, y - 10)]
        canvas.blob(turned(shine, (x, y), lean), "#fce08c")
        canvas.line(turned([(x - 56, y - 6), (x - 64, y - 13)], (x, y), lean), DARK_WOOD, 5)
        if x < 226:
            leaf = [(x - 62, y - 14), (x - 74, y - 36), (x - 52, y - 66), (x - 50, y - 34)]
            canvas.blob(turned(leaf, (x, y), lean), "#3f8f3f")
    return canvas


def cat() -> Canvas:
    """An orange cat that sits on the floor under a table."""
    canvas = indoors(232, "#dfe9ea", "#c79b6b")
    coat, stripe, belly = "#ee8a2f", "#b85f14", "#ffe2bd"
    canvas.box(70, 120, 88, 305, DARK_WOOD)
    canvas.box(360, 120, 378, 305, DARK_WOOD)
    canvas.rounded(40, 96, 408, 122, WOOD, 5)
    canvas.box(60, 122, 388, 138, "#734823")
    canvas.oval((222, 304), 76, 10, "#a87d50")
    canvas.curve([(262, 290), (306, 290), (318, 258), (300, 238)], coat, 14)
    canvas.blob([(176, 302), (180, 246), (204, 216), (240, 216), (266, 250), (272, 302)], coat)
    canvas.blob([(200, 300), (204, 254), (222, 240), (240, 256), (244, 300)], belly)
    for x in (204, 240):
        canvas.oval((x, 300), 17, 9, coat)
    for y in (250, 266, 282):
        canvas.line([(258, y), (268, y - 3)], stripe, 4)
    for side in (-1, 1):
        canvas.shape([(222 + side * 40, 150), (222 + side * 8, 176), (222 + side * 42, 204)], coat)
        canvas.shape(
            [(222 + side * 36, 162), (222 + side * 18, 178), (222 + side * 36, 192)], "#f7b7a3"
        )
    canvas.oval((222, 200), 45, 36, coat)
    canvas.oval((222, 216), 22, 15, belly)
    for x in (208, 222, 236):
        canvas.line([(x, 168), (x, 180)], stripe, 4)
    for side in (-1, 1):
        canvas.oval((222 + side * 19, 197), 8, 9, "#7bbf4a")
        canvas.oval((222 + side * 19, 197), 3, 8, INK)
        for lift in (-5, 2, 9):
            canvas.line([(222 + side * 14, 214), (222 + side * 58, 212 + lift)], "#5d4a3a", 1.3)
    canvas.shape([(216, 208), (228, 208), (222, 215)], "#d9627a")
    canvas.curve([(212, 222), (217, 224), (222, 216), (227, 224), (232, 222)], INK, 1.8)
    return canvas


def clock(swing: int = 1) -> Canvas:
    """A wall clock at three above a green chair, its pendulum to one side or the other."""
    canvas = indoors(262, "#f4e6cf", "#b98a5c")
    middle = (224, 82)
    bob = (224 + 15 * swing, 176)
    canvas.rounded(186, 110, 262, 196, DARK_WOOD, 6)
    canvas.rounded(194, 118, 254, 188, "#f6efe2", 4)
    canvas.line([(224, 120), bob], "#b98a1e", 3)
    canvas.disc((bob[0], bob[1] - 4), 8, "#e6b422")
    canvas.disc(middle, 62, DARK_WOOD)
    canvas.disc(middle, 53, "#ffffff")
    for hour in range(12):
        c, s = cos(hour * pi / 6), sin(hour * pi / 6)
        inner = 40 if hour % 3 == 0 else 45
        canvas.line(
            [
                (middle[0] + inner * c, middle[1] + inner * s),
                (middle[0] + 49 * c, middle[1] + 49 * s),
            ],
            INK,
            4 if hour % 3 == 0 else 2.5,
        )
    canvas.line([middle, (224, 44)], INK, 4)
    canvas.line([middle, (251, 82)], INK, 6)
    canvas.disc(middle, 5, "#b02a23")
    seat, shade = "#3d9a55", "#2b7540"
    canvas.rounded(176, 206, 272, 276, seat, 8)
    canvas.rounded(190, 218, 258, 262, shade, 6)
    for x in (180, 262):
        canvas.box(x, 276, x + 8, 318, DARK_WOOD)
    canvas.shape([(176, 270), (272, 270), (286, 292), (162, 292)], seat)
    canvas.box(162, 290, 286, 298, shade)
    for x in (164, 276):
        canvas.box(x, 298, x + 9, 332, WOOD)
    return canvas


def fish() -> Canvas:
    """One orange fish in a round bowl of water."""
    canvas = Canvas("#f3e9d8")
    canvas.box(0, 284, WIDTH, HEIGHT, "#9c6b43")
    canvas.line([(0, 284), (WIDTH, 284)], "#87592f", 4)
    canvas.disc((224, 168), 128, "#9fb4c4")
    canvas.disc((224, 168), 124, "#edf6fb")
    canvas.slice((224, 168), 124, 124, -22, 202, "#7cc3e6")
    canvas.slice((224, 168), 124, 124, 52, 128, "#d9c08c")
    canvas.oval((224, 122), 115, 11, "#a9daf0")
    canvas.box(120, 30, 328, 66, "#f3e9d8")
    canvas.oval((224, 66), 76, 9, "#9fb4c4")
    canvas.oval((224, 65), 71, 6, "#f8fcff")
    for x, lean in ((150, -4), (296, 6)):
        canvas.curve([(x, 262), (x + lean, 232), (x - lean, 206), (x + lean, 180)], "#3f8f3f", 6)
    body = [
        (156, 186),
        (180, 160),
        (222, 152),
        (262, 172),
        (276, 188),
        (262, 204),
        (222, 222),
        (180, 212),
    ]
    canvas.blob([(262, 188), (304, 156), (312, 170), (300, 188), (312, 208), (302, 220)], "#e0691a")
    canvas.blob([(202, 158), (222, 134), (250, 140), (246, 164)], "#e0691a")
    canvas.blob(body, "#f58a2a")
    canvas.blob([(216, 194), (238, 194), (250, 210), (232, 212)], "#e0691a")
    canvas.curve([(196, 166), (203, 187), (196, 208)], "#e0691a", 3)
    canvas.disc((178, 180), 8, "#ffffff")
    canvas.disc((176, 180), 4, INK)
    canvas.curve([(158, 192), (165, 196), (172, 195)], "#a8480c", 2.5)
    for x, y, radius in ((140, 170, 6), (128, 150, 5), (138, 136, 4)):
        canvas.disc((x, y), radius, "#d9f0fa")
    return canvas


def tea() -> Canvas:
    """Steam over a white cup of tea beside a black kettle."""
    canvas = Canvas("#dfe9ea")
    canvas.box(0, 226, WIDTH, HEIGHT, "#a8744a")
    for y in (256, 296):
        canvas.line([(0, y), (WIDTH, y)], "#93623b", 1.5)
    metal = "#2b2c31"
    canvas.oval((318, 290), 96, 11, "#8a5c37")
    canvas.curve([(256, 152), (262, 84), (320, 62), (378, 84), (384, 152)], metal, 10)
    canvas.line([(288, 68), (352, 68)], DARK_WOOD, 15)
    canvas.blob([(244, 192), (206, 158), (194, 128), (212, 124), (228, 150), (262, 214)], metal)
    canvas.blob(
        [
            (236, 270),
            (232, 212),
            (262, 156),
            (320, 142),
            (378, 156),
            (408, 212),
            (404, 270),
            (320, 288),
        ],
        metal,
    )
    canvas.oval((320, 150), 52, 11, "#45474e")
    canvas.disc((320, 134), 9, DARK_WOOD)
    canvas.blob([(252, 236), (258, 206), (276, 182), (272, 212), (262, 240)], "#5b5e67")
    canvas.oval((112, 294), 88, 17, "#8a5c37")
    canvas.oval((112, 290), 88, 17, "#f4f4f1")
    canvas.oval((112, 288), 60, 9, "#d8dcdc")
    canvas.curve([(166, 230), (196, 228), (196, 258), (158, 262)], "#fafaf7", 9)
    canvas.blob(
        [(56, 216), (60, 252), (84, 282), (112, 288), (140, 282), (164, 252), (168, 216)], "#fafaf7"
    )
    canvas.oval((112, 216), 57, 13, "#e4e6e4")
    canvas.oval((112, 218), 50, 10, "#b5652d")
    for x in (86, 112, 138):
        canvas.curve(
            [(x, 200), (x - 9, 178), (x + 9, 154), (x - 4, 128), (x + 5, 110)], "#ffffff", 6
        )
    return canvas


def lantern() -> Canvas:
    """A lit lantern to the right of an open book, at night."""
    canvas = Canvas("#1b2340")
    canvas.fade(0, 220, "#141a33", "#2a3357")
    for radius, colour in ((150, "#333350"), (112, "#4a4353"), (78, "#6f5b50")):
        canvas.disc((324, 158), radius, colour)
    canvas.box(0, 228, WIDTH, HEIGHT, "#6b4327")
    canvas.oval((324, 284), 110, 30, "#a06a36")
    canvas.oval((150, 296), 120, 16, "#55331c")
    cover, page = "#7c2230", "#f7edd2"
    canvas.shape([(26, 288), (52, 224), (246, 224), (276, 288)], cover)
    canvas.shape([(34, 280), (58, 220), (150, 230), (151, 290)], page)
    canvas.shape([(268, 280), (240, 220), (150, 230), (151, 290)], "#fff6dc")
    canvas.line([(150, 230), (151, 290)], "#b9a77c", 3)
    for number in range(4):
        y = 236 + number * 11
        canvas.line([(64 - number * 4, y), (138, y + 6)], "#8b8272", 2)
        canvas.line([(162, y + 6), (240 + number * 4, y)], "#8b8272", 2)
    metal = "#8e2f22"
    canvas.curve([(286, 132), (284, 70), (324, 44), (364, 70), (362, 132)], "#9aa0a8", 4)
    canvas.rounded(272, 256, 376, 286, metal, 8)
    canvas.rounded(286, 238, 362, 260, "#b23c2c", 6)
    canvas.blob([(300, 240), (286, 196), (300, 150), (348, 150), (362, 196), (348, 240)], "#ffe9a8")
    flame = [(324, 162), (338, 198), (332, 224), (316, 224), (310, 198)]
    canvas.blob(flame, "#ff9d1e")
    canvas.blob(turned([(324, 186), (330, 206), (324, 222), (318, 206)], (324, 206), 0), "#fff3b0")
    canvas.rounded(296, 118, 352, 148, "#b23c2c", 5)
    canvas.rounded(308, 98, 340, 120, metal, 5)
    for x in (280, 368):
        canvas.line([(x, 262), (x, 132)], "#9aa0a8", 5)
    canvas.line([(280, 132), (300, 132)], "#9aa0a8", 5)
    canvas.line([(348, 132), (368, 132)], "#9aa0a8", 5)
    return canvas


def ball_and_box() -> Canvas:
    """A red ball to the left of a blue box, on nothing at all."""
    canvas = Canvas(None)
    canvas.disc((122, 204), 70, "#a81d1d")
    canvas.disc((120, 201), 67, "#d92b26")
    canvas.blob([(82, 176), (94, 156), (114, 148), (104, 168)], "#f3a39b")
    canvas.shape([(246, 150), (286, 112), (420, 112), (380, 150)], "#6aa2ea")
    canvas.shape([(380, 150), (420, 112), (420, 236), (380, 274)], "#1d4f9e")
    canvas.box(246, 150, 380, 274, "#2f6fd0")
    canvas.line([(246, 176), (380, 176)], "#1d4f9e", 3)
    canvas.line([(380, 176), (420, 138)], "#163d7c", 3)
    return canvas
