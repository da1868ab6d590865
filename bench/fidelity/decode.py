"""Full decoding without libvips: one frame, upright."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

import deep
import heif
import tagged
from picture import Picture

# The pipeline limits the size of sources; the reference must accept all of them.
Image.MAX_IMAGE_PIXELS = None

ORIENTATION = 0x0112


def nearest_frame(path: Path, rendition: Path) -> int:
    """Index of the frame most similar to a rendition, at the rendition's size."""
    with Image.open(rendition) as still, Image.open(path) as image:
        wanted = np.asarray(still.convert("RGBA")).astype(float)

        def difference(frame: int) -> float:
            image.seek(frame)
            shown = image.convert("RGBA").resize(still.size, Image.Resampling.BOX)
            return float(np.abs(np.asarray(shown) - wanted).mean())

        return min(range(getattr(image, "n_frames", 1)), key=difference)


def decode(path: Path, frame: int = 0) -> Picture:
    """Decodes a frame of a file, upright; of HEIF the primary picture.

    A picture without a profile gets one from its tags: code points, gamma and primaries.
    """
    with path.open("rb") as file:
        is_heif = file.read(12)[4:8] == b"ftyp"
    if is_heif:
        return decode_heif(path)
    with Image.open(path) as image:
        if frame:
            image.seek(frame)
        orientation = stored_orientation(image)
        if (samples := deep.read_tiff(image, path)) is not None:
            return Picture(samples, None, image.info.get("icc_profile")).turned(orientation)
        picture = read(image, path, is_first=not frame)
        # While loading, Pillow applies the orientation only of TIFF.
        return picture if image.format == "TIFF" else picture.turned(orientation)


def stored_orientation(image: Image.Image) -> int:
    """The orientation of Exif, or of TIFF's own tags."""
    for key in ("xmp", "XML:com.adobe.xmp"):
        # Pillow falls back to XMP, which viewers ignore.
        image.info.pop(key, None)
    return image.getexif().get(ORIENTATION, 1)


def decode_heif(path: Path) -> Picture:
    """Decodes HEIC or AVIF, whose orientation is in their own properties, never in Exif."""
    with tempfile.TemporaryDirectory(prefix="fidelity-") as folder:
        png, said = heif.convert(path, Path(folder))
        with Image.open(png) as image:
            picture = read(image, png)
    if picture.profile is None:
        is_grey = picture.samples.shape[2] == 1
        picture = replace(picture, profile=tagged.of_heif(path, is_grey))
    alpha = None if picture.alpha is None else heif.transform(picture.alpha, said)
    return replace(picture, samples=heif.transform(picture.samples, said), alpha=alpha)


def read(image: Image.Image, path: Path, is_first: bool = True) -> Picture:
    """The stored pixels of an opened picture's frame."""
    profile = image.info.get("icc_profile")
    if profile is None and image.format == "PNG":
        # The colour type; Pillow opens grey of 16 bits with alpha as RGBA.
        profile = tagged.of_png(path, is_grey=path.read_bytes()[25] in (0, 4))
    # The reader of deep PNGs knows the first frame only.
    if image.format == "PNG" and is_first and deep.is_deep_png(path):
        samples, alpha = deep.read_png(path)
        return Picture(samples, alpha, profile)
    if image.mode.startswith("I;16"):
        return Picture(np.asarray(image).astype(np.uint16)[..., np.newaxis], None, profile)
    has_alpha = image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info
    is_grey = image.mode in ("1", "L", "LA")
    if image.mode == "CMYK":
        return Picture(np.asarray(image), None, profile)
    if has_alpha:
        pixels = np.asarray(image.convert("LA" if is_grey else "RGBA"))
        return Picture(pixels[..., :-1], pixels[..., -1], profile)
    pixels = np.asarray(image.convert("L" if is_grey else "RGB"))
    return Picture(np.atleast_3d(pixels), None, profile)
