"""Lanczos reduction in floating point, on premultiplied colour if there is alpha."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from picture import Picture, levels

OPAQUE = 255.0


@dataclass(frozen=True)
class Composable:
    """Colour at its final size, ready for compositing over a background.

    colour: rows × columns × 3 levels from 0 to 255, premultiplied.
    alpha: rows × columns levels from 0 to 255; None if opaque.
    """

    colour: np.ndarray
    alpha: np.ndarray | None

    def over(self, background: float) -> np.ndarray:
        """The colour over a grey of the given level."""
        if self.alpha is None:
            return self.colour
        return self.colour + (background * (1 - self.alpha / OPAQUE))[..., np.newaxis]


def reduce(picture: Picture, size: tuple[int, int]) -> Composable:
    """Resizes an sRGB picture. At its own size it is only premultiplied."""
    alpha = None if picture.alpha is None else levels(picture.alpha)
    if alpha is not None and alpha.min() == OPAQUE:
        alpha = None
    small_alpha = None if alpha is None else lanczos(alpha, size)
    planes = []
    for channel in range(picture.samples.shape[2]):
        plane = levels(picture.samples[..., channel])
        if alpha is not None:
            plane = lanczos(plane * (alpha / OPAQUE), size, ceiling=small_alpha)
        else:
            plane = lanczos(plane, size)
        planes.append(plane)
    colour = np.stack(planes if len(planes) == 3 else planes * 3, axis=2)
    return Composable(colour, small_alpha)


def lanczos(
    plane: np.ndarray, size: tuple[int, int], ceiling: np.ndarray | float = OPAQUE
) -> np.ndarray:
    """One plane resized with a Lanczos kernel of three lobes and clipped."""
    resized = Image.fromarray(np.ascontiguousarray(plane)).resize(size, Image.Resampling.LANCZOS)
    return np.clip(np.asarray(resized), 0, ceiling)
