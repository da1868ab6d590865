"""Writes a matrix of small BMP files into a folder, each with its pixels.

    write_bmps.py FOLDER

NAME.bmp goes with NAME.raw: interleaved samples of 8 bits, RGB or RGBA. The list of names, each with
width, height, bands and the word "pillow" if Pillow decodes the same, is printed. Another result
of Pillow is an error, except for the differences listed in `pillow_agrees`.
"""

import itertools
import random
import struct
import sys
from pathlib import Path

import numpy
from PIL import Image

FOLDER = Path(sys.argv[1])
SIZES = ((1, 1), (2, 3), (7, 5), (33, 4), (40, 9), (131, 3))
CORE, OS2_SHORT, OS2, INFO, V2, V3, V4, V5 = 12, 16, 64, 40, 52, 56, 108, 124
RGB, RLE8, RLE4, FIELDS, ALPHA_FIELDS = 0, 1, 2, 3, 6
RLE24 = 4
# Name: bits, red, green, blue and alpha.
MASKS = {
    "565": (16, 0xF800, 0x07E0, 0x001F, 0),
    "555": (16, 0x7C00, 0x03E0, 0x001F, 0),
    "4444": (16, 0x0F00, 0x00F0, 0x000F, 0xF000),
    "1555": (16, 0x7C00, 0x03E0, 0x001F, 0x8000),
    "332": (16, 0xE000, 0x1C00, 0x0300, 0),
    "no-blue": (16, 0xFF00, 0x00FF, 0, 0),
    "rgb24": (24, 0x0000FF, 0x00FF00, 0xFF0000, 0),
    "bgrx": (32, 0xFF0000, 0xFF00, 0xFF, 0),
    "rgbx": (32, 0xFF, 0xFF00, 0xFF0000, 0),
    "xbgr": (32, 0xFF000000, 0xFF0000, 0xFF00, 0),
    "bgra": (32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000),
    "rgba": (32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000),
    "argb": (32, 0xFF00, 0xFF0000, 0xFF000000, 0xFF),
    "deep": (32, 0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000),
}


def head(kind, size, bits, compression, top_down, colours, palette, masks, data, gap=0, profile=b""):
    """The file header, the information header and what follows."""
    width, height = size
    if kind == CORE:
        info = struct.pack("<IHHHH", CORE, width, height, 1, bits)
    else:
        info = struct.pack("<IiiHH", kind, width, -height if top_down else height, 1, bits)
        if kind != OS2_SHORT:
            info += struct.pack("<IIiiII", compression, len(data), 2835, 2835, colours, 0)
        if kind in (V2, V3, V4, V5):
            info += struct.pack("<4I", *masks)[:kind - INFO]
        if kind in (V4, V5):
            info += b"BGRs" + bytes(48)
        if kind == V5:
            info += bytes(16)
        info = info.ljust(kind, b"\0")
    if kind == INFO and compression in (FIELDS, ALPHA_FIELDS):
        info += struct.pack("<4I", *masks)[:12 if compression == FIELDS else 16]
    start = 14 + len(info) + len(palette) + gap
    if profile:
        info = info[:56] + b"DEBM" + info[60:112] + struct.pack(
            "<II", start - 14 + len(data), len(profile)) + bytes(4)
    return (b"BM" + struct.pack("<IHHI", start + len(data) + len(profile), 0, 0, start) + info
            + palette + bytes(gap) + data + profile)


