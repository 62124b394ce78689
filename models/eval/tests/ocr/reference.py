#!/usr/bin/env python3
"""Draws the pictures beside it and writes what a reference implementation reads in them, for the test models/eval/tests/ocr.rs.

    reference.py det.onnx PP-OCRv6_rec_small.onnx

The reference is the Python package rapidocr 3.10.0 with the networks that models/train/text_networks.py starts from, before any
change. The fonts are those of Debian's packages with DejaVu; the lines are invented.
"""
import glob
import json
import pathlib
import random
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rapidocr import RapidOCR

LINES = """GROUND FLOOR PLAN|DOOR SCHEDULE|A-101|SCALE: 1/4" = 1'-0"|HOLLOW METAL FRAME|EXISTING WALL TO REMAIN|08 71 00 DOOR HARDWARE|Grundriss Erdgeschoß|Façade côté rue|Número de puerta|Section 2.4: Submittals|FINISH FLOOR EL. 102.50|3'-0" x 7'-0"|RESTROOM 114|Concrete slab on grade|MECHANICAL ROOM|2400 x 2100|TYPICAL WALL SECTION|REVISION 3|North elevation|ISSUED FOR PERMIT|Sheet 12 of 48|CORRIDOR|Weld all joints|Acoustic ceiling tile|GYPSUM BOARD, 5/8"|Détail de la toiture|ÄNDERUNG|Escala 1:50|FIRE RATING 90 MIN|Provide blocking|STAIR B|ELEVATOR LOBBY|Ceramic tile base|PT-2 EGGSHELL|Slope 1:12|DRAWN BY: MK|CHECKED BY|PROJECT NO. 2214|Kitchen 12.4 m²|OPEN TO BELOW|Verify in field|ROOF DRAIN|GLAZING TYPE G1|Handrail at 900|DOWN 14 R|WOMEN|MEN|JANITOR CLOSET|Part 2 - Products""".split("|")
SIZE = (896, 736)
LINES_A_PICTURE = 10


def drawn(text, fonts):
    font = ImageFont.truetype(random.choice(fonts), random.choice([16, 18, 20, 24, 28]))
    left, top, right, bottom = font.getbbox(text)
    tile = Image.new("L", (right - left + 8, bottom - top + 8), 255)
    ImageDraw.Draw(tile).text((4 - left, 4 - top), text, fill=random.choice([0, 40, 90]), font=font)
    angle = random.choice([0, 0, 0, 0, 2, -3])
    return tile.rotate(angle, expand=True, fillcolor=255, resample=Image.BICUBIC) if angle else tile


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    random.seed(7)
    fonts = [font for font in glob.glob("/usr/share/fonts/truetype/dejavu/*.ttf") if "MathTeX" not in font]
    reader = RapidOCR(params={
        "Det.model_path": sys.argv[1], "Rec.model_path": sys.argv[2], "Det.thresh": 0.2, "Det.unclip_ratio": 1.4, "Det.box_thresh": 0.4,
        "Det.use_dilation": False, "Det.limit_type": "min", "Det.limit_side_len": 32, "Global.use_cls": False,
        "Global.width_height_ratio": -1,
    })
    folder = pathlib.Path(__file__).parent
    read = []
    for start in range(0, len(LINES), LINES_A_PICTURE):
        picture = Image.new("L", SIZE, 255)
        for number, text in enumerate(LINES[start:start + LINES_A_PICTURE]):
            place = (30 + number % 2 * 440, 25 + number // 2 * 140 + random.randrange(60))
            picture.paste(drawn(text, fonts), place)
        name = f"page-{start // LINES_A_PICTURE + 1}.png"
        picture.save(folder / name, optimize=True)
        found = reader(np.array(picture.convert("RGB")))
        lines = [{"text": text, "corners": np.round(corners, 1).tolist()} for text, corners in zip(found.txts, found.boxes)]
        read.append({"picture": name, "lines": lines})
    (folder / "reference.json").write_text(json.dumps(read, ensure_ascii=False, indent=1, default=float) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
