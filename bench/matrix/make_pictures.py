#!/usr/bin/python3
"""Makes the pictures of the cap matrix: a folder for each kind, in it a file for each orientation.

A kind is a format with its coding, sample depth and alpha. All are made from one sample picture of Images/.
They have two megapixels, except two kinds with twelve and two with one. The orientation is written into
the coded file. Existing kinds are kept.

Needs Debian's libvips-tools, libheif-examples, libavif-bin, libjxl-tools, webp, ffmpeg, python3-pil and python3-numpy.
"""

from __future__ import annotations

import argparse
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

PACKAGE = Path(__file__).resolve().parents[2]
sys.path.append(str(PACKAGE / "bench/corpus"))
sys.dont_write_bytecode = True
import bitmapruns  # noqa: E402
import heifgrid  # noqa: E402
import heifsequence  # noqa: E402
import tableprofile  # noqa: E402

# Pixels of phone pictures, of all other stills, and of animations.
LARGE = (4032, 3024)
MEDIUM = (1600, 1200)
MOVING = (480, 360)
KEPT = (1280, 960)
# Quarter turns and mirroring of Exif orientations 1 to 8 (Exif 2.32, 4.6.4 A).
TURNS = {1: (0, False), 2: (0, True), 3: (2, False), 4: (2, True), 5: (3, True), 6: (3, False),
         7: (1, True), 8: (1, False)}


def run(*command: object) -> None:
    """Runs a tool."""
    subprocess.run([str(word) for word in command], check=True, capture_output=True)


