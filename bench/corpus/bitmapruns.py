"""Writes BMP pictures of run-length coded indices."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from PIL import Image


def write_runs(picture: Image.Image, path: Path) -> None:
    """Writes a picture of 256 colours with BI_RLE8 ([MS-WMF] 2.1.1.7)."""
    width, height = picture.size
    pixels = np.asarray(picture)
    codes = bytearray()
    for row in pixels[::-1]:
        starts = np.flatnonzero(np.concatenate(([True], row[1:] != row[:-1])))
        for start, end in zip(starts, np.append(starts[1:], width)):
            for part in range(start, end, 255):
                codes += bytes((min(255, end - part), row[start]))
        codes += b"\0\0"
    codes += b"\0\1"
    palette = np.zeros((256, 4), np.uint8)
    colours = np.array(picture.getpalette(), np.uint8).reshape(-1, 3)[:, ::-1]
    palette[:len(colours), :3] = colours
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 1, len(codes), 2835, 2835, 0, 0)
    start = 14 + len(info) + palette.nbytes
    path.write_bytes(b"BM" + struct.pack("<IHHI", start + len(codes), 0, 0, start) + info
                     + palette.tobytes() + codes)
