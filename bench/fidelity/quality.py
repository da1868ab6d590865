#!/usr/bin/python3
"""Measures the similarity of pictures to references made from their sources.

Reads JSON lines {"source": path, "rendition": path} and answers each with
{"psnr": dB, "ssim": 0 to 1, "ssimulacra2": at most 100, "loss": points} or {"fault": reason}. The reference
is the source decoded in full, converted to sRGB and reduced with a Lanczos kernel to the rendition's size.
Unlike the reference of fidelity.py it has no JPEG loss, which therefore counts. With alpha, all figures are
the worse of black and white backgrounds. The loss is the score's distance in SSIMULACRA2 below the reference
encoded like the rendition. Both are null without the package ssimulacra2, the loss also if the rendition is
not an opaque JPEG. References are kept in --cache.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

import measure
from colour import to_srgb
from decode import decode
from perceptual import loss, ssimulacra2
from reduce import Composable, reduce
from ssim import luma, ssim

# Larger planes would not fit in memory. Only decompression bombs are larger.
MOST_PIXELS = 250_000_000


class TooLarge(Exception):
    """The source is too large for a reference."""


def reference(source: Path, size: tuple[int, int], cache: Path) -> Composable:
    """The reference of a given size, from the cache if possible."""
    status = source.stat()
    facts = f"{source.resolve()} {status.st_size} {status.st_mtime_ns} {size}"
    kept = cache / f"{hashlib.sha256(facts.encode()).hexdigest()}.npz"
    if kept.exists():
        with np.load(kept) as arrays:
            return Composable(arrays["colour"], arrays.get("alpha"))
    if pixels(source) > MOST_PIXELS:
        raise TooLarge("the source has more than 250 megapixels")
    made = reduce(to_srgb(decode(source)), size)
    arrays = {"colour": made.colour} | ({} if made.alpha is None else {"alpha": made.alpha})
    cache.mkdir(parents=True, exist_ok=True)
    draft = kept.with_suffix(".part.npz")
    np.savez(draft, **arrays)
    draft.rename(kept)
    return made


def pixels(source: Path) -> int:
    """Number of pixels according to the header; 0 for formats unknown to Pillow."""
    try:
        with Image.open(source) as image:
            return image.width * image.height
    except UnidentifiedImageError:
        return 0


def compare(source: Path, rendition: Path, cache: Path) -> dict:
    """The figures for one rendition."""
    shown = to_srgb(decode(rendition))
    wanted = reference(source, shown.size, cache)
    found = reduce(shown, shown.size)
    pairs = [(wanted.over(background), found.over(background))
             for background in (measure.BLACK, measure.WHITE)]
    score = ssimulacra2(wanted, found)
    encoded = encoded_alike(wanted, rendition)
    return {
        "psnr": min(measure.psnr(first, second) for first, second in pairs),
        "ssim": min(ssim(luma(first), luma(second)) for first, second in pairs),
        "ssimulacra2": score,
        "loss": None if encoded is None else loss(wanted, encoded, score),
    }


def encoded_alike(wanted: Composable, rendition: Path) -> Composable | None:
    """The opaque reference encoded like a JPEG; None for other renditions."""
    with Image.open(rendition) as image:
        if image.format != "JPEG" or wanted.alpha is not None:
            return None
        return measure.encoded_like(wanted, image)


def main() -> None:
    """Answers all lines."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True, help="the folder for references")
    options = parser.parse_args()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = compare(Path(request["source"]), Path(request["rendition"]), options.cache)
        except Exception as fault:  # Continue after pictures that cannot be compared.
            answer = {"fault": f"{type(fault).__name__}: {fault}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
