"""Draws lines of Cyrillic text as `text-recognizer` sees them, for `cyrillic_head.py`.

The words are those of Hunspell's dictionaries, and the fonts are all that Fontconfig lists for Russian. The Debian packages
hunspell-ru, -uk, -bg, -sr, -en-us and fonts-dejavu, -liberation, -paratype, -freefont-ttf, -noto-core, -oldstandard, -osifont
have them.
"""

import functools
import re
import subprocess
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

# Height of a line in the network's input, in pixels.
HEIGHT = 48
DICTIONARIES = Path("/usr/share/hunspell")
# A language's dictionary, and how many of a hundred lines are in it.
LANGUAGES = {"ru_RU": 60, "uk_UA": 10, "bg_BG": 10, "sr_RS": 5, "en_US": 10}
NUMBERS_ONLY = 5
# What stands between the words of drawings: in any language, and in those with Cyrillic letters. `n` and `m` are digits.
SIGNS = (
    "№ {n}|{n}{m}×{n}00|≥{n}00|≤{n}{m}|L={n}{m}0|h={n}.{m}|·|—|–|→|Ø{n}{m}|{n}{m}°|{n}{m}%|±0.000|+{n},{m}00|-{n}.{m}0|{n}/{m}"
    "|({n})|{n}{m}x{n}0|S={n}{m},{m} м²|{n}{m} мм|1:{n}0|1:{n}00|v{n}.{m}|{n}{m}{n}0|K0{n} {m}00|A{n}-{m}|E0{n}|N|S|W|USB|WC|PVC"
    "|MDF|DWG|CAM_{n}{m}|{n}-{m}|{n}.{m}.{n}|#{n}|{n}{m}.{n}{m}.20{n}{m}|<{n}>|[{n}]|{n}+{m}|*|&|М{n}{m}"
).split("|")
TAGS = (
    "ОК-{n}|ДВ-{n}|Д-{n}|М 1:{n}00|М1:{n}0|ГОСТ {n}{m}29-88|ГОСТ Р 21.1101-2013|СНиП {n}.0{m}.01-85|Лист|Листов|Стадия|Масштаб"
    "|Изм.|Кол.уч.|№ док.|Подп.|Дата|Разраб.|Пров.|Н.контр.|Утв.|ГИП|{n}00х{m}00|кв.м|мм|АР-{n}|КЖ{n}|А{n}|Б|В|Г|Д|Поз."
    "|Обозначение|Наименование|Кол.|Масса ед., кг|Примечание|А-III|А500С|шт.|Спецификация|План {n} этажа|Разрез 1-1|Фасад 1-{n}"
    "|Экспликация помещений|Ведомость|этаж|отм. 0,000|№ пом.|с.н."
).split("|")
# Of a hundred pieces of a line so many are a tag, a sign, an English word.
TAG, SIGN, ENGLISH = 12, 23, 5
# Latin letters that lettering of GOST 2.304 writes as these small Cyrillic ones, as in italics. So are this many of a hundred lines.
CURSIVE = {ord(cyrillic): latin for cyrillic, latin in zip("тидпйв", "mugnŭb")}
CURSIVE_LINES = 12
# The heights of lines on paper, in pixels of the picture that they are read from.
SIZES = (15, 17, 19, 22, 24, 28, 32, 40, 48)


@functools.cache
def dictionary(language):
    """Returns the words of a dictionary, up to 14 letters."""
    encoding = re.search(r"^SET\s+(\S+)", (DICTIONARIES / f"{language}.aff").read_text("latin-1"), re.MULTILINE)[1]
    letters = "[A-Za-z'-]{1,14}" if language == "en_US" else "[Ѐ-ӿ'-]{1,14}"
    lines = (DICTIONARIES / f"{language}.dic").read_text(encoding, errors="ignore").split("\n")[1:]
    words = [re.split(r"[/\t]", line)[0].strip() for line in lines]
    return [word for word in words if re.fullmatch(letters, word)]


@functools.cache
def fonts():
    """Returns the files of the fonts. Plain ones of offices and the one of ISO 3098 stand there several times."""
    listed = subprocess.run(["fc-list", ":lang=ru", "file"], capture_output=True, text=True, check=True).stdout
    files = sorted(name for name in (line.split(":")[0] for line in listed.split("\n")) if name.endswith((".ttf", ".otf")))
    of_offices = [file for file in files if re.search("PT|DejaVuSans|Liberation|FreeSans|NotoSans-", file)]
    return files + of_offices + [file for file in files if "osifont" in file] * 25


@functools.lru_cache(4000)
def font(file, size):
    return ImageFont.truetype(file, size)


# Letters that osifont fills solidly.
SOLID = "эЭ"


@functools.cache
def has(file, letter):
    """Returns whether a font has a letter: what it draws for one that no font has is another picture."""
    if "osifont" in file and letter in SOLID:
        return False
    missing, drawn = (font(file, 40).getmask(one) for one in ("\uffff", letter))
    return letter == " " or (drawn.size, bytes(drawn)) != (missing.size, bytes(missing))


def text(rng):
    """Returns the text of a line."""
    language = rng.choices([*LANGUAGES, None], [*LANGUAGES.values(), NUMBERS_ONLY])[0]
    if language is None:
        return " ".join(filled(rng, rng.choice(SIGNS + TAGS)) for _ in range(rng.randint(1, 3)))
    count = rng.choices([1, 2, 3, 4, 5, 6, 8], [22, 26, 20, 12, 8, 6, 6])[0]
    pieces = [piece(rng, language) for _ in range(count)]
    match rng.choices(["capitals", "sentence", "small", "title"], [35, 35, 20, 10])[0]:
        case "capitals":
            pieces = [word.upper() for word in pieces]
        case "sentence":
            pieces[0] = pieces[0][:1].upper() + pieces[0][1:]
        case "title":
            pieces = [word[:1].upper() + word[1:] for word in pieces]
    joined = rng.choices([" ", "/", "-", " - "], [20, 1, 1, 1])[0].join(pieces)
    return f"({joined})" if rng.random() < 0.05 else joined


