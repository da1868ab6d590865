"""The pictures of `make bytes`: reduced to the width, as binary PPM for encoders and PNG for scores."""

from __future__ import annotations

import csv
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

LIST = Path(__file__).with_name("pictures.tsv")
WIDTH = 1320
BANNER_SIDE = 264
# A camera's picture loses detail by HEVC before it is reduced; heif-enc's default quality is 50.
HEIC_WIDTH = 3000
HEIC_QUALITY = 60


@dataclass(frozen=True)
class Source:
    """A picture of a Debian package."""

    kind: str
    path: Path
    is_heic: bool

    @property
    def name(self) -> str:
        """The file's name without its type."""
        return self.path.stem + (", HEIC" if self.is_heic else "")


@dataclass(frozen=True)
class Prepared:
    """A picture of 8-bit RGB in two files with the same pixels."""

    ppm: Path
    png: Path
    size: tuple[int, int]

    def pixels(self) -> Image.Image:
        """The decoded picture."""
        return Image.open(self.ppm).convert("RGB")


def listed(root: Path) -> list[Source]:
    """All pictures below a root of installed packages."""
    with LIST.open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [Source(row["kind"], root / row["file"].lstrip("/"), row["source"] == "HEIC")
            for row in rows]


def expanded(source: Source, folder: Path) -> Prepared:
    """The picture at the display's width, over white."""
    picture = heic(source.path) if source.is_heic else opaque(source.path)
    return prepared(reduced(picture, WIDTH), folder, "expanded")


def banner(picture: Prepared, folder: Path) -> Prepared:
    """The square in the middle, at the banner's side."""
    whole = picture.pixels()
    side = min(whole.size)
    left, top = (whole.width - side) // 2, (whole.height - side) // 2
    square = whole.crop((left, top, left + side, top + side))
    return prepared(reduced(square, BANNER_SIDE), folder, "banner")


def prepared(picture: Image.Image, folder: Path, name: str) -> Prepared:
    """Writes both files."""
    ppm, png = folder / f"{name}.ppm", folder / f"{name}.png"
    picture.save(ppm)
    picture.save(png, compress_level=1)
    return Prepared(ppm, png, picture.size)


def opaque(path: Path) -> Image.Image:
    """The picture as RGB, without its profile: an encoder is judged, not colours."""
    with Image.open(path) as image:
        if "A" not in image.mode and "transparency" not in image.info:
            return image.convert("RGB")
        colours = image.convert("RGBA")
    white = Image.new("RGBA", colours.size, "white")
    return Image.alpha_composite(white, colours).convert("RGB")


def reduced(picture: Image.Image, width: int) -> Image.Image:
    """The picture at a width, by Lanczos 3; never enlarged."""
    if picture.width <= width:
        return picture
    size = width, max(1, round(picture.height * width / picture.width))
    return picture.resize(size, Image.Resampling.LANCZOS)


def heic(path: Path) -> Image.Image:
    """The picture after HEVC, as from a camera."""
    with tempfile.TemporaryDirectory(prefix="heic-") as name:
        folder = Path(name)
        reduced(opaque(path), HEIC_WIDTH).save(folder / "in.png", compress_level=1)
        run("heif-enc", "-q", HEIC_QUALITY, "-o", folder / "a.heic", folder / "in.png")
        run("heif-convert", folder / "a.heic", folder / "out.png")
        return opaque(folder / "out.png")


def run(*command: object) -> str:
    """Runs a program quietly, and returns what it prints."""
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout
