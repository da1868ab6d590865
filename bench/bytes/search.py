"""The search for the bytes at which an encoder reaches a score."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

# Qualities apart at most at the end of a search; between them the length is interpolated.
STEP = 2
MOST_ROUNDS = 9

Encoder = Callable[[Any, int], bytes]
Measure = Callable[[Any, bytes], float]


def equal_bytes(
        encode: Encoder, measure: Measure, picture: Any, target: float, start: int) -> float:
    """Bytes at which an encoder reaches a score, interpolated between two qualities.

    Beyond the qualities 10 and 99, the length at the last one.
    """
    points: dict[int, tuple[float, int]] = {}
    quality = start
    while len(points) < MOST_ROUNDS and quality not in points:
        jpeg = encode(picture, quality)
        points[quality] = measure(picture, jpeg), len(jpeg)
        below = max((q for q, p in points.items() if p[0] < target), default=None)
        above = min((q for q, p in points.items() if p[0] >= target), default=None)
        if below is not None and above is not None:
            if above - below <= STEP:
                return interpolated(points[below], points[above], target)
            quality = min(above - 1, max(below + 1, between(below, above, points, target)))
        else:
            near = quality if below is None else below
            distance = abs(points[near][0] - target)
            # At most 0.6 points of SSIMULACRA2 a step of quality; a step too far brackets the target.
            step = max(1, min(12, math.ceil(distance / 0.6))) if distance > 2 else 2
            quality = min(99, max(10, near + step if below is not None else near - step))
    return float(points[min(points, key=lambda q: abs(points[q][0] - target))][1])


def between(
        below: int, above: int, points: dict[int, tuple[float, int]], target: float) -> int:
    """The quality on the line between two."""
    low, high = points[below][0], points[above][0]
    return round(below + (above - below) * (target - low) / max(1e-6, high - low))


def interpolated(low: tuple[float, int], high: tuple[float, int], target: float) -> float:
    """Bytes for a score on the line of the logarithms of lengths."""
    share = (target - low[0]) / max(1e-6, high[0] - low[0])
    return math.exp(math.log(low[1]) + share * (math.log(high[1]) - math.log(low[1])))
