"""SSIMULACRA2, if its package is installed."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

import measure
from picture import eight_bit
from reduce import Composable

try:
    from ssimulacra2 import compute_ssimulacra2
except ImportError:
    compute_ssimulacra2 = None

# Smallest side that the metric is defined for.
LEAST_SIDE = 8


def ssimulacra2(truth: Composable, shown: Composable) -> float | None:
    """The score, at most 100; with alpha the worse of two backgrounds.

    None without the package, and for pictures that are too small.
    """
    if compute_ssimulacra2 is None or min(truth.colour.shape[:2]) < LEAST_SIDE:
        return None
    opaque = truth.alpha is None and shown.alpha is None
    backgrounds = [measure.BLACK] if opaque else [measure.BLACK, measure.WHITE]
    return min(
        float(compute_ssimulacra2(stored(truth.over(level)), stored(shown.over(level))))
        for level in backgrounds)


def loss(truth: Composable, reference: Composable, score: float | None) -> float | None:
    """Difference of a score from the reference's, above 0 if lower; None without a score."""
    return None if score is None else ssimulacra2(truth, reference) - score


def stored(colour: np.ndarray) -> io.BytesIO:
    """An uncompressed file of levels from 0 to 255, because the package accepts no arrays."""
    stream = io.BytesIO()
    Image.fromarray(eight_bit(colour)).save(stream, "PPM")
    stream.seek(0)
    return stream