def packed(values, bits, top_down):
    """Rows of numbers, padded to 32 bits."""
    rows = []
    for row in values if top_down else values[::-1]:
        if bits >= 8:
            line = b"".join(int(value).to_bytes(bits // 8, "little") for value in row)
        else:
            text = "".join(f"{value:0{bits}b}" for value in row)
            text = text.ljust(-(-len(text) // 8) * 8, "0")
            line = bytes(int(text[place:place + 8], 2) for place in range(0, len(text), 8))
        rows.append(line.ljust(-(-len(line) // 4) * 4, b"\0"))
    return b"".join(rows)


def channel(values, mask):
    """Samples of 8 bits, rounded; of more than 8 bits, the first ones."""
    if not mask:
        return numpy.zeros_like(values)
    shift = (mask & -mask).bit_length() - 1
    bits = mask.bit_count()
    sample = (values & mask) >> shift
    if bits > 8:
        return sample >> (bits - 8)
    most = (1 << bits) - 1
    return (sample * 255 + most // 2) // most


def pillow_agrees(name, path, expected):
    """True if Pillow decodes the same; false if it refuses, or is known to differ."""
    try:
        with Image.open(path) as image:
            image.load()
            mode = "RGBA" if expected.shape[2] == 4 else "RGB"
            # It ignores alpha of 16-bit pixels.
            if mode == "RGBA" and image.mode == "RGB":
                return False
            found = numpy.asarray(image.convert(mode), numpy.int16)
    except (OSError, ValueError):
        return False
    # Pillow shows an alpha channel of zeros, ignores the end of short palettes and shifts samples of
    # fewer than eight bits.
    if any(word in name for word in ("zero-alpha", "short-palette")):
        return False
    # Its run-length decoder drops the last of an odd number of literal pixels of four bits, ends rows
    # at a skip of columns, and skips too far.
    if "skips" in name or "runs-4" in name:
        return False
    tolerance = 4 if any(word in name for word in ("555", "565", "16-bit")) else 0
    if found.shape != expected.shape or abs(found - expected).max() > tolerance:
        sys.exit(f"Pillow decodes another picture: {name}")
    return True


def emit(name, data, expected):
    """Writes a file and its pixels."""
    path = FOLDER / f"{name}.bmp"
    path.write_bytes(data)
    (FOLDER / f"{name}.raw").write_bytes(expected.astype(numpy.uint8).tobytes())
    height, width, bands = expected.shape
    agrees = "pillow" if pillow_agrees(name, path, expected) else "alone"
    print(name, width, height, bands, agrees)


def colours_of(bits, entry, rng, count=None):
    """A palette as stored, and its colours."""
    colours = rng.integers(0, 256, (1 << bits if count is None else count, 3))
    stored = b"".join(bytes(int(value) for value in colour[::-1]) + bytes(entry - 3)
                      for colour in colours)
    return stored, colours


def indexed(rng):
    for size, bits, kind, top_down in itertools.product(
            SIZES, (1, 2, 4, 8), (CORE, OS2_SHORT, OS2, INFO, V4, V5), (False, True)):
        if kind == CORE and top_down:
            continue
        palette, colours = colours_of(bits, 3 if kind == CORE else 4, rng)
        values = rng.integers(0, 1 << bits, size[::-1])
        data = packed(values, bits, top_down)
        gap = int(rng.integers(0, 2)) * 6 if kind in (V4, V5) else 0
        emit(f"{bits}-bit-{kind}-{'down' if top_down else 'up'}-{size[0]}x{size[1]}",
             head(kind, size, bits, RGB, top_down, 0, palette, (0,) * 4, data, gap), colours[values])
    for bits in (4, 8):
        palette, colours = colours_of(bits, 4, rng, 5)
        values = rng.integers(0, 5, (6, 9))
        emit(f"{bits}-bit-five-colours",
             head(INFO, (9, 6), bits, RGB, False, 5, palette, (0,) * 4, packed(values, bits, False)),
             colours[values])
        # Stated as full: the pixels follow after five colours, and other indices are black.
        values = rng.integers(0, 8, (6, 9))
        colours = numpy.vstack([colours, numpy.zeros((3, 3), int)])
        emit(f"{bits}-bit-short-palette",
             head(INFO, (9, 6), bits, RGB, False, 0, palette, (0,) * 4, packed(values, bits, False)),
             colours[values])


def direct(rng):
    for size, bits, kind, top_down in itertools.product(
            SIZES, (16, 24, 32), (CORE, OS2_SHORT, OS2, INFO, V3, V4, V5), (False, True)):
        if kind == CORE and (top_down or bits != 24):
            continue
        values = rng.integers(0, 1 << bits, size[::-1])
        masks = (0x7C00, 0x3E0, 0x1F) if bits == 16 else (0xFF0000, 0xFF00, 0xFF)
        emit(f"{bits}-bit-{kind}-{'down' if top_down else 'up'}-{size[0]}x{size[1]}",
             head(kind, size, bits, RGB, top_down, 0, b"", (0,) * 4, packed(values, bits, top_down)),
             numpy.dstack([channel(values, mask) for mask in masks]))
    for size, name, kind, top_down in itertools.product(
            SIZES, MASKS, (INFO, "alpha", V2, V3, V4, V5), (False, True)):
        bits, *masks = MASKS[name]
        compression = ALPHA_FIELDS if kind == "alpha" else FIELDS
        values = rng.integers(0, 1 << bits, size[::-1])
        values[0, 0] |= masks[3]
        has_alpha = masks[3] and kind not in (INFO, V2)
        channels = masks if has_alpha else masks[:3]
        emit(f"{name}-{kind}-{'down' if top_down else 'up'}-{size[0]}x{size[1]}",
             head(INFO if kind == "alpha" else kind, size, bits, compression, top_down, 0, b"",
                  masks, packed(values, bits, top_down)),
             numpy.dstack([channel(values, mask) for mask in channels]))
    bits, *masks = MASKS["bgra"]
    values = rng.integers(0, 1 << 24, (5, 7))
    emit("zero-alpha", head(V4, (7, 5), bits, FIELDS, False, 0, b"", masks,
                            packed(values, bits, False)),
         numpy.dstack([channel(values, mask) for mask in masks[:3]]))
    values = rng.integers(0, 1 << 24, (5, 7))
    emit("profile", head(V5, (7, 5), 24, RGB, False, 0, b"", (0,) * 4, packed(values, 24, False),
                         profile=bytes(range(200))),
         numpy.dstack([channel(values, mask) for mask in MASKS["bgrx"][1:4]]))


class Runs:
    """Random codes, with the pixels that they draw."""

    def __init__(self, size, bits, seed, skips):
        self.random = random.Random(seed)
        self.width, self.height = size
        self.bits, self.skips = bits, skips
        self.rows = numpy.zeros((self.height, self.width, 3 if bits == 24 else 1), int)
        self.codes = bytearray()

    def value(self):
        return [self.random.randrange(256 if self.bits != 4 else 16)
                for _ in range(self.rows.shape[2])]

    def pixels(self, values):
        """Pixels as stored."""
        if self.bits == 4:
            flat = [value[0] for value in values] + [0] * (len(values) % 2)
            return bytes(flat[place] << 4 | flat[place + 1] for place in range(0, len(flat), 2))
        return bytes(itertools.chain.from_iterable(values))

    def draw(self, y, x, values):
        for place, value in enumerate(values):
            if x + place < self.width:
                self.rows[y, x + place] = value

    def row(self, y, x):
        """Codes from a column to the end of the row; the column and row at which they end."""
        while x < self.width:
            choice = self.random.random()
            if self.skips and choice < 0.2:
                columns, rows = self.random.randrange(4), self.random.randrange(3)
                if y + rows < self.height and x + columns <= self.width:
                    self.codes += bytes((0, 2, columns, rows))
                    x, y = x + columns, y + rows
                    continue
            if self.skips and choice < 0.25:
                break
            # Codes that exceed the row, which decoders clip, are only in one kind.
            room = 12 if self.skips and self.bits == 8 else self.width - x
            if choice < 0.6 and room >= 3:
                values = [self.value() for _ in range(self.random.randint(3, min(room, 9)))]
                stored = self.pixels(values)
                self.codes += bytes((0, len(values))) + stored + bytes(len(stored) % 2)
            else:
                count = self.random.randint(1, min(room, 12))
                pair = [self.value(), self.value()] if self.bits == 4 else [self.value()] * 2
                values = [pair[place % 2] for place in range(count)]
                self.codes += bytes((count,)) + self.pixels(pair[:2 if self.bits == 4 else 1])
            self.draw(y, x, values)
            x += len(values)
        return y

    def picture(self):
        y = 0
        while y < self.height:
            y = self.row(y, 0) + 1
            self.codes += b"\0\0"
            if self.skips and self.random.random() < 0.03:
                break
        if self.codes.endswith(b"\0\0") and self.random.random() < 0.5:
            del self.codes[-2:]
        self.codes += b"\0\1"
        return self.rows


def runs(rng):
    seeds = itertools.count()
    for size, bits, skips, top_down in itertools.product(
            SIZES, (4, 8, 24), (False, True), (False, True)):
        if size[0] < 3 and not skips:
            continue
        for _ in range(4):
            seed = next(seeds)
            codes = Runs(size, bits, seed, skips)
            rows = codes.picture()
            kind = OS2 if bits == 24 else (INFO, V4, V5)[seed % 3]
            compression = {4: RLE4, 8: RLE8, 24: RLE24}[bits]
            palette, colours = colours_of(bits, 4, rng) if bits < 24 else (b"", None)
            pixels = rows[:, :, ::-1] if bits == 24 else colours[rows[:, :, 0]]
            name = "skips" if skips else "runs"
            emit(f"{name}-{bits}-{'down' if top_down else 'up'}-{size[0]}x{size[1]}-{seed}",
                 head(kind, size, bits, compression, top_down, 0, palette, (0,) * 4,
                      bytes(codes.codes)),
                 pixels if top_down else pixels[::-1])


RNG = numpy.random.default_rng(7)
indexed(RNG)
direct(RNG)
runs(RNG)
