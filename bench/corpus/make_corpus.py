#!/usr/bin/python3
"""Makes the 36 files of the peak-memory benchmark.

The files cover formats common in notifications, from 3 to 108 megapixels. They are cut from photographs
of at least 10 megapixels in --photographs, else from the sample picture of Images/. Larger sizes are
enlarged and get grain, so that they are as hard to encode as photographs. Existing files are kept.

Needs Debian's libvips-tools, libheif-examples, libavif-bin, libimage-exiftool-perl, python3-pil and
python3-numpy.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

import heifgrid

PACKAGE = Path(__file__).resolve().parents[2]
SIZES = {3: (2048, 1536), 12: (4032, 3024), 48: (8064, 6048), 108: (12000, 9000)}
SMALL = 0
SIZES[SMALL] = 640, 480
# One colour: 2.7 GB of samples compressed to a few hundred kilobytes.
BOMB_SIDE = 30_000
# Minimum for a source; smaller ones would have too little detail after enlargement.
LEAST_PIXELS = 10_000_000
# In levels: the noise of a phone's sensor in low light after noise reduction.
GRAIN = 3.0

Image.MAX_IMAGE_PIXELS = None


class MissingTool(Exception):
    """A required program is not installed."""


def run(*command: object) -> str:
    """Runs a tool and returns its output."""
    words = [str(word) for word in command]
    if shutil.which(words[0]) is None:
        raise MissingTool(f"no {words[0]}: run make bench-peers")
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@dataclass
class Sources:
    """Decoded source pictures in every size, created on demand."""

    photographs: list[Path]
    folder: Path

    def rgb(self, megapixels: int) -> Path:
        """An 8-bit RGB picture, uncompressed."""
        path = self.folder / f"{megapixels}.ppm"
        if not path.exists():
            width, height = SIZES[megapixels]
            photograph = self.photographs[list(SIZES).index(megapixels) % len(self.photographs)]
            draft = self.folder / "draft.ppm"
            run("vips", "thumbnail", photograph, draft, width, "--height", height,
                "--size", "both", "--crop", "centre", "--export-profile", "srgb")
            add_grain(draft, width, height)
            draft.rename(path)
        return path

    def png(self, megapixels: int) -> Path:
        """Same as a PNG, for tools that cannot read PPM."""
        path = self.folder / f"{megapixels}.png"
        if not path.exists():
            run("vips", "pngsave", self.rgb(megapixels), path, "--compression", 1)
        return path

    def rgba(self, megapixels: int) -> Path:
        """Same as a PNG, with an elliptical alpha mask with a soft edge."""
        path = self.folder / f"{megapixels}-alpha.png"
        if not path.exists():
            with Image.open(self.rgb(megapixels)) as image:
                width, height = image.size
                x = np.linspace(-1, 1, width, dtype=np.float32)
                y = np.linspace(-1, 1, height, dtype=np.float32)[:, np.newaxis]
                alpha = np.clip((1 - x * x - y * y) * 4, 0, 1) * 255
                image.putalpha(Image.fromarray(alpha.astype(np.uint8)))
                image.save(path, compress_level=1)
        return path


def add_grain(ppm: Path, width: int, height: int) -> None:
    """Adds reproducible noise to a PPM in place."""
    random = np.random.default_rng(1)
    offset = ppm.stat().st_size - width * height * 3
    rows = np.memmap(ppm, np.uint8, "r+", offset, (height, width, 3))
    for start in range(0, height, 256):
        part = rows[start:start + 256]
        noise = random.standard_normal(part.shape[:2], np.float32)[..., np.newaxis] * GRAIN
        part[:] = np.clip(part + noise, 0, 255)
    rows.flush()


def jpeg(
    sources: Sources, path: Path, megapixels: int, *options: object, sampling: str = "on"
) -> None:
    """A JPEG like a phone's: quality 90, and 4:2:0 by default."""
    run("vips", "jpegsave", sources.rgb(megapixels), path, "--Q", 90, "--subsample-mode", sampling,
        *options)


def jpeg_cmyk(sources: Sources, path: Path) -> None:
    """An Adobe CMYK JPEG, as used for printing."""
    inks = path.with_suffix(".v")
    run("vips", "icc_transform", sources.rgb(12), inks, "cmyk", "--input-profile", "srgb")
    run("vips", "jpegsave", inks, path, "--Q", 90)
    inks.unlink()


def jpeg_grey(sources: Sources, path: Path) -> None:
    """A JPEG of one component."""
    grey = path.with_suffix(".v")
    run("vips", "colourspace", sources.rgb(12), grey, "b-w")
    run("vips", "jpegsave", grey, path, "--Q", 90)
    grey.unlink()


def jpeg_display_p3(sources: Sources, path: Path) -> None:
    """A JPEG in Display P3."""
    wide = path.with_suffix(".v")
    run("vips", "icc_transform", sources.rgb(12), wide, "p3", "--input-profile", "srgb")
    run("vips", "jpegsave", wide, path, "--Q", 90, "--subsample-mode", "on")
    wide.unlink()