class Sources:
    """Uncoded pictures in a folder, created on demand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def rgb(self, size: tuple[int, int] = MEDIUM) -> Path:
        """Eight bits, with a grain of four pixels, which compresses like a photograph."""
        path = self.folder / f"{size[0]}.png"
        if not path.exists():
            with Image.open(PACKAGE / "Images/lake-baseline.jpg") as image:
                pixels = np.asarray(image.convert("RGB").resize(size, Image.BICUBIC), np.float32)
            grain = np.random.default_rng(1).standard_normal((size[1] // 4, size[0] // 4, 1)) * 3
            pixels = pixels + np.repeat(np.repeat(grain, 4, 0), 4, 1)
            # 64 levels, which keeps lossless files short.
            levels = np.clip(pixels, 0, 255).astype(np.uint8) & 0xFC
            Image.fromarray(levels).save(path, compress_level=1)
        return path

    def rgba(self) -> Path:
        """Same, with an elliptical alpha mask with a soft edge."""
        path = self.folder / "alpha.png"
        if not path.exists():
            with Image.open(self.rgb()) as image:
                width, height = image.size
                x = np.linspace(-1, 1, width)
                y = np.linspace(-1, 1, height)[:, np.newaxis]
                alpha = np.clip((1 - x * x - y * y) * 4, 0, 1) * 255
                image.putalpha(Image.fromarray(alpha.astype(np.uint8)))
                image.save(path, compress_level=1)
        return path

    def deep(self, source: Path) -> Path:
        """A picture with 16 bits per sample."""
        path = source.with_suffix(".deep.png")
        if not path.exists():
            wide, tagged = source.with_suffix(".v"), source.with_suffix(".tagged.v")
            run("vips", "cast", source, wide, "ushort", "--shift")
            run("vips", "copy", wide, tagged, "--interpretation", "rgb16")
            run("vips", "pngsave", tagged, path, "--bitdepth", 16, "--compression", 1)
            wide.unlink()
            tagged.unlink()
        return path

    def converted(self, profile: str) -> Path:
        """A picture in the colour space of a libvips profile, or in grey."""
        path = self.folder / f"{profile}.v"
        if not path.exists():
            if profile == "b-w":
                run("vips", "colourspace", self.rgb(), path, profile)
            else:
                run("vips", "icc_transform", self.rgb(), path, profile, "--input-profile", "srgb")
        return path

    def frames(self, mode: str) -> list[Image.Image]:
        """Twelve different frames."""
        with Image.open(self.rgb()) as image:
            large = image.convert("RGB").resize((MOVING[0] + 60, MOVING[1]), Image.BOX)
        frames = [large.crop((step, 0, step + MOVING[0], MOVING[1])) for step in range(0, 60, 5)]
        return [frame.quantize(64) if mode == "P" else frame.convert(mode) for frame in frames]


def vips(saver: str, *options: object, source: Callable[[Sources], Path] = Sources.rgb):
    """A maker that uses a libvips saver."""
    return lambda sources, path: run("vips", saver, source(sources), path, *options)


def heif(*options: object, source: Callable[[Sources], Path] = Sources.rgb):
    """A maker that uses heif-enc."""
    return lambda sources, path: run(
        "heif-enc", "-q", 50, "-p", "preset=ultrafast", *options, source(sources), "-o", path)


def avif(*options: object, source: Callable[[Sources], Path] = Sources.rgb):
    """A maker that uses avifenc."""
    return lambda sources, path: run(
        "avifenc", "--speed", 10, "--jobs", 2, "--min", 25, "--max", 35, *options,
        source(sources), path)


def jxl(*options: object, source: Callable[[Sources], Path] = Sources.rgb):
    """A maker that uses cjxl."""
    return lambda sources, path: run("cjxl", source(sources), path, "-e", 3, *options)


def display_p3() -> bytes:
    """The profile of Display P3."""
    with Image.open(PACKAGE / "Images/gerbera-display-p3.jpg") as image:
        return image.info["icc_profile"]


def moving(form: str, mode: str, profile: Callable[[], bytes] | None = None, **options: object):
    """A maker of animations that uses Pillow."""
    def make(sources: Sources, path: Path) -> None:
        first, *others = sources.frames(mode)
        if profile:
            options["icc_profile"] = profile()
        first.save(path, form, save_all=True, append_images=others, duration=60, loop=0, **options)
    return make


def jpeg_with_table(sources: Sources, path: Path) -> None:
    """A JPEG with a profile whose table has three megabytes."""
    with Image.open(sources.rgb()) as image:
        image.save(path, "JPEG", quality=85, icc_profile=tableprofile.large_rgb())


def quantized(sources: Sources, path: Path) -> None:
    """A PNG or a GIF of 256 colours."""
    with Image.open(sources.rgb()) as image:
        image.quantize(256, Image.Quantize.FASTOCTREE).save(path)


def bitmap(mode: str) -> Callable[[Sources, Path], object]:
    """A maker of a BMP that uses Pillow."""
    def make(sources: Sources, path: Path) -> None:
        with Image.open(sources.rgba() if mode == "RGBA" else sources.rgb()) as image:
            picture = image.quantize(256, Image.Quantize.FASTOCTREE) if mode == "P" else image
            picture.convert(mode).save(path)
    return make


def bitmap_runs(sources: Sources, path: Path) -> None:
    """A run-length coded BMP of 256 colours."""
    with Image.open(sources.rgb()) as image:
        picture = image.quantize(256, Image.Quantize.FASTOCTREE)
    bitmapruns.write_runs(picture, path)


def moving_avif(profile: Callable[[], bytes] | None = None) -> Callable[[Sources, Path], object]:
    """A maker of animated AVIFs with a track of alpha, which avifenc writes for every PNG."""
    def make(sources: Sources, path: Path) -> None:
        files, options = [], []
        if profile:
            options = ["--icc", sources.folder / "profile.icc"]
            options[1].write_bytes(profile())
        for number, frame in enumerate(sources.frames("RGB")):
            files.append(sources.folder / f"frame-{number}.png")
            frame.save(files[-1], compress_level=1)
        run("avifenc", "--speed", 8, "--fps", 15, "--min", 25, "--max", 35, "-a", "end-usage=q", "-a",
            "cq-level=30", *options, *files, path)
    return make


def moving_heic(pixels: str, has_alpha: bool = False) -> Callable[[Sources, Path], object]:
    """A maker of HEIC sequences whose frames refer to earlier and later ones."""
    def make(sources: Sources, path: Path) -> None:
        frames = sources.frames("RGB")
        for number, frame in enumerate(frames):
            frame.save(sources.folder / f"frame{number}.png", compress_level=1)
            frame.convert("L").save(sources.folder / f"mask{number}.png", compress_level=1)
        inter = "keyint=60:bframes=4:b-adapt=0:ref=4:crf=30"
        alpha = heifsequence.encode(sources.folder / "mask%d.png", "gray", inter)
        heifsequence.write(
            path, heifsequence.encode(sources.folder / "frame%d.png", pixels, inter),
            [60] * len(frames), alpha if has_alpha else None)
    return make


def heic_grid(sources: Sources, path: Path) -> None:
    """A HEIC with tiles of 512 pixels, as on phones."""
    files = []
    with Image.open(sources.rgb()) as image:
        for top in range(0, MEDIUM[1], heifgrid.TILE):
            for left in range(0, MEDIUM[0], heifgrid.TILE):
                files.append(sources.folder / f"tile-{top}-{left}.png")
                image.crop((left, top, left + heifgrid.TILE, top + heifgrid.TILE)).save(
                    files[-1], compress_level=1)
    heifgrid.write(path, files, -(-MEDIUM[0] // heifgrid.TILE), MEDIUM, quality=50)
    for file in files:
        file.unlink()


def large(sources: Sources) -> Path:
    """A picture of the size of a phone's."""
    return sources.rgb(LARGE)


