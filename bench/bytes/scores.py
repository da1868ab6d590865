"""Scores of a JPEG."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ssimulacra2 import compute_ssimulacra2

from encoders import decoded
from pictures import Prepared, run

Measure = Callable[[Prepared, bytes], float]


def similarity(program: Path) -> Measure:
    """SSIMULACRA2 by the product's own code; `checked` compares it with the Python package."""
    def measure(picture: Prepared, jpeg: bytes) -> float:
        return float(run(program, "score", picture.ppm, written(picture, jpeg, "ppm")))
    return measure


def package_score(picture: Prepared, jpeg: bytes) -> float:
    """SSIMULACRA2 by the Python package."""
    return float(compute_ssimulacra2(str(picture.png), str(written(picture, jpeg, "png"))))


def butteraugli(picture: Prepared, jpeg: bytes) -> float:
    """The 3-norm of butteraugli, negated: higher is better."""
    output = run("butteraugli_main", picture.png, written(picture, jpeg, "png"))
    return -float(output.rpartition("3-norm:")[2])


def written(picture: Prepared, jpeg: bytes, kind: str) -> Path:
    """The decoded JPEG as a file."""
    path = picture.ppm.with_name(f"decoded.{kind}")
    decoded(jpeg).save(path, **({"compress_level": 1} if kind == "png" else {}))
    return path
