#!/usr/bin/env python3
"""Draws the pictures of `scripts/`: lines in other scripts than the Latin one, each picture with the text of its lines.

    scripts.py

The fonts are DejaVu Sans and the font for Chinese and Japanese that comes with PyMuPDF. All text is
invented.
"""
import json
from pathlib import Path

import pymupdf

FOLDER = Path(__file__).parent / "scripts"
FONTS = {
    "narrow": "/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed.ttf",
    "dejavu": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
}
PICTURES = {
    "russian": ("narrow", ["План первого этажа", "Экспликация помещений", "Жилая комната 18,4 м²", "Кухня 9,6 м²", "Лист 5"]),
    "bulgarian": ("dejavu", ["Разрез А-А 1:50", "Детайл на стълбище", "Проектант: инж. Петров"]),
    "chinese": ("china-s", ["一层平面图", "主卧 MASTER BEDROOM", "厨房", "卫生间", "比例 1:100"]),
    "japanese": ("japan", ["1階平面図", "仕上表", "工事名称 新築工事", "縮尺 1:50"]),
    "english": ("dejavu", ["FIRST FLOOR PLAN", "BATH 101", "KOMET OAK DOOR", "A-101", "SCALE 1:100"]),
}
SIZE, LINE, MARGIN, DPI = 12, 26, 20, 150


def draw(name, font, lines):
    document = pymupdf.open()
    page = document.new_page(width=260, height=2 * MARGIN + LINE * len(lines))
    for number, line in enumerate(lines):
        place = (MARGIN, MARGIN + SIZE + number * LINE)
        page.insert_text(place, line, fontsize=SIZE, fontname=font, fontfile=FONTS.get(font))
    page.get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY).save(FOLDER / f"{name}.png")


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, (font, lines) in PICTURES.items():
        draw(name, font, lines)
    texts = {name: lines for name, (_, lines) in PICTURES.items()}
    (FOLDER / "texts.json").write_text(json.dumps(texts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