def kept(sources: Sources) -> Path:
    """A picture that keeps its size, whose sides are multiples of all JPEG units."""
    return sources.rgb(KEPT)


KINDS: dict[str, Callable[[Sources, Path], object]] = {
    "jpeg-420.jpg": vips("jpegsave", "--Q", 85, "--subsample-mode", "on", "--strip", source=large),
    # A marker every 4 of 252 units, so that two decoders share it.
    "jpeg-restarts-420.jpg": vips(
        "jpegsave", "--Q", 85, "--subsample-mode", "on", "--restart-interval", 4, "--strip", source=large),
    "jpeg-444.jpg": vips("jpegsave", "--Q", 85, "--subsample-mode", "off", "--strip"),
    "jpeg-grey.jpg": vips(
        "jpegsave", "--Q", 85, "--strip", source=lambda s: s.converted("b-w")),
    "jpeg-kept-420.jpg": vips(
        "jpegsave", "--Q", 85, "--subsample-mode", "on", "--strip", source=kept),
    "jpeg-kept-progressive-444.jpg": vips(
        "jpegsave", "--Q", 85, "--subsample-mode", "off", "--interlace", "--strip", source=kept),
    "jpeg-cmyk.jpg": vips("jpegsave", "--Q", 85, source=lambda s: s.converted("cmyk")),
    "jpeg-progressive-cmyk.jpg": vips(
        "jpegsave", "--Q", 85, "--interlace", source=lambda s: s.converted("cmyk")),
    "jpeg-display-p3.jpg": vips("jpegsave", "--Q", 85, source=lambda s: s.converted("p3")),
    "jpeg-table.jpg": jpeg_with_table,
    "jpeg-progressive-420.jpg": vips(
        "jpegsave", "--Q", 85, "--subsample-mode", "on", "--interlace", "--strip", source=large),
    "jpeg-progressive-444.jpg": vips(
        "jpegsave", "--Q", 85, "--subsample-mode", "off", "--interlace", "--strip"),
    "png-rgb.png": vips("pngsave"),
    "png-grey.png": vips("pngsave", source=lambda s: s.converted("b-w")),
    "png-palette.png": quantized,
    "png-16-bit.png": vips("pngsave", source=lambda s: s.deep(s.rgb())),
    "png-display-p3.png": vips("pngsave", source=lambda s: s.converted("p3")),
    "png-interlaced.png": vips("pngsave", "--interlace"),
    "png-alpha.png": vips("pngsave", source=Sources.rgba),
    "png-16-bit-alpha.png": vips("pngsave", source=lambda s: s.deep(s.rgba())),
    "png-interlaced-alpha.png": vips("pngsave", "--interlace", source=Sources.rgba),
    "png-animated.png": moving("PNG", "RGB"),
    "png-animated-display-p3.png": moving("PNG", "RGB", display_p3),
    "png-animated-table.png": moving("PNG", "RGB", tableprofile.large_rgb),
    "webp-lossy.webp": vips("webpsave", "--Q", 80),
    "webp-lossy-alpha.webp": vips("webpsave", "--Q", 80, source=Sources.rgba),
    "webp-lossless.webp": vips("webpsave", "--lossless", "--effort", 1),
    "webp-lossless-alpha.webp": vips(
        "webpsave", "--lossless", "--effort", 1, source=Sources.rgba),
    "webp-animated.webp": moving("WEBP", "RGB", quality=60, method=1),
    "webp-animated-table.webp": moving(
        "WEBP", "RGB", tableprofile.large_rgb, quality=60, method=1),
    "gif-still.gif": quantized,
    "gif-animated.gif": moving("GIF", "P"),
    "heic-single.heic": heif(),
    "heic-10-bit.heic": heif("-b", 10, source=lambda s: s.deep(s.rgb())),
    "heic-alpha.heic": heif(source=Sources.rgba),
    "heic-grid.heic": heic_grid,
    "heic-animated.heic": moving_heic("yuv420p"),
    "heic-animated-10-bit.heic": moving_heic("yuv420p10le"),
    "heic-animated-alpha.heic": moving_heic("yuv420p", has_alpha=True),
    "avif-420.avif": avif("--yuv", 420),
    "avif-444.avif": avif("--yuv", 444),
    "avif-10-bit.avif": avif("--yuv", 420, "--depth", 10),
    "avif-alpha.avif": avif("--yuv", 420, source=Sources.rgba),
    "avif-animated.avif": moving_avif(),
    "avif-animated-display-p3.avif": moving_avif(display_p3),
    "avif-animated-table.avif": moving_avif(tableprofile.large_rgb),
    "avif-grid.avif": avif("--yuv", 420, "--grid", "2x2"),
    "tiff-strips.tif": vips("tiffsave", "--compression", "lzw", "--predictor", "horizontal"),
    "tiff-tiles.tif": vips("tiffsave", "--compression", "deflate", "--tile"),
    "tiff-alpha.tif": vips("tiffsave", "--compression", "lzw", source=Sources.rgba),
    "bmp-24-bit.bmp": bitmap("RGB"),
    "bmp-alpha.bmp": bitmap("RGBA"),
    "bmp-palette.bmp": bitmap("P"),
    "bmp-runs.bmp": bitmap_runs,
    "jxl-lossy.jxl": jxl("-d", 1),
    "jxl-lossless.jxl": jxl("-d", 0),
    "jxl-alpha.jxl": jxl("-d", 1, source=Sources.rgba),
}
# Kinds without an orientation, or whose orientation is ignored.
FLAT = {"png-animated.png", "png-animated-display-p3.png", "png-animated-table.png", "webp-animated.webp",
        "webp-animated-table.webp", "gif-still.gif", "gif-animated.gif", "avif-animated.avif",
        "avif-animated-display-p3.avif", "avif-animated-table.avif", "heic-animated.heic", "heic-animated-10-bit.heic",
        "heic-animated-alpha.heic", "bmp-24-bit.bmp", "bmp-alpha.bmp", "bmp-palette.bmp", "bmp-runs.bmp",
        "jxl-lossy.jxl", "jxl-lossless.jxl", "jxl-alpha.jxl"}


