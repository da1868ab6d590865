"""Reads 16-bit samples, of which Pillow 9 keeps only the high byte.

Supports PNG of every 16-bit colour type, which heif-convert and avifdec write for deep sources, interlaced
or not, and TIFF with uncompressed strips.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

# Channels per colour type, PNG specification 11.2.2. Palettes do not have 16 bits.
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}

# First column, first row, column step and row step of the passes, PNG specification 8.2.
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
         (0, 1, 1, 2)]

# TIFF 6.0, sections 3 and 8.
BITS_PER_SAMPLE, COMPRESSION, PHOTOMETRIC, PLANAR = 258, 259, 262, 284
STRIP_OFFSETS, STRIP_BYTE_COUNTS = 273, 279
RGB = 2


def is_deep_png(path: Path) -> bool:
    """True if a PNG has 16 bits per sample, according to byte 24 of its header."""
    with path.open("rb") as file:
        return file.read(25)[24:] == b"\x10"


def read_png(path: Path) -> tuple[np.ndarray, np.ndarray | None]:
    """Samples and alpha of a 16-bit PNG; tRNS becomes alpha."""
    chunks = list(png_chunks(path.read_bytes()))
    header = next(body for kind, body in chunks if kind == b"IHDR")
    width, height, _, colour, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    stream = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    channels = CHANNELS[colour]
    pixels = np.zeros((height, width, channels), np.uint16)
    for x, y, dx, dy in ADAM7 if interlaced else [(0, 0, 1, 1)]:
        part = pixels[y::dy, x::dx]
        rows, columns = part.shape[:2]
        if rows and columns:
            length = rows * (1 + columns * channels * 2)
            raw, stream = stream[:length], stream[length:]
            filtered = np.frombuffer(raw, np.uint8).reshape(rows, -1)
            part[:] = unfilter(filtered, channels * 2).view(">u2").reshape(part.shape)
    if channels in (2, 4):
        return pixels[..., :-1], pixels[..., -1]
    key = next((body for kind, body in chunks if kind == b"tRNS"), None)
    if key is None:
        return pixels, None
    opaque = (pixels != np.frombuffer(key, ">u2")).any(axis=2)
    return pixels, np.where(opaque, 65535, 0).astype(np.uint16)


def png_chunks(data: bytes):
    """Type and body of each chunk."""
    position = 8
    while position + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        yield kind, data[position + 8:position + 8 + length]
        position += length + 12


def unfilter(filtered: np.ndarray, pixel_bytes: int) -> np.ndarray:
    """Undoes the row filters of PNG specification 9.2.

    Each byte depends on its left, upper and upper left neighbours. Anti-diagonals are therefore
    processed one at a time, each with one array operation.
    """
    kinds, rows = filtered[:, 0], filtered[:, 1:]
    height = len(rows)
    width = rows.shape[1] // pixel_bytes
    rows = rows.reshape(height, width, pixel_bytes).astype(np.int16)
    done = np.zeros((height + 1, width + 1, pixel_bytes), np.int16)  # A border of zeros.
    for diagonal in range(height + width - 1):
        y = np.arange(max(0, diagonal - width + 1), min(height, diagonal + 1))
        x = diagonal - y
        left, above, corner = done[y + 1, x], done[y, x + 1], done[y, x]
        kind = kinds[y, np.newaxis]
        guess = np.select(
            [kind == 1, kind == 2, kind == 3, kind == 4],
            [left, above, (left + above) // 2, paeth(left, above, corner)], 0)
        done[y + 1, x + 1] = (rows[y, x] + guess) & 255
    return done[1:, 1:].astype(np.uint8).reshape(height, -1)


def paeth(left: np.ndarray, above: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """The neighbour nearest to left + above − corner, PNG specification 9.4."""
    to_left, to_above = abs(above - corner), abs(left - corner)
    to_corner = abs(left + above - 2 * corner)
    nearer_above = np.where(to_above <= to_corner, above, corner)
    return np.where((to_left <= to_above) & (to_left <= to_corner), left, nearer_above)


def read_tiff(image: Image.Image, path: Path) -> np.ndarray | None:
    """Samples of a 16-bit TIFF with uncompressed RGB strips; None for other pictures."""
    if image.format != "TIFF" or image.tag_v2.get(BITS_PER_SAMPLE) != (16, 16, 16):
        return None
    tags = image.tag_v2
    if (tags.get(COMPRESSION, 1), tags.get(PHOTOMETRIC), tags.get(PLANAR, 1)) != (1, RGB, 1):
        return None
    data = path.read_bytes()
    strips = zip(tags[STRIP_OFFSETS], tags[STRIP_BYTE_COUNTS])
    joined = b"".join(data[offset:offset + count] for offset, count in strips)
    order = "<u2" if data[:2] == b"II" else ">u2"
    return np.frombuffer(joined, order).reshape(image.height, image.width, 3).astype(np.uint16)
