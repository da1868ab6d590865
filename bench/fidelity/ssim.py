"""Structural similarity (Wang, Bovik, Sheikh, Simoncelli, 2004) of luma."""

from __future__ import annotations

import numpy as np

# Window of the paper: an 11 × 11 Gaussian of 1.5 with sum 1; separable.
RADIUS, SIGMA = 5, 1.5
_OFFSETS = np.arange(-RADIUS, RADIUS + 1)
KERNEL = np.exp(-_OFFSETS ** 2 / (2 * SIGMA ** 2))
KERNEL /= KERNEL.sum()

# Constants of the paper, for levels from 0 to 255.
C1, C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2

# Luma coefficients (ITU-R BT.601, 2.5.1), as in JPEG.
LUMA = np.array([0.299, 0.587, 0.114])


def luma(colour: np.ndarray) -> np.ndarray:
    """Luma of rows × columns × 3 levels."""
    return colour.astype(np.float64) @ LUMA


def smoothed(plane: np.ndarray) -> np.ndarray:
    """The plane convolved with the window, without its borders."""
    rows, columns = plane.shape
    down = sum(weight * plane[i:rows - 2 * RADIUS + i] for i, weight in enumerate(KERNEL))
    return sum(weight * down[:, i:columns - 2 * RADIUS + i] for i, weight in enumerate(KERNEL))


def ssim(first: np.ndarray, second: np.ndarray) -> float:
    """Mean similarity of two planes of the same size, at least 11 × 11 samples."""
    if min(first.shape) <= 2 * RADIUS:
        raise ValueError("too small for the window")
    mean1, mean2 = smoothed(first), smoothed(second)
    variance1 = smoothed(first * first) - mean1 * mean1
    variance2 = smoothed(second * second) - mean2 * mean2
    covariance = smoothed(first * second) - mean1 * mean2
    numerator = (2 * mean1 * mean2 + C1) * (2 * covariance + C2)
    denominator = (mean1 ** 2 + mean2 ** 2 + C1) * (variance1 + variance2 + C2)
    return float(np.mean(numerator / denominator))