def exif(orientation: int) -> bytes:
    """Exif data with one entry, tag 0x0112, little-endian (TIFF 6.0, section 2)."""
    return (b"II*\0" + struct.pack("<IH", 8, 1)
            + struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0) + bytes(4))


def turned_jpeg(data: bytes, orientation: int) -> bytes:
    """Inserts an APP1 segment after the first marker."""
    body = b"Exif\0\0" + exif(orientation)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def turned_png(data: bytes, orientation: int) -> bytes:
    """Inserts an eXIf chunk after IHDR, which ends at byte 33."""
    body = b"eXIf" + exif(orientation)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return data[:33] + chunk + data[33:]


def turned_webp(data: bytes, orientation: int) -> bytes:
    """Appends an EXIF chunk and sets its flag in VP8X."""
    chunks, position = [], 12
    while position < len(data):
        kind, length = struct.unpack_from("<4sI", data, position)
        chunks.append((kind, data[position + 8:position + 8 + length]))
        position += 8 + length + length % 2
    chunks = [chunk for chunk in chunks if chunk[0] != b"EXIF"]
    if chunks[0][0] == b"VP8X":
        head = chunks.pop(0)[1]
    else:
        # Width and height minus one, three bytes each. Alpha of a lossless picture is flagged in
        # its own header.
        width, height = MEDIUM
        alpha = chunks[0][0] == b"VP8L" and chunks[0][1][4] >> 4 & 1
        head = (struct.pack("<I", alpha << 4) + struct.pack("<I", width - 1)[:3]
                + struct.pack("<I", height - 1)[:3])
    head = bytes([head[0] | 8]) + head[1:]
    body = b"WEBP"
    for kind, content in [(b"VP8X", head), *chunks, (b"EXIF", exif(orientation))]:
        body += struct.pack("<4sI", kind, len(content)) + content + bytes(len(content) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def turned_tiff(data: bytes, orientation: int) -> bytes:
    """Replaces the value of tag 274, which libvips always writes."""
    result = bytearray(data)
    directory, = struct.unpack_from("<I", data, 4)
    count, = struct.unpack_from("<H", data, directory)
    for entry in range(directory + 2, directory + 2 + 12 * count, 12):
        if struct.unpack_from("<H", data, entry)[0] == 274:
            struct.pack_into("<H", result, entry + 8, orientation)
            return bytes(result)
    raise ValueError("the TIFF has no orientation")


def turned_heif(data: bytes, orientation: int) -> bytes:
    """Adds irot and imir to the primary item and adjusts all offsets."""
    quarters, mirrored = TURNS[orientation]
    added = [heifgrid.box(b"irot", bytes([quarters]))] if quarters else []
    added += [heifgrid.box(b"imir", b"\1")] if mirrored else []
    if not added:
        return data

    def children(body: bytes) -> list[tuple[bytes, bytes]]:
        return list(heifgrid.boxes(body))

    top = children(data)
    meta = children(dict(top)[b"meta"][4:])
    primary, = struct.unpack_from(">H", dict(meta)[b"pitm"], 4)
    properties = children(dict(meta)[b"iprp"])
    container = dict(properties)[b"ipco"]
    first = len(children(container)) + 1
    numbers = bytes(0x80 | first + index for index in range(len(added)))

    def associated(body: bytes) -> bytes:
        """The association table, with two-byte items and one-byte properties."""
        count, = struct.unpack_from(">I", body, 4)
        result, position = body[:8], 8
        for _ in range(count):
            item, length = struct.unpack_from(">HB", body, position)
            entries = body[position + 3:position + 3 + length]
            position += 3 + length
            if item == primary:
                entries += numbers
            result += struct.pack(">HB", item, len(entries)) + entries
        return result

    grown = sum(len(box) for box in added) + len(numbers)

    def moved(body: bytes) -> bytes:
        """The location table, with adjusted file offsets."""
        version, sizes, base = body[0], body[4], body[5] >> 4
        if sizes != 0x44 or base not in (0, 4):
            raise ValueError("the item locations do not have four bytes")
        result, position = bytearray(body), 8
        for _ in range(struct.unpack_from(">H", body, 6)[0]):
            position += 2 if version == 0 else 4
            position += 2
            start, = struct.unpack_from(">I", body, position) if base else (0,)
            if start:
                struct.pack_into(">I", result, position, start + grown)
            position += base
            extents, = struct.unpack_from(">H", body, position)
            position += 2
            for _ in range(extents):
                if not start:
                    offset, = struct.unpack_from(">I", body, position)
                    struct.pack_into(">I", result, position, offset + grown)
                position += 8
        return bytes(result)

    def rewritten(kind: bytes, body: bytes) -> bytes:
        if kind == b"iloc":
            body = moved(body)
        elif kind == b"iprp":
            body = b"".join(
                heifgrid.box(name, content + b"".join(added) if name == b"ipco"
                             else associated(content)) for name, content in properties)
        return heifgrid.box(kind, body)

    tables = b"".join(rewritten(*child) for child in meta)
    return b"".join(
        heifgrid.box(kind, body[:4] + tables if kind == b"meta" else body) for kind, body in top)


TURNERS = {".jpg": turned_jpeg, ".png": turned_png, ".webp": turned_webp, ".tif": turned_tiff,
           ".heic": turned_heif, ".avif": turned_heif}


def make(folder: Path, name: str, sources: Sources) -> None:
    """Creates all files of a kind."""
    kind = folder / Path(name).stem
    if kind.exists():
        return
    work = kind.with_suffix(".part")
    work.mkdir(parents=True, exist_ok=True)
    upright = work / ("1" + Path(name).suffix)
    KINDS[name](sources, upright)
    if name not in FLAT:
        data = upright.read_bytes()
        for orientation in range(2, 9):
            turned = TURNERS[upright.suffix](data, orientation)
            upright.with_stem(str(orientation)).write_bytes(turned)
    work.rename(kind)


def main() -> int:
    """Parses the arguments and creates missing files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--filter", default="", help="only kinds whose name contains this")
    options = parser.parse_args()
    sources = Sources(options.folder / ".sources")
    try:
        for name in KINDS:
            if options.filter in name:
                make(options.folder, name, sources)
    except subprocess.CalledProcessError as fault:
        print(f"{name}: {' '.join(fault.cmd)}: {fault.stderr.decode().strip()}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(sources.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