def jpeg_on_its_side(sources: Sources, path: Path) -> None:
    """A JPEG like a phone's in portrait format: landscape pixels with an orientation tag."""
    jpeg(sources, path, 12, "--strip")
    run("exiftool", "-q", "-overwrite_original", "-n", "-Orientation=6", path)


def png(sources: Sources, path: Path, megapixels: int, *options: object) -> None:
    """A PNG of 8-bit RGB."""
    run("vips", "pngsave", sources.rgb(megapixels), path, *options)


def png_deep(sources: Sources, path: Path) -> None:
    """A PNG of 16-bit RGB."""
    deep, tagged = path.with_suffix(".deep.v"), path.with_suffix(".v")
    run("vips", "cast", sources.rgb(12), deep, "ushort", "--shift")
    run("vips", "copy", deep, tagged, "--interpretation", "rgb16")
    run("vips", "pngsave", tagged, path, "--bitdepth", 16)
    deep.unlink()
    tagged.unlink()


def with_palette(sources: Sources, path: Path) -> None:
    """A PNG or a GIF of 256 colours."""
    with Image.open(sources.rgb(12)) as image:
        image.quantize(256, Image.Quantize.FASTOCTREE).save(path)


def png_bomb(_: Sources, path: Path) -> None:
    """A PNG of one colour, far larger than memory."""
    black, coloured = path.with_suffix(".v"), path.with_suffix(".colour.v")
    run("vips", "black", black, 64, 64, "--bands", 3)
    run("vips", "linear", black, coloured, 1, 120, "--uchar")
    run("vips", "embed", coloured, f"{path}[compression=9]", 0, 0, BOMB_SIDE, BOMB_SIDE,
        "--extend", "copy")
    black.unlink()
    coloured.unlink()


