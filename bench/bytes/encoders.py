"""Encoders of baseline JPEG, 4:2:0, by quality: ours and those of other libraries."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pyjpegli
import pyvips
from PIL import Image, features

from names import BEST, DEFAULT, JPEGLI, MOZJPEG, QUALITY
from pictures import Prepared, run

Encoder = Callable[[Prepared, int], bytes]


def libjpeg(picture: Prepared, quality: int) -> bytes:
    """libjpeg-turbo's defaults: tables of ITU-T T.81, K.1, and fixed Huffman codes."""
    stream = io.BytesIO()
    picture.pixels().save(stream, "JPEG", quality=quality, subsampling="4:2:0")
    return stream.getvalue()


def thimble(program: Path, effort: str) -> Encoder:
    """The encoder of the engine of rows."""
    def encode(picture: Prepared, quality: int) -> bytes:
        output = picture.ppm.with_suffix(f".{effort}.jpg")
        run(program, "encode", picture.ppm, output, "--quality", quality, "--effort", effort)
        return output.read_bytes()
    return encode


def jpegli(picture: Prepared, quality: int) -> bytes:
    """jpegli with its only table, adaptive quantisation and optimised codes."""
    pixels = picture.pixels()
    return pyjpegli.encode(pixels.tobytes(), *pixels.size, quality)


def mozjpeg(table: int) -> Encoder:
    """mozjpeg by libvips, with trellis quantisation, overshoot deringing and optimised codes."""
    def encode(picture: Prepared, quality: int) -> bytes:
        image = pyvips.Image.new_from_file(str(picture.png))
        return image.jpegsave_buffer(
            Q=quality, keep="none", subsample_mode="on", optimize_coding=True, trellis_quant=True,
            overshoot_deringing=True, quant_table=table)
    return encode


def has_mozjpeg(picture: Prepared) -> bool:
    """False if libvips has another libjpeg, which ignores mozjpeg's options."""
    image = pyvips.Image.new_from_file(str(picture.png))
    plain = image.jpegsave_buffer(Q=QUALITY, keep="none", optimize_coding=True)
    return plain != image.jpegsave_buffer(
        Q=QUALITY, keep="none", optimize_coding=True, trellis_quant=True)


def encoders(program: Path, table: int) -> dict[str, Encoder]:
    """All encoders that are compared with libjpeg-turbo, by name."""
    return {DEFAULT: thimble(program, "default"), BEST: thimble(program, "best"), JPEGLI: jpegli,
            MOZJPEG: mozjpeg(table)}


def decoded(jpeg: bytes) -> Image.Image:
    """The pixels of a baseline JPEG of 4:2:0; another kind would not be comparable."""
    image = Image.open(io.BytesIO(jpeg))
    if "progressive" in image.info or image.layer[0][1:3] != (2, 2):
        raise ValueError("a progressive JPEG, or one without halved chroma")
    return image.convert("RGB")


def versions() -> str:
    """The libraries that ran."""
    libvips = ".".join(str(pyvips.version(part)) for part in range(3))
    return (f"libjpeg-turbo {features.version_feature('libjpeg_turbo')} of Pillow, pyjpegli "
            f"{pyjpegli.__version__}, mozjpeg of pyvips-binary with libvips {libvips}")
