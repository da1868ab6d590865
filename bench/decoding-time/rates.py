#!/usr/bin/python3
"""Measures the rates for the estimates of DecodingTime.swift.

For each coding, thimble processes a picture of one colour and a photograph. Their processor time in excess
of a small picture's is solved for nanoseconds per pixel and nanoseconds per byte. Needs make
bench-corpus, and Debian's libvips-tools, libheif-examples, libavif-bin, libjxl-tools, python3-numpy and
python3-pil.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

sys.path.append(str(Path(__file__).resolve().parents[1] / "corpus"))
from bitmapruns import write_runs  # noqa: E402

Image.MAX_IMAGE_PIXELS = None
PACKAGE = Path(__file__).resolve().parents[2]
SIDE = 8000, 6000
# Photograph of the corpus, its pixels, and the encoder of the coding.
CODINGS = {
    "JPEG baseline": ("jpeg-baseline-48mp.jpg", 8064 * 6048, "jpegsave", ".jpg", []),
    "JPEG progressive": (
        "jpeg-progressive-48mp.jpg", 8064 * 6048, "jpegsave", ".jpg", ["--interlace"]),
    "PNG": ("png-rgb-48mp.png", 8064 * 6048, "pngsave", ".png", []),
    "PNG interlaced": ("png-adam7-48mp.png", 8064 * 6048, "pngsave", ".png", ["--interlace"]),
    "WebP lossy": ("webp-lossy-48mp.webp", 8064 * 6048, "webpsave", ".webp", []),
    "WebP lossless": ("webp-lossless-48mp.webp", 8064 * 6048, "webpsave", ".webp", ["--lossless"]),
    "GIF": ("png-rgb-12mp.png", 4032 * 3024, "gifsave", ".gif", []),
    "HEIC": ("heic-grid-48mp.heic", 8064 * 6048, "heif-enc", ".heic", []),
    "AVIF": ("avif-48mp.avif", 8064 * 6048, "avifenc", ".avif", ["-s", "10"]),
    "BMP 24 bit": ("png-rgb-48mp.png", 8064 * 6048, "bmp", ".bmp", ["RGB"]),
    "BMP palette": ("png-rgb-12mp.png", 4032 * 3024, "bmp", ".bmp", ["P"]),
    "BMP runs": ("png-rgb-12mp.png", 4032 * 3024, "bmp", ".bmp", ["runs"]),
    "JPEG XL lossy": ("png-rgb-12mp.png", 4032 * 3024, "cjxl", ".jxl", ["-e", "3", "-d", "1"]),
    "JPEG XL lossless": ("png-rgb-12mp.png", 4032 * 3024, "cjxl", ".jxl", ["-e", "3", "-d", "0"]),
    "TIFF": ("tiff-strips-48mp.tif", 8064 * 6048, "tiffsave", ".tif", ["--compression", "lzw"]),
}


def save_bmp(source: Path, path: Path, pixels: str) -> None:
    """A BMP of 24 bits, of a palette or of its runs; libvips has no writer of its own."""
    with Image.open(source) as image:
        picture = image.convert("RGB")
    if pixels != "RGB":
        picture = picture.quantize(256, Image.Quantize.FASTOCTREE)
    if pixels == "runs":
        write_runs(picture, path)
    else:
        picture.save(path)


def encode(writer: str, source: Path, path: Path, options: list) -> None:
    """Encodes a PNG."""
    if writer == "bmp":
        save_bmp(source, path, *options)
    elif writer.endswith("save"):
        subprocess.run(["vips", writer, source, path, *options], check=True)
    elif writer == "heif-enc":
        subprocess.run([writer, source, "-o", path], check=True, capture_output=True)
    elif writer == "cjxl":
        subprocess.run([writer, source, path, *options], check=True, capture_output=True)
    else:
        subprocess.run([writer, *options, source, path], check=True, capture_output=True)


def flat(folder: Path, width: int, height: int, writer: str, suffix: str, options: list) -> Path:
    """A picture of one colour."""
    path = folder / f"{width}{''.join(options)}{suffix}"
    raw = folder / f"raw-{width}.png"
    if not raw.exists():
        grey = folder / "grey.v"
        subprocess.run(["vips", "black", grey, str(width), str(height), "--bands", "3"], check=True)
        subprocess.run(["vips", "linear", grey, folder / "colour.v", "1", "90", "--uchar"],
                       check=True)
        subprocess.run(["vips", "copy", folder / "colour.v", folder / "rgb.v",
                        "--interpretation", "srgb"], check=True)
        subprocess.run(["vips", "pngsave", folder / "rgb.v", raw], check=True)
    encode(writer, raw, path, options)
    return path


def seconds(thimble: Path, picture: Path, rounds: int) -> float:
    """The minimum processor time of thimble and its worker for a picture."""
    best = float("inf")
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(dir=PACKAGE / ".build") as container:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [thimble, "process", picture, "--container", container, "--id", "x",
                 "--timeout", "600", "--max-scratch", "4GB"],
                check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thimble", type=Path, default=PACKAGE / ".build/release/thimble")
    parser.add_argument("--corpus", type=Path, default=PACKAGE / ".build/bench-corpus")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="measure one coding, for example GIF")
    parser.add_argument("--report", type=Path)
    arguments = parser.parse_args()
    lines = [
        "# Decoding time", "",
        "By `make decoding-time`: processor time of thimble and its worker, the least of "
        f"{arguments.rounds} rounds.", "",
        "| coding | one colour, 48 MP | photograph | ns a pixel | ns a byte |",
        "|---|---:|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory(dir=PACKAGE / ".build") as name:
        folder = Path(name)
        for coding, (photograph, pixels, writer, suffix, options) in CODINGS.items():
            if arguments.only not in (None, coding):
                continue
            small = seconds(
                arguments.thimble, flat(folder, 64, 48, writer, suffix, options), arguments.rounds)
            large = flat(folder, *SIDE, writer, suffix, options)
            even = seconds(arguments.thimble, large, arguments.rounds) - small
            path = arguments.corpus / photograph
            if path.suffix != suffix:
                path = folder / f"photograph{suffix}"
                encode(writer, arguments.corpus / photograph, path, options)
            real = seconds(arguments.thimble, path, arguments.rounds) - small
            # Two equations: time = a * pixels + b * bytes.
            (p, q), (r, s) = (SIDE[0] * SIDE[1], large.stat().st_size), (pixels, path.stat().st_size)
            determinant = p * s - q * r
            if abs(determinant) > p * s / 100:
                a = max(0.0, (even * s - real * q) / determinant) * 1e9
                b = max(0.0, (real * p - even * r) / determinant) * 1e9
            else:
                # Both have as many bytes a pixel: these count with the pixels.
                a, b = max(even / p, real / r) * 1e9, 0.0
            lines.append(f"| {coding} | {even:.2f} s | {real:.2f} s | {a:.2f} | {b:.1f} |")
            print(lines[-1], flush=True)
    if arguments.report:
        arguments.report.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
