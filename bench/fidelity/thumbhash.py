"""Decodes ThumbHash placeholders, independently of the package.

The format: 6-bit averages and 4-bit cosine coefficients of luminance L, two chrominances P
(yellow against blue) and Q (red against green), and alpha.
"""

from __future__ import annotations

import base64

import numpy as np
from PIL import Image

LONG_SIDE = 32


def decode(text: str) -> Image.Image:
    """The picture of a base64 ThumbHash, with a longer side of 32 pixels."""
    data = base64.b64decode(text)
    head, more = int.from_bytes(data[:3], "little"), int.from_bytes(data[3:5], "little")
    has_alpha, landscape, varying = bool(head >> 23), bool(more >> 15), more & 7
    full = 5 if has_alpha else 7
    columns = max(3, full if landscape else varying)
    rows = max(3, varying if landscape else full)
    ratio = (full / varying if landscape else varying / full) if varying else 1
    width, height = (LONG_SIDE, round(LONG_SIDE / ratio)) if ratio > 1 else (
        round(LONG_SIDE * ratio), LONG_SIDE)

    packed = data[6:] if has_alpha else data[5:]
    nibbles = iter([part for byte in packed for part in (byte & 15, byte >> 4)])

    def plane(average: float, nx: int, ny: int, scale: float) -> np.ndarray:
        """Sums the cosines of one channel: a triangle of coefficients, row by row."""
        total = np.full((height, width), average)
        x, y = (np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height
        for cy in range(ny):
            for cx in range(0 if cy else 1, nx):
                if cx * ny < nx * (ny - cy):
                    factor = 2 * scale * (next(nibbles) / 7.5 - 1)
                    wave = np.outer(np.cos(np.pi * y * cy), np.cos(np.pi * x * cx))
                    total += factor * wave
        return total

    luminance = plane((head & 63) / 63, columns, rows, (head >> 18 & 31) / 31)
    # The encoder enlarges chrominance scales by a quarter.
    p = plane((head >> 6 & 63) / 31.5 - 1, 3, 3, 1.25 * (more >> 3 & 63) / 63)
    q = plane((head >> 12 & 63) / 31.5 - 1, 3, 3, 1.25 * (more >> 9 & 63) / 63)
    alpha = np.ones((height, width))
    if has_alpha:
        alpha = plane((data[5] & 15) / 15, 5, 5, (data[5] >> 4) / 15)
    blue = luminance - 2 / 3 * p
    red = (3 * luminance - blue + q) / 2
    levels = np.stack([red, red - q, blue, alpha], axis=2)
    return Image.fromarray(np.uint8(np.rint(np.clip(levels, 0, 1) * 255)), "RGBA")