def piece(rng, language):
    """Returns a word, a tag or a sign, with what stands around it."""
    kinds = [TAG, SIGN, ENGLISH, 100 - TAG - SIGN - ENGLISH]
    match rng.choices(["tag", "sign", "English", "word"], kinds)[0]:
        case "tag" if language != "en_US":
            chosen = filled(rng, rng.choice(TAGS))
        case "sign":
            chosen = filled(rng, rng.choice(SIGNS))
        case "English":
            chosen = rng.choice(dictionary("en_US"))
        case _:
            chosen = rng.choice(dictionary(language))
    if rng.random() < 0.12:
        chosen += rng.choice(",.;:")
    quotes = rng.choices(['""', "«»", None], [3, 3, 94])[0]
    return quotes[0] + chosen + quotes[1] if quotes else chosen


def filled(rng, pattern):
    return pattern.format(n=rng.randint(1, 9), m=rng.randint(0, 9))


def picture(line, rng):
    """Returns a line as a grey picture that is HEIGHT pixels high, or None if nothing of it shows."""
    is_cursive = rng.random() < CURSIVE_LINES / 100
    drawn = cut_out(slanted(typeset(line.translate(CURSIVE) if is_cursive else line, rng), rng), rng)
    if drawn is None:
        return None
    match rng.choices(["as drawn", "bold", "thin"], [6, 2, 1])[0]:
        case "bold":
            drawn = cv2.erode(drawn, np.ones((rng.choice([2, 3]),) * 2, np.uint8))
        case "thin":
            drawn = cv2.dilate(drawn, np.ones((2, 2), np.uint8))
    height = rng.choice(SIZES)
    printed = cv2.resize(drawn, (max(4, drawn.shape[1] * height // drawn.shape[0]), height), interpolation=cv2.INTER_AREA)
    printed = worn(printed.astype(np.float32), rng).clip(0, 255).astype(np.uint8)
    width = max(8, round(printed.shape[1] * HEIGHT / height))
    return cv2.resize(printed, (width, HEIGHT), interpolation=cv2.INTER_LINEAR)


def typeset(line, rng):
    """Returns a line in a font, black on white, with a margin. Some lines have their letters apart."""
    file = rng.choice(fonts())
    while not all(has(file, letter) for letter in line):
        file = rng.choice(fonts())
    face = font(file, rng.choice([40, 56, 72]))
    apart = rng.uniform(0, 0.15) * face.size if rng.random() < 0.25 else 0.0
    advances = [face.getlength(letter) + apart for letter in line]
    width = sum(advances) if apart else face.getlength(line)
    canvas = Image.new("L", (int(width) + 2 * face.size, sum(face.getmetrics()) + 2 * face.size), 255)
    pen = ImageDraw.Draw(canvas)
    if not apart:
        pen.text((face.size, face.size), line, font=face, fill=0)
    else:
        x = float(face.size)
        for letter, advance in zip(line, advances):
            pen.text((x, face.size), letter, font=face, fill=0)
            x += advance
    return np.asarray(canvas)


def slanted(drawn, rng):
    """Returns a line slanted as lettering is, stretched and a little turned."""
    slant = rng.uniform(-0.05, 0.3) if rng.random() < 1 / 3 else 0.0
    stretch, turn = rng.uniform(0.75, 1.25), rng.gauss(0, 0.012)
    height, width = drawn.shape
    moved = np.array([[stretch, -slant, slant * height / 2], [turn, 1, -turn * width / 2]], np.float32)
    size = (int(width * stretch + height * 0.35), height)
    return cv2.warpAffine(drawn, moved, size, borderValue=255, flags=cv2.INTER_AREA)


def cut_out(drawn, rng):
    """Returns a line with margins like those of the detector's boxes, or None for an empty one."""
    rows, columns = np.where(drawn < 128)
    if len(rows) == 0:
        return None
    height = int(np.ptp(rows)) + 1
    margin = rng.uniform(0.08, 0.35) * height
    above, below = (int(margin * rng.uniform(0.6, 1.2)) for _ in range(2))
    left, right = (int(margin * rng.uniform(0.4, 1.6)) for _ in range(2))
    inner = drawn[rows.min():rows.max() + 1, columns.min():columns.max() + 1]
    return cv2.copyMakeBorder(inner, above, below, left, right, cv2.BORDER_CONSTANT, value=255)


def worn(printed, rng):
    """Returns a line greyer, crossed by rules, blurred, noisy, or in black and white, each now and then."""
    darkest = rng.uniform(0, 110) if rng.random() < 0.5 else 0.0
    brightest = rng.uniform(200, 255) if rng.random() < 0.3 else 255.0
    printed = darkest + (brightest - darkest) * printed / 255
    if rng.random() < 0.15:
        row = rng.randrange(printed.shape[0])
        printed[row] = np.minimum(printed[row], darkest + 40)
    if rng.random() < 0.1:
        column = rng.randrange(printed.shape[1])
        printed[:, column] = np.minimum(printed[:, column], darkest + 40)
    if rng.random() < 0.35:
        printed = cv2.GaussianBlur(printed, (0, 0), rng.uniform(0.3, 1.0))
    if rng.random() < 0.35:
        noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, rng.uniform(3, 22), printed.shape)
        printed = printed + noise
    if rng.random() < 0.12:
        printed = np.where(printed < rng.uniform(150, 220), 0.0, 255.0)
    return printed
