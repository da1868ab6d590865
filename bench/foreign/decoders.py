"""Independent decoders: Pillow, djpeg, dwebp, libheif, avifdec, djxl, ffmpeg, libvips and ImageMagick."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent / "fidelity"))

from decode import decode, read, stored_orientation  # noqa: E402
from picture import Picture  # noqa: E402

# Longest time of one decoder, in seconds.
PATIENCE = 60


class Refusal(Exception):
    """A decoder refused a file, or warned about it."""


@dataclass(frozen=True)
class Decoded:
    """The answer of one decoder: an upright picture, or the reason for none."""

    decoder: str
    picture: Picture | None
    refusal: str | None


def by_pillow(path: Path, frame: int) -> Picture:
    """The frame as Pillow decodes it; its warnings about damage are refusals."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in (DeprecationWarning, ResourceWarning):
            warnings.simplefilter("ignore", kind)
        # Its limit on pixels is about memory.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        return decode(path, frame)


def by_program(path: Path, suffix: str, *command: str, turns: bool = True) -> Picture:
    """The picture that a program writes; `IN` and `OUT` stand for the files.

    Without `turns`, an orientation in the program's file is ignored: it has been applied.
    """
    with tempfile.TemporaryDirectory(prefix="foreign-") as folder:
        # Programs read options and formats out of names.
        source = Path(folder) / f"source{path.suffix if path.suffix.isascii() else ''}"
        source.symlink_to(path.resolve())
        target = Path(folder) / f"decoded{suffix}"
        words = [word.replace("IN", str(source)).replace("OUT", str(target)) for word in command]
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, errors="replace", timeout=PATIENCE)
        except subprocess.TimeoutExpired as late:
            raise Refusal(f"took more than {PATIENCE} s") from late
        said = done.stderr.strip()
        if done.returncode != 0 or not target.exists():
            raise Refusal(said or f"exit code {done.returncode}")
        if "warning" in said.lower() or "error" in said.lower():
            raise Refusal(said)
        if turns:
            return decode(target)
        with Image.open(target) as image:
            return read(image, target)


def with_tags_of(path: Path, picture: Picture) -> Picture:
    """The picture turned by the orientation, and with the profile, that its source has."""
    with Image.open(path) as image:
        profile = image.info.get("icc_profile")
        return Picture(picture.samples, picture.alpha, profile).turned(stored_orientation(image))


def by_djpeg(path: Path, frame: int) -> Picture:
    """A JPEG as libjpeg-turbo's own program decodes it."""
    return with_tags_of(path, by_program(path, ".pnm", "djpeg", "-pnm", "-outfile", "OUT", "IN"))


def by_dwebp(path: Path, frame: int) -> Picture:
    """A WebP as libwebp's own program decodes it."""
    return with_tags_of(path, by_program(path, ".png", "dwebp", "-quiet", "IN", "-o", "OUT"))


def by_heif_convert(path: Path, frame: int) -> Picture:
    """HEIC or AVIF as libheif decodes it."""
    return by_program(path, ".png", "heif-convert", "IN", "OUT", turns=False)


def by_djxl(path: Path, frame: int) -> Picture:
    """JPEG XL as its reference decodes it."""
    return by_program(path, ".png", "djxl", "--quiet", "IN", "OUT", turns=False)


def by_ffmpeg(path: Path, frame: int) -> Picture:
    """The first frame as FFmpeg decodes it."""
    return by_program(
        path, ".png", "ffmpeg", "-v", "error", "-i", "IN", "-frames:v", "1", "-y", "OUT")


def by_vips(path: Path, frame: int) -> Picture:
    """The first page as libvips decodes it, with its warnings as errors."""
    return by_program(path, ".tif", "vips", "copy", "IN[fail-on=warning]", "OUT[compression=deflate]")


# The decoders of each format, most trusted first. Those that read the same library twice are one.
DECODERS = {
    "jpeg": {"Pillow": by_pillow, "djpeg": by_djpeg, "libvips": by_vips},
    "png": {"Pillow": by_pillow, "libvips": by_vips, "FFmpeg": by_ffmpeg},
    "webp": {"Pillow": by_pillow, "dwebp": by_dwebp, "libvips": by_vips},
    "gif": {"Pillow": by_pillow, "libvips": by_vips, "FFmpeg": by_ffmpeg},
    "heic": {"libheif": by_heif_convert, "libvips": by_vips},
    "avif": {"avifdec": by_pillow, "libheif": by_heif_convert, "libvips": by_vips},
    "tiff": {"Pillow": by_pillow, "libvips": by_vips},
    # libvips decodes it with ImageMagick.
    "bmp": {"Pillow": by_pillow, "ImageMagick": by_vips, "FFmpeg": by_ffmpeg},
    # FFmpeg and libvips decode it with djxl's library.
    "jxl": {"djxl": by_djxl},
}

# First bytes of each format but HEIF; `?` is any byte.
SIGNATURES = {
    b"\xff\xd8\xff": "jpeg", b"\x89PNG": "png", b"GIF8": "gif", b"RIFF????WEBP": "webp", b"BM": "bmp",
    b"II*\0": "tiff", b"MM\0*": "tiff", b"II+\0": "tiff", b"MM\0+": "tiff", b"\xff\x0a": "jxl",
    b"\0\0\0\x0cJXL ": "jxl",
}


def format_of(path: Path) -> str | None:
    """The format by the first bytes; None for another one."""
    with path.open("rb") as file:
        head = file.read(64)
    if head[4:8] == b"ftyp":
        return "avif" if b"avif" in head[8:] or b"avis" in head[8:] else "heic"
    for signature, name in SIGNATURES.items():
        if len(head) >= len(signature) and all(
                wanted in (ord("?"), byte) for wanted, byte in zip(signature, head)):
            return name
    return None


def answers(path: Path, frame: int = 0):
    """The answer of each decoder of the file's format, one by one."""
    for name, decoder in DECODERS.get(format_of(path) or "", {}).items():
        try:
            yield Decoded(name, decoder(path, frame), None)
        except Exception as fault:  # A decoder may fail in any way: that is its answer.
            yield Decoded(name, None, f"{type(fault).__name__}: {fault}".replace("\n", " ")[:200])
