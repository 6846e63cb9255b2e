"""People: a rickshaw puller, a child with a kite, a woman with a pot."""

from __future__ import annotations

from tools.drawing.canvas import WIDTH, Canvas, turned
from tools.drawing.parts import DARK_WOOD, HAIR, INK, SKIN, cloud, head, outdoors, palm, tree, wheel


def rickshaw() -> Canvas:
    """A man in a white shirt who pedals a rickshaw with a woman on its seat."""
    canvas = outdoors(214, "#9a9a98")
    canvas.box(0, 198, WIDTH, 214, "#7fb35a")
    canvas.line([(0, 300), (WIDTH, 300)], "#d8d8d2", 3)
    cloud(canvas, (80, 50), 22)
    road = "#9a9a98"
    # Seat, hood and the woman under it.
    canvas.blob([(268, 108), (300, 72), (352, 66), (392, 104), (398, 190), (375, 200)], "#2f8f5b")
    canvas.shape([(292, 118), (322, 92), (360, 92), (376, 120), (372, 200), (290, 200)], "#1c5c3a")
    canvas.blob([(312, 205), (314, 160), (330, 146), (350, 150), (362, 205)], "#d9428a")
    head(canvas, (330, 130), 16, -1)
    canvas.blob([(326, 112), (348, 118), (352, 150), (340, 150), (340, 126)], "#b32f6e")
    canvas.blob([(292, 214), (300, 186), (352, 186), (352, 214)], "#d9428a")
    canvas.rounded(282, 196, 390, 222, "#d8362a", 5)
    canvas.rounded(270, 218, 386, 232, "#f2b632", 4)
    canvas.line([(292, 214), (282, 246)], "#d9428a", 13)
    canvas.line([(262, 250), (300, 250)], DARK_WOOD, 6)
    wheel(canvas, (340, 258), 42, road)
    wheel(canvas, (112, 258), 42, road)
    # Frame.
    for points in (
        [(112, 258), (128, 168)],
        [(124, 186), (190, 250)],
        [(190, 250), (340, 258)],
        [(190, 250), (204, 184)],
        [(128, 180), (204, 184)],
        [(204, 184), (262, 250)],
    ):
        canvas.line(points, "#b02a23", 5)
    canvas.line([(128, 168), (146, 160)], INK, 5)
    canvas.rounded(188, 174, 222, 184, INK, 4)
    # The man.
    canvas.line([(206, 170), (164, 200), (176, 248)], "#31579c", 15)
    canvas.line([(206, 170), (178, 214), (200, 262)], "#3d69b5", 15)
    canvas.line([(190, 266), (206, 266)], INK, 8)
    canvas.line([(166, 250), (182, 250)], INK, 8)
    canvas.blob([(190, 180), (178, 120), (194, 108), (212, 114), (222, 178)], "#fbfbf7")
    canvas.line([(190, 124), (166, 152), (144, 160)], SKIN, 9)
    canvas.line([(192, 120), (178, 138)], "#fbfbf7", 13)
    head(canvas, (184, 90), 18, -1)
    return canvas


def kite() -> Canvas:
    """A child in a blue shirt who flies a red kite over a field."""
    canvas = outdoors(228)
    cloud(canvas, (66, 74), 22)
    cloud(canvas, (228, 44), 16)
    for x in (30, 62, 250, 300, 418):
        tree(canvas, (x, 232), 46, "#5a9a4c")
    for x, y in ((40, 290), (210, 320), (300, 270), (400, 300), (250, 255), (96, 322)):
        for lean in (-5, 0, 5):
            canvas.line([(x, y), (x + lean, y - 10)], "#5f9440", 2)
    canvas.curve([(163, 186), (230, 170), (300, 120), (341, 84)], "#5b5b5b", 1.6)
    middle = (345, 80)
    corners = [(345, 20), (392, 80), (345, 140), (298, 80)]
    canvas.slanted(corners, middle, 35, "#d8261c")
    for line in ([(345, 20), (345, 140)], [(298, 80), (392, 80)]):
        canvas.line(turned(line, middle, 35), "#8f1710", 3)
    tail = turned([(345, 140), (352, 158), (340, 172), (350, 190)], middle, 35)
    canvas.curve(tail, "#8f1710", 2)
    for left, top in ((a - 8, b - 5) for a, b in tail[1:]):
        right, bottom = left + 16, top + 10
        bow = [(left, top), (right, bottom), (right, top), (left, bottom)]
        canvas.shape(bow, "#ffd23f")
    for x in (112, 134):
        canvas.line([(x, 262), (x, 300)], SKIN, 11)
        canvas.line([(x, 303), (x + 7, 303)], INK, 8)
    canvas.rounded(102, 236, 144, 272, "#6b4b2a", 5)
    canvas.rounded(101, 180, 145, 244, "#2f6fd0", 10)
    canvas.line([(140, 192), (163, 186)], "#2f6fd0", 12)
    canvas.line([(150, 189), (166, 184)], SKIN, 9)
    canvas.line([(104, 192), (90, 226)], "#2f6fd0", 12)
    canvas.line([(92, 222), (88, 234)], SKIN, 9)
    head(canvas, (123, 158), 21, 1)
    return canvas


def woman() -> Canvas:
    """A woman in a green sari who carries a pot on her head."""
    canvas = outdoors(226)
    canvas.blob([(150, 340), (190, 290), (214, 226), (234, 226), (262, 290), (310, 340)], "#d8bd8e")
    tree(canvas, (70, 240), 120)
    palm(canvas, (376, 240), 120)
    canvas.blob([(166, 306), (190, 220), (202, 160), (246, 160), (260, 220), (284, 306)], "#1f8a4c")
    for x in (206, 244):
        canvas.oval((x, 309), 12, 6, SKIN)
    canvas.line([(172, 298), (278, 298)], "#f2c230", 6)
    for x in (208, 226, 244):
        canvas.line([(x, 232), (x + (x - 226) * 0.6, 290)], "#176b3a", 2)
    canvas.shape([(204, 166), (222, 160), (256, 226), (244, 236)], "#f2c230")
    canvas.shape([(206, 162), (216, 158), (252, 226), (246, 232)], "#2aa55d")
    canvas.line([(246, 166), (278, 138), (252, 92)], SKIN, 11)
    canvas.line([(246, 166), (262, 154)], "#b0303c", 15)
    canvas.line([(202, 166), (180, 204), (192, 236)], SKIN, 11)
    canvas.line([(202, 166), (192, 184)], "#b0303c", 15)
    canvas.box(216, 146, 232, 162, SKIN)
    canvas.oval((224, 119), 26, 22, HAIR)
    head(canvas, (224, 128), 22)
    canvas.disc((224, 122), 2.4, "#d8261c")
    canvas.oval((224, 66), 36, 32, "#b5652d")
    canvas.box(208, 26, 240, 44, "#b5652d")
    canvas.oval((224, 27), 24, 7, "#8f4c1e")
    canvas.curve([(190, 64), (224, 72), (258, 64)], "#8f4c1e", 3)
    canvas.oval((224, 100), 20, 7, "#e9d9b8")
    return canvas
