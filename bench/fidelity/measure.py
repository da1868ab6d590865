"""Similarity of a rendition and its reference."""

from __future__ import annotations

import functools
import io

import numpy as np
from PIL import Image, JpegImagePlugin

from picture import eight_bit, turn
from reduce import Composable

BLACK, WHITE = 0.0, 255.0

# Value in dB for identical pictures, whose ratio is infinite.
IDENTICAL = 99.0

# Side of the thumbnails for comparing orientations.
UPRIGHT_SIDE = 32


def psnr(first: np.ndarray, second: np.ndarray) -> float:
    """Peak signal-to-noise ratio in dB over all samples, for levels from 0 to 255."""
    error = float(np.mean((first.astype(np.float64) - second) ** 2))
    return IDENTICAL if error == 0 else min(IDENTICAL, 10 * np.log10(255 ** 2 / error))


def encoded_like(reference: Composable, rendition: Image.Image) -> Composable:
    """The reference after the same JPEG loss: the rendition's quantisation and subsampling."""
    grey = rendition.mode == "L"
    pixels = Image.fromarray(eight_bit(reference.colour))
    stream = io.BytesIO()
    sampling = JpegImagePlugin.get_sampling(rendition)
    (pixels.convert("L") if grey else pixels).save(
        stream, "JPEG", qtables=rendition.quantization, subsampling=-1 if grey else sampling)
    with Image.open(stream) as decoded:
        return Composable(np.asarray(decoded.convert("RGB")).astype(np.float32), None)


def jpeg_quality(rendition: Image.Image) -> int | str:
    """The quality whose standard tables (ITU-T T.81, K.1, scaled as by libjpeg) the JPEG has.

    Thimble's engine of rows has tables of its own, as other encoders have.
    """
    wanted = list(rendition.quantization[0])
    return next((q for q in range(100, 0, -1) if standard_luma(q) == wanted), "other tables")


@functools.lru_cache(maxsize=None)
def standard_luma(quality: int) -> list[int]:
    """The luma quantisation table of libjpeg for a quality."""
    stream = io.BytesIO()
    Image.new("L", (8, 8)).save(stream, "JPEG", quality=quality)
    with Image.open(stream) as image:
        return list(image.quantization[0])


def is_upright(reference: Composable, rendition: Composable) -> bool:
    """True if none of the other seven orientations is more similar to the reference.

    Compares small squares over black, so that transposed pictures have the same size.
    """
    wanted, found = small_square(reference), small_square(rendition)
    distances = [float(np.mean((wanted - turn(found, o)) ** 2)) for o in range(1, 9)]
    return distances[0] <= min(distances) + 1e-6


def small_square(picture: Composable) -> np.ndarray:
    """A picture over black, scaled to a square."""
    image = Image.fromarray(eight_bit(picture.over(BLACK)))
    square = image.resize((UPRIGHT_SIDE, UPRIGHT_SIDE), Image.Resampling.BOX)
    return np.asarray(square).astype(np.float32)


def is_right_size(source: tuple[int, int], rendition: tuple[int, int]) -> bool:
    """True if a rendition has the source's aspect ratio and is not enlarged.

    Each side may be off by one pixel of rounding, and is at least one pixel.
    """
    scales = [
        (max(0, after - 1) / before, (after + 1) / before)
        for before, after in zip(source, rendition)
    ]
    not_enlarged = all(after <= before for before, after in zip(source, rendition))
    return not_enlarged and max(low for low, _ in scales) <= min(high for _, high in scales)
