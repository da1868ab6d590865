"""Conversion to sRGB with Little CMS, through Pillow.

The intent is relative colorimetric with black point compensation, as in the pipeline. Without it, the
darkest inks of common press profiles would be a dark grey. Samples of 16 bits are rounded to 8
before a profile is applied, because Pillow's binding accepts no more. That costs 59 dB, far above the
threshold.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms

from picture import Picture, eight_bit

SRGB = ImageCms.createProfile("sRGB")
RELATIVE_COLORIMETRIC = ImageCms.Intent.RELATIVE_COLORIMETRIC
# cmsFLAGS_BLACKPOINTCOMPENSATION of lcms2.h.
BLACK_POINT_COMPENSATION = 0x2000

# Untagged CMYK is interpreted as SWOP, the web-offset standard that image editors assume.
# Ghostscript's profile for it is in Debian's libgs-common.
SWOP = Path("/usr/share/color/icc/ghostscript/default_cmyk.icc")

# Pillow's modes and the colour spaces of matching profiles (ICC.1:2022, table 19).
MODES = {1: ("L", "GRAY"), 3: ("RGB", "RGB"), 4: ("CMYK", "CMYK")}


class ColourError(Exception):
    """A picture's colours cannot be converted."""


def to_srgb(picture: Picture) -> Picture:
    """The picture converted to sRGB, as grey or RGB, without a profile."""
    mode, space = MODES[picture.samples.shape[2]]
    profile = embedded(picture, space)
    if profile is None and space == "CMYK":
        profile = swop()
    if profile is None:
        return replace(picture, profile=None)
    pixels = eight_bit(picture.samples)
    image = Image.fromarray(pixels[..., 0] if mode == "L" else pixels, mode)
    converted = ImageCms.profileToProfile(
        image, profile, SRGB, renderingIntent=RELATIVE_COLORIMETRIC, outputMode="RGB",
        flags=BLACK_POINT_COMPENSATION)
    alpha = None if picture.alpha is None else eight_bit(picture.alpha)
    return Picture(np.asarray(converted), alpha)


def embedded(picture: Picture, space: str) -> ImageCms.ImageCmsProfile | None:
    """The picture's own profile; None without one, or if it is for another colour space."""
    if picture.profile is None:
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(picture.profile))
    except (OSError, ImageCms.PyCMSError):
        return None
    return profile if profile.profile.xcolor_space.strip() == space else None


def swop() -> ImageCms.ImageCmsProfile:
    """The profile for CMYK pictures without one."""
    if not SWOP.exists():
        raise ColourError(f"CMYK without a profile needs {SWOP}: apt-get install libgs-common")
    return ImageCms.ImageCmsProfile(str(SWOP))
