"""Decodes HEIC and AVIF to PNG with heif-convert (libheif) and avifdec (libavif)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np

AVIF_BRANDS = (b"avif", b"avis")


class ConverterError(Exception):
    """A converter could not read a file."""


def convert(path: Path, folder: Path) -> tuple[Path, str]:
    """Decodes the primary picture.

    Returns the PNG, inside the folder, and avifdec's output on rotation, mirror and crop, which the
    caller must apply. heif-convert applies them itself.
    """
    brand = path.read_bytes()[8:12]
    png = folder / "decoded.png"
    if brand in AVIF_BRANDS:
        # Not strict, because many files omit the recommended `pixi`.
        said = run("avifdec", "--no-strict", "--depth", "16" if is_deep(path) else "8", path, png)
        return png, said
    if brand == b"msf1":
        path = with_brand(path, b"heic", folder)
    run("heif-convert", path, png)
    if png.exists():
        return png, ""
    return folder / f"decoded-{primary_index(path)}.png", ""


def is_deep(path: Path) -> bool:
    """True if an AVIF has more than 8 bits per sample."""
    depth = re.search(r"Bit Depth\s*: (\d+)", run("avifdec", "--no-strict", "--info", path))
    return depth is not None and int(depth[1]) > 8


def with_brand(path: Path, brand: bytes, folder: Path) -> Path:
    """A copy with another major brand.

    The cover of an image sequence is an ordinary still item, but heif-convert refuses the sequence's
    brand.
    """
    data = bytearray(path.read_bytes())
    data[8:12] = brand
    copy = folder / "branded.heic"
    copy.write_bytes(data)
    return copy


def primary_index(path: Path) -> int:
    """Position, from 1, of the primary picture in heif-convert's output."""
    pictures = re.findall(r"^image: .*$", run("heif-info", path), re.MULTILINE)
    return 1 + next((i for i, line in enumerate(pictures) if "primary" in line), 0)


def transform(pixels: np.ndarray, said: str) -> np.ndarray:
    """Applies the clean aperture, the rotation and the mirror listed by avifdec.

    This order is required by MIAF (ISO/IEC 23000-22). irot counts anticlockwise quarter turns.
    """
    crop = re.search(r"derived crop rect: X: (\d+), Y: (\d+), W: (\d+), H: (\d+)", said)
    if crop:
        x, y, width, height = map(int, crop.groups())
        pixels = pixels[y:y + height, x:x + width]
    turns = re.search(r"irot \(Rotation\)\s*: (\d)", said)
    if turns:
        pixels = np.rot90(pixels, int(turns[1]))
    mirror = re.search(r"imir \(Mirror\)\s*: Mode (\d)", said)
    if mirror:
        pixels = pixels[:, ::-1] if mirror[1] == "1" else pixels[::-1]
    return pixels


def run(*command) -> str:
    """Runs a converter and returns its output."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise ConverterError(f"{command[0]}: {(done.stderr or done.stdout).strip()[-200:]}")
    return done.stdout