def heic_grid(sources: Sources, path: Path, megapixels: int) -> None:
    """A HEIC like a phone's: tiles of 512 pixels."""
    width, height = SIZES[megapixels]
    tiles = path.with_suffix(".tiles")
    tiles.mkdir(exist_ok=True)
    with Image.open(sources.rgb(megapixels)) as image:
        pixels = np.asarray(image)
    columns, rows = -(-width // heifgrid.TILE), -(-height // heifgrid.TILE)
    padding = (rows * heifgrid.TILE - height, columns * heifgrid.TILE - width)
    pixels = np.pad(pixels, ((0, padding[0]), (0, padding[1]), (0, 0)), mode="edge")
    files = []
    for row in range(rows):
        for column in range(columns):
            files.append(tiles / f"{row:03}-{column:03}.png")
            top, left = row * heifgrid.TILE, column * heifgrid.TILE
            tile = pixels[top:top + heifgrid.TILE, left:left + heifgrid.TILE]
            Image.fromarray(tile).save(files[-1], compress_level=1)
    heifgrid.write(path, files, columns, (width, height), quality=60)
    shutil.rmtree(tiles)


def heic_single(sources: Sources, path: Path) -> None:
    """A HEIC of one coded picture, as written by converters."""
    run("heif-enc", "-q", 60, "-p", "preset=ultrafast", sources.png(12), "-o", path)


def avif(sources: Sources, path: Path, megapixels: int) -> None:
    """An AVIF of one coded picture."""
    run("avifenc", "--speed", 9, "--jobs", 2, "--min", 20, "--max", 30, "--yuv", 420,
        sources.png(megapixels), path)


def webp(sources: Sources, path: Path, megapixels: int, *options: object) -> None:
    """A WebP, lossy by default."""
    run("vips", "webpsave", sources.rgb(megapixels), path, *options)


def tiff(sources: Sources, path: Path, *options: object) -> None:
    """A TIFF with LZW compression, as written by scanners and editors."""
    run("vips", "tiffsave", sources.rgb(48), path, "--compression", "lzw",
        "--predictor", "horizontal", *options)


Maker = Callable[[Sources, Path], object]


def kinds() -> dict[str, Maker]:
    """All files by name, in the order of the tables."""
    made: dict[str, Maker] = {}
    for size in (3, 12, 48, 108):
        made[f"jpeg-baseline-{size}mp.jpg"] = lambda s, p, size=size: jpeg(s, p, size)
    made |= {
        "jpeg-444-12mp.jpg": lambda s, p: jpeg(s, p, 12, sampling="off"),
        "jpeg-cmyk-12mp.jpg": jpeg_cmyk,
        "jpeg-display-p3-12mp.jpg": jpeg_display_p3,
        "jpeg-grey-12mp.jpg": jpeg_grey,
        "jpeg-orientation-6-12mp.jpg": jpeg_on_its_side,
    }
    for size in (3, 12, 48, 108):
        made[f"jpeg-progressive-{size}mp.jpg"] = (
            lambda s, p, size=size: jpeg(s, p, size, "--interlace"))
    made |= {
        "png-16-bit-12mp.png": png_deep,
        "png-adam7-12mp.png": lambda s, p: png(s, p, 12, "--interlace"),
        "png-adam7-48mp.png": lambda s, p: png(s, p, 48, "--interlace"),
        "png-adam7-rgba-12mp.png":
            lambda s, p: run("vips", "pngsave", s.rgba(12), p, "--interlace"),
        "png-bomb-900mp.png": png_bomb,
        "png-palette-12mp.png": with_palette,
        "png-rgb-12mp.png": lambda s, p: png(s, p, 12),
        "png-rgb-48mp.png": lambda s, p: png(s, p, 48),
        "png-rgba-12mp.png": lambda s, p: run("vips", "pngsave", s.rgba(12), p),
        "png-rgba-48mp.png": lambda s, p: run("vips", "pngsave", s.rgba(48), p),
        "webp-alpha-12mp.webp": lambda s, p: run("vips", "webpsave", s.rgba(12), p),
        "webp-lossless-12mp.webp": lambda s, p: webp(s, p, 12, "--lossless", "--effort", 2),
        "webp-lossless-48mp.webp": lambda s, p: webp(s, p, 48, "--lossless", "--effort", 1),
        "webp-lossy-12mp.webp": lambda s, p: webp(s, p, 12),
        "webp-lossy-48mp.webp": lambda s, p: webp(s, p, 48),
        "heic-grid-12mp.heic": lambda s, p: heic_grid(s, p, 12),
        "heic-grid-48mp.heic": lambda s, p: heic_grid(s, p, 48),
        "heic-single-12mp.heic": heic_single,
        "avif-12mp.avif": lambda s, p: avif(s, p, 12),
        "avif-48mp.avif": lambda s, p: avif(s, p, 48),
        "tiff-strips-48mp.tif": tiff,
        "tiff-tiles-48mp.tif":
            lambda s, p: tiff(s, p, "--tile", "--tile-width", 256, "--tile-height", 256),
        "gif-12mp.gif": with_palette,
    }
    return made


def small_kinds() -> dict[str, Maker]:
    """Small files for short runs and for thousands of attachments."""
    return {
        "jpeg-baseline.jpg": lambda s, p: jpeg(s, p, SMALL),
        "jpeg-progressive.jpg": lambda s, p: jpeg(s, p, SMALL, "--interlace"),
        "png-rgb.png": lambda s, p: png(s, p, SMALL),
        "png-rgba.png": lambda s, p: run("vips", "pngsave", s.rgba(SMALL), p),
        "webp-lossless.webp": lambda s, p: webp(s, p, SMALL, "--lossless"),
        "webp-lossy.webp": lambda s, p: webp(s, p, SMALL),
    }


def photographs(folders: list[Path]) -> list[Path]:
    """JPEGs of camera resolution in some folders, at most one per size."""
    found = []
    for path in sorted(path for folder in folders for path in folder.glob("*.jp*g")):
        try:
            with Image.open(path) as image:
                if image.width * image.height >= LEAST_PIXELS and image.mode == "RGB":
                    image.load()
                    found.append(path)
        except OSError:
            continue  # Folders of test pictures contain intentionally broken ones.
    return found[:len(SIZES)]


def main() -> int:
    """Parses the arguments and creates missing files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, help="the default is .build/bench-corpus")
    parser.add_argument("--photographs", type=Path, action="append", default=[])
    parser.add_argument("--small", action="store_true", help="six small files instead")
    parser.add_argument("--filter", default="", help="only files whose name contains this")
    options = parser.parse_args()

    if options.output is None:
        options.output = PACKAGE / ".build" / (
            "bench-corpus-small" if options.small else "bench-corpus")
    every = small_kinds() if options.small else kinds()
    wanted = {name: make for name, make in every.items() if options.filter in name}
    missing = {name: make for name, make in wanted.items() if not (options.output / name).exists()}
    if not missing:
        print(f"{len(wanted)} files in {options.output}")
        return 0
    sources = photographs(options.photographs) or [PACKAGE / "Images/lake-baseline.jpg"]
    print(f"Making {len(missing)} of {len(wanted)} files from "
          f"{', '.join(path.name for path in sources)} (about three minutes for all)")
    work = options.output.with_name(options.output.name + "-work")
    work.mkdir(parents=True, exist_ok=True)
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        for number, (name, make) in enumerate(missing.items(), start=1):
            start = time.monotonic()
            make(Sources(sources, work), work / name)
            # Renamed at the end, so that the corpus contains only complete files.
            (work / name).rename(options.output / name)
            megabytes = (options.output / name).stat().st_size / 1e6
            print(f"[{number}/{len(missing)}] {name}  {megabytes:.1f} MB  "
                  f"{time.monotonic() - start:.1f} s", flush=True)
    except subprocess.CalledProcessError as fault:
        print(f"{name}: {' '.join(fault.cmd)}: {fault.stderr.strip()}", file=sys.stderr)
        return 1
    except MissingTool as fault:
        print(fault, file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
