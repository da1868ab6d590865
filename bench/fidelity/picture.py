"""Decoded pixels and their colour information."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Picture:
    """A picture in memory.

    samples: rows × columns × channels, uint8 or uint16; 1 channel is grey, 3 are RGB, 4 are CMYK
        with 0 for no ink.
    alpha: rows × columns of the same type, not premultiplied; None if opaque.
    profile: the embedded ICC profile, if any.
    """

    samples: np.ndarray
    alpha: np.ndarray | None = None
    profile: bytes | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, in pixels."""
        rows, columns = self.samples.shape[:2]
        return columns, rows

    def turned(self, orientation: int) -> Picture:
        """The upright picture, for a value of the Exif orientation tag."""
        alpha = None if self.alpha is None else turn(self.alpha, orientation)
        return replace(self, samples=turn(self.samples, orientation), alpha=alpha)


def turn(pixels: np.ndarray, orientation: int) -> np.ndarray:
    """Rotates stored pixels upright (Exif 2.32, tag 0x0112: values 1 to 8)."""
    if orientation >= 5:  # Rows were stored as columns.
        pixels = pixels.swapaxes(0, 1)
    if orientation in (2, 3, 6, 7):  # Mirrored left to right.
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):  # Upside down.
        pixels = pixels[::-1]
    return pixels


def levels(samples: np.ndarray) -> np.ndarray:
    """Samples of 8 or 16 bits as 32-bit floats from 0 to 255."""
    scale = 257 if samples.dtype == np.uint16 else 1
    return samples.astype(np.float32) / scale


def eight_bit(values: np.ndarray) -> np.ndarray:
    """Rounds samples, or levels from 0 to 255, to 8 bits."""
    if values.dtype == np.uint8:
        return values
    if values.dtype == np.uint16:
        values = levels(values)
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)
