#!/usr/bin/python3
"""Makes small files of every format that Thimble reads, for fuzzing and mutating.

A picture of a few hundred bytes has the same structure as a photograph and is parsed a thousand times as
often per second. Pictures are cut from Images/ and reproducible. Small files of --corpus are added.

Needs Debian's libvips-tools, libheif-examples, libavif-bin, libjxl-tools, webp, libjpeg-turbo-progs, ffmpeg and
python3-pil.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import plistlib
import shutil
import struct
import subprocess
import sys
import tempfile
import wave
from pathlib import Path

from PIL import Image

PACKAGE = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.append(str(PACKAGE / "bench/corpus"))
import heifsequence  # noqa: E402
import tableprofile  # noqa: E402

# Sides of the pictures in pixels. One is no multiple of any block size. The larger one has more
# than one row of the largest blocks, 64 pixels.
SMALL = (37, 29)
LARGE = (152, 72)
# Maximum size of a corpus file used as a seed.
MOST_BYTES = 16_000


def run(*command: object) -> None:
    """Runs a tool."""
    subprocess.run([str(word) for word in command], check=True, capture_output=True)


class Seeds:
    """The seed folders, one per format."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, kind: str, name: str) -> Path:
        """Path of a file, with its folder created."""
        place = self.folder / kind
        place.mkdir(parents=True, exist_ok=True)
        return place / name

    def add(self, kind: str, name: str, data: bytes) -> None:
        self.path(kind, name).write_bytes(data)

    def save(self, picture: Image.Image, kind: str, name: str, form: str, **options: object) -> None:
        """Encodes a picture with Pillow."""
        stream = io.BytesIO()
        picture.save(stream, form, **options)
        self.add(kind, name, stream.getvalue())


def small_pictures() -> dict[str, Image.Image]:
    """Pictures of the colour types that formats distinguish."""
    def opened(name: str, size: tuple[int, int]) -> Image.Image:
        with Image.open(PACKAGE / "Images" / name) as image:
            return image.resize(size, Image.BOX)

    colours = opened("still-life.png", SMALL).convert("RGB")
    alpha = opened("thimble-alpha.png", SMALL).convert("RGBA")
    return {
        "rgb": colours,
        "wide": opened("ridges-progressive.jpg", LARGE).convert("RGB"),
        "rgba": alpha,
        "grey": colours.convert("L"),
        "palette": colours.quantize(13),
        "bilevel": colours.convert("1"),
        "cmyk": colours.convert("CMYK"),
    }


def frames(pictures: dict[str, Image.Image]) -> list[Image.Image]:
    """Frames of a short animation that differ slightly."""
    first = pictures["rgba"].copy()
    result = [first]
    for step in range(1, 4):
        frame = result[-1].copy()
        frame.paste(pictures["rgb"].resize((9, 7)), (step * 6, step * 4))
        result.append(frame)
    return result


def make_jpegs(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    """Baseline and progressive files, by components, sampling and restarts."""
    exif = Image.Exif()
    exif[0x0112] = 6
    for name in ("rgb", "wide", "grey", "cmyk"):
        for progressive in (False, True):
            seeds.save(pictures[name], "jpeg", f"{name}-{progressive}.jpg", "JPEG", quality=60,
                       progressive=progressive, exif=exif.tobytes(), comment=b"a")
    # Turned without decoding, because the sides are multiples of all units.
    for name, sampling in (("wide", 0), ("wide", 2), ("grey", -1)):
        whole = pictures[name].resize((64, 48))
        for progressive in (False, True):
            seeds.save(whole, "jpeg", f"turned-{name}{sampling}-{progressive}.jpg", "JPEG",
                       quality=60, progressive=progressive, subsampling=sampling,
                       exif=exif.tobytes())
    for sampling in (0, 1):
        seeds.save(pictures["rgb"], "jpeg", f"sampling-{sampling}.jpg", "JPEG", quality=30,
                   progressive=True, subsampling=sampling)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "a.ppm"
        pictures["rgb"].save(source)
        run("cjpeg", "-progressive", "-restart", "1B", "-quality", "50", "-outfile",
            seeds.path("jpeg", "restarts.jpg"), source)
        # Enough groups between markers for two decoders.
        for name, interval in (("rows", "1"), ("units", "1B")):
            run("cjpeg", "-sample", "1x1", "-restart", interval, "-quality", "50", "-outfile",
                seeds.path("jpeg", f"restarts-{name}.jpg"), source)


def ink_profile() -> bytes:
    """A profile of four inks with a table of two steps an ink."""
    grid = bytearray()
    for ink in range(16):
        black = sum(ink >> bit & 1 for bit in range(4))
        grid += bytes([255 - 60 * black, 128 + 20 * (ink & 1), 128 - 20 * (ink >> 2 & 1)])
    return tableprofile.write(b"CMYK", b"prtr", 2, bytes(grid))


def make_ink_jpegs(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    for name, options in {"baseline": {}, "progressive": {"progressive": True}}.items():
        seeds.save(
            pictures["cmyk"], "ink-jpeg", f"{name}.jpg", "JPEG", icc_profile=ink_profile(), **options)


def make_pngs(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    """Interlaced and plain files of each colour type, and an animation."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("rgb", "rgba", "grey", "palette", "bilevel"):
            source = Path(folder) / f"{name}.png"
            pictures[name].save(source)
            shutil.copyfile(source, seeds.path("png", f"{name}.png"))
            run("vips", "pngsave", source, seeds.path("png", f"{name}-interlaced.png"),
                "--interlace")
        deep = Path(folder) / "deep.v"
        run("vips", "cast", source.with_name("rgb.png"), deep, "ushort", "--shift")
        run("vips", "pngsave", deep, seeds.path("png", "deep-interlaced.png"), "--interlace")
    moving = frames(pictures)
    for blend in (0, 1):
        seeds.save(moving[0], "png", f"moving-{blend}.png", "PNG", save_all=True,
                   append_images=moving[1:], duration=50, blend=blend, disposal=blend)


def make_webps(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    """Lossy, lossless and animated files, with alpha filters and compressions."""
    for name in ("rgb", "wide", "rgba", "grey", "palette"):
        seeds.save(pictures[name].convert("RGBA"), "webp", f"{name}-lossless.webp", "WEBP",
                   lossless=True, exact=True)
        seeds.save(pictures[name], "webp", f"{name}.webp", "WEBP", quality=40)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "a.png"
        pictures["rgba"].save(source)
        for method in (0, 1):
            for filtering in ("none", "fast", "best"):
                run("cwebp", "-quiet", "-q", "30", "-alpha_method", method, "-alpha_filter",
                    filtering, source, "-o",
                    seeds.path("webp", f"alpha-{method}-{filtering}.webp"))
    moving = frames(pictures)
    for lossless in (False, True):
        seeds.save(moving[0], "webp", f"moving-{lossless}.webp", "WEBP", save_all=True,
                   append_images=moving[1:], duration=50, lossless=lossless)


def make_gifs(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    """Interlaced and plain files, and animations of each disposal."""
    for interlaced in (0, 1):
        seeds.save(pictures["palette"], "gif", f"still-{interlaced}.gif", "GIF",
                   interlace=interlaced)
    moving = [frame.convert("RGB").quantize(16) for frame in frames(pictures)]
    for disposal in (0, 1, 2, 3):
        seeds.save(moving[0], "gif", f"moving-{disposal}.gif", "GIF", save_all=True,
                   append_images=moving[1:], duration=70, loop=0, disposal=disposal)


def make_tiffs(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    """Files by compression, and tiled ones."""
    for name, compression in (("rgb", "raw"), ("rgb", "tiff_lzw"), ("rgba", "tiff_adobe_deflate"),
                              ("grey", "packbits"), ("palette", "tiff_lzw"), ("rgb", "jpeg"),
                              ("bilevel", "group4"), ("cmyk", "tiff_lzw")):
        seeds.save(pictures[name], "tiff", f"{name}-{compression}.tif", "TIFF",
                   compression=compression)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "a.png"
        pictures["wide"].save(source)
        for compression in ("deflate", "jpeg"):
            run("vips", "tiffsave", source, seeds.path("tiff", f"tiles-{compression}.tif"),
                "--tile", "--tile-width", 32, "--tile-height", 32, "--compression", compression)
        run("vips", "tiffsave", source, seeds.path("tiff", "big.tif"), "--bigtiff",
            "--compression", "lzw", "--predictor", "horizontal")
        source = Path(folder) / "b.png"
        pictures["rgb"].save(source)
        deep = deep_picture(Path(folder), source)
        for compression in ("none", "lzw", "deflate", "zstd"):
            run("vips", "tiffsave", deep, seeds.path("tiff", f"deep-{compression}.tif"),
                "--compression", compression)
            run("vips", "tiffsave", deep, seeds.path("tiff", f"deep-tiles-{compression}.tif"),
                "--tile", "--tile-width", 16, "--tile-height", 16, "--compression", compression)
        run("vips", "cast", deep, Path(folder) / "float.v", "float")
        run("vips", "tiffsave", Path(folder) / "float.v", seeds.path("tiff", "deep-float.tif"),
            "--compression", "deflate")


def deep_picture(folder: Path, source: Path) -> Path:
    """A picture with 16 bits per sample."""
    deep = folder / f"deep-{source.stem}.png"
    run("vips", "colourspace", source, deep, "rgb16")
    return deep


def make_deep_heifs(seeds: Seeds, folder: Path) -> None:
    """HEIC and AVIF of every depth and sampling.

    At slow speeds the encoder chooses the filters with the largest frames in
    dav1d's C code.
    """
    with Image.open(PACKAGE / "Images" / "lake-baseline.jpg") as lake:
        lake.resize((300, 200)).save(folder / "lake.png")
    deep = deep_picture(folder, folder / "lake.png")
    for depth in (8, 10, 12):
        for sampling in ("420", "422", "444", "400"):
            run("avifenc", "-s", "2", "-d", depth, "-y", sampling, "--min", "30", "--max", "35", deep,
                seeds.path("heif", f"deep-{depth}-{sampling}.avif"))
            if depth > 8 and sampling != "400":
                run("heif-enc", "-q", "30", "-b", depth, "-p", f"chroma={sampling}", deep, "-o",
                    seeds.path("heif", f"deep-{depth}-{sampling}.heic"))


def make_bmps(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    """Files of every depth, with masks, from top to bottom, and run-length coded."""
    for name in ("rgb", "rgba", "grey", "palette", "bilevel"):
        seeds.save(pictures[name], "bmp", f"{name}.bmp", "BMP")
    width, height = SMALL

    def add(name: str, header: int, bits: int, compression: int, body: bytes,
            masks: tuple[int, ...] = (), palette: bytes = b"", top_down: bool = False) -> None:
        info = struct.pack("<IiiHHIIiiII", header, width, -height if top_down else height, 1, bits,
                           compression, len(body), 2835, 2835, 0, 0)
        info += struct.pack(f"<{len(masks)}I", *masks)
        info = info.ljust(header, b"\0") + palette
        start = 14 + len(info)
        seeds.add("bmp", name, b"BM" + struct.pack("<IHHI", start + len(body), 0, 0, start) + info
                  + body)

    rgba = pictures["rgba"].tobytes("raw", "BGRA")
    add("masks.bmp", 124, 32, 3, rgba, (0xFF0000, 0xFF00, 0xFF, 0xFF000000), top_down=True)
    add("short-masks.bmp", 40, 16, 3, bytes(range(76)) * height, (0xF800, 0x7E0, 0x1F))
    # Runs, literal pixels, a skip, and the ends of rows.
    row = b"\x05\x12\0\x05\1\2\3\4\5\0\0\2\3\0\x06\x21\0\0"
    add("runs-8.bmp", 40, 8, 1, row * height + b"\0\1", palette=bytes(range(256)) * 4)
    row = b"\x05\x12\0\x05\1\2\3\0\0\2\3\1\x06\x21\0\0"
    add("runs-4.bmp", 40, 4, 2, row * height + b"\0\1", palette=bytes(range(64)))
    row = b"\x05\1\2\3\0\3\1\2\3\4\5\6\7\x08\x09\0\0\0"
    add("runs-24.bmp", 64, 24, 4, row * height + b"\0\1")


def make_jxls(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    """Lossy, lossless, progressive, in boxes, animated, and made of a JPEG."""
    with tempfile.TemporaryDirectory() as folder:
        def add(source: Path, name: str, *options: object) -> None:
            run("cjxl", source, seeds.path("jxl", name), "-e", 4, *options)

        for name in ("rgb", "rgba", "grey", "palette", "wide"):
            source = Path(folder) / f"{name}.png"
            pictures[name].save(source)
            add(source, f"{name}.jxl", "-d", 1)
            add(source, f"{name}-lossless.jxl", "-d", 0)
        source = Path(folder) / "wide.png"
        add(source, "progressive.jxl", "-d", 2, "-p")
        add(source, "boxes.jxl", "-d", 1, "--container=1")
        source = source.with_suffix(".jpg")
        pictures["wide"].save(source, quality=80)
        add(source, "jpeg.jxl")
        first, *others = (frame.convert("RGB") for frame in frames(pictures))
        source = source.with_suffix(".apng")
        first.save(source, "PNG", save_all=True, append_images=others, duration=80, loop=0)
        add(source, "animated.jxl", "-d", 0)


def make_heifs(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    """HEIC and AVIF, with alpha, higher depth and rotation."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("rgb", "rgba", "wide"):
            source = Path(folder) / f"{name}.png"
            pictures[name].save(source)
            run("heif-enc", "-q", "30", source, "-o", seeds.path("heif", f"{name}.heic"))
            run("avifenc", "-s", "8", "--min", "40", "--max", "60", source,
                seeds.path("heif", f"{name}.avif"))
        source = Path(folder) / "wide.png"
        run("avifenc", "-s", "8", "-d", "10", "-y", "444", "--irot", "1", "--imir", "0", source,
            seeds.path("heif", "turned.avif"))
        run("avifenc", "-s", "8", "--grid", "2x1", source, seeds.path("heif", "grid.avif"))
        make_deep_heifs(seeds, Path(folder))
        moving = []
        for number, frame in enumerate(frames(pictures)):
            moving.append(Path(folder) / f"{number}.png")
            frame.save(moving[-1])
        # avifenc writes a track of alpha for every PNG.
        opaque = [path.with_suffix(".jpg") for path in moving]
        for path, frame in zip(opaque, frames(pictures)):
            frame.convert("RGB").save(path)
        for name, files in (("alpha", moving), ("opaque", opaque)):
            path = seeds.path("avif-sequence", f"{name}.avif")
            run("avifenc", "-s", "8", "--fps", "10", "--min", "40", "--max", "60", *files, path)
            # A track without a still picture.
            seeds.add("avif-sequence", f"{name}-track.avif",
                      path.read_bytes().replace(b"meta", b"free", 1))
        make_heic_sequences(seeds, Path(folder), pictures)


def make_heic_sequences(
        seeds: Seeds, folder: Path, pictures: dict[str, Image.Image]) -> None:
    """Sequences of HEVC with and without references, in several samplings, and with alpha."""
    moving = [frame.convert("RGB").resize((64, 48)) for frame in frames(pictures)]
    moving = (moving + moving[::-1])[:7]
    for number, frame in enumerate(moving):
        frame.save(folder / f"moving{number}.png")
    durations = [80] * len(moving)
    inter = "keyint=60:scenecut=0:bframes=3:b-adapt=0:ref=3:crf=38"
    alpha = heifsequence.encode(folder / "moving%d.png", "gray", inter)
    for name, pixels, parameters, options in (
            ("intra", "yuv420p", "keyint=1:crf=38", {"has_still": True}),
            ("inter", "yuv420p", inter, {}), ("10-bit", "yuv420p10le", inter, {}),
            ("444", "yuv444p", inter + ":slices=2", {}), ("grey", "gray", inter, {}),
            ("open", "yuv420p", "keyint=3:min-keyint=3:bframes=2:b-adapt=0:crf=38", {}),
            ("alpha", "yuv420p", inter, {"alpha": alpha, "is_premultiplied": True})):
        coded = heifsequence.encode(folder / "moving%d.png", pixels, parameters)
        heifsequence.write(
            seeds.path("heic-sequence", f"{name}.heic"), coded, durations, **options)


def box(kind: bytes, *parts: bytes) -> bytes:
    """A box (ISO/IEC 14496-12, 4.2)."""
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + kind + body


def make_media(seeds: Seeds) -> None:
    """Headers of sound and movies."""
    stream = io.BytesIO()
    with wave.open(stream, "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(64))
    seeds.add("media", "sound.wav", stream.getvalue())
    matrix = struct.pack(">9I", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    mvhd = box(b"mvhd", struct.pack(">5I", 0, 0, 0, 1000, 2000), bytes(16), matrix, bytes(28))
    tkhd = box(b"tkhd", struct.pack(">6I", 7, 0, 0, 1, 0, 2000), bytes(16), matrix,
               struct.pack(">2I", 64 << 16, 48 << 16))
    mdhd = box(b"mdhd", struct.pack(">6I", 0, 0, 0, 1000, 2000, 0))
    hdlr = box(b"hdlr", bytes(8), b"vide", bytes(13))
    entry = box(b"avc1", bytes(6), b"\0\1", bytes(16), struct.pack(">2H", 64, 48), bytes(50))
    stsd = box(b"stsd", struct.pack(">2I", 0, 1), entry)
    media = box(b"mdia", mdhd, hdlr, box(b"minf", box(b"stbl", stsd)))
    movie = box(b"moov", mvhd, box(b"trak", tkhd, media))
    seeds.add("media", "movie.mp4", box(b"ftyp", b"isom", bytes(4), b"isommp41") + movie)
    seeds.add("media", "sound.m4a", box(b"ftyp", b"M4A ", bytes(4)) + movie)
    common = struct.pack(">hIh", 1, 32, 16) + bytes.fromhex("400bfa00000000000000")
    chunks = box_aiff(b"COMM", common) + box_aiff(b"SSND", bytes(72))
    seeds.add("media", "sound.aiff", b"FORM" + struct.pack(">I", 4 + len(chunks)) + b"AIFF" + chunks)
    avih = b"avih" + struct.pack("<I", 56) + struct.pack("<14I", 40000, 0, 0, 0, 50, 0, 1, 0, 64, 48,
                                                       0, 0, 0, 0)
    hdrl = b"LIST" + struct.pack("<I", 4 + len(avih)) + b"hdrl" + avih
    seeds.add("media", "movie.avi", b"RIFF" + struct.pack("<I", 4 + len(hdrl)) + b"AVI " + hdrl)
    frame = bytes.fromhex("fffb9064") + bytes(413)
    seeds.add("media", "sound.mp3", b"ID3\4\0\0\0\0\0\n" + bytes(10) + frame * 3)
    seeds.add("media", "movie.mpg", bytes.fromhex(
        "000001ba44000400040100000003f8000001bb0006800001000000"
        "000001e0000f8080052100010001000001b304003013ffffe000"))


def box_aiff(kind: bytes, body: bytes) -> bytes:
    """A chunk of AIFF."""
    return kind + struct.pack(">I", len(body)) + body


def full_box(kind: bytes, *parts: bytes) -> bytes:
    """A box with version and flags of zero."""
    return box(kind, bytes(4), *parts)


def box_payload(kind: bytes, data: bytes) -> bytes:
    """The payload of the first box of a kind, whatever box it is in."""
    start = data.index(kind)
    return data[start + 4:start - 4 + struct.unpack(">I", data[start - 4:start])[0]]


def segment(marker: int, body: bytes) -> bytes:
    """A marker segment (ITU-T T.81, B.1.1.4)."""
    return struct.pack(">2BH", 0xFF, marker, 2 + len(body)) + body


ISO_GAIN_MAP = b"urn:iso:std:iso:ts:21496:-1\0"
APPLE_GAIN_MAP = b"urn:com:apple:photo:2020:aux:hdrgainmap\0"


def xmp(attributes: str, contents: str = "") -> bytes:
    return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
        f"{attributes}>{contents}</rdf:Description></rdf:RDF></x:xmpmeta>").encode())


def picture_index(start: int, picture: int, gain_map: int) -> bytes:
    """An index of two pictures after as many bytes of the file (CIPA DC-007, 5.2)."""
    def index(length: int, offset: int) -> bytes:
        entries = struct.pack(">8I", 0x30000, length, 0, 0, 0, gain_map, offset, 0)
        fields = struct.pack(">2HI4s2H2I2H2I", 0xB000, 7, 4, b"0100", 0xB001, 4, 1, 2, 0xB002, 7,
                             len(entries), 50)
        return segment(0xE2, b"MPF\0MM\0*" + struct.pack(">IH", 8, 3) + fields + bytes(4) + entries)
    length = start - 2 + len(index(0, 0)) + picture
    # Offsets count from the byte order mark.
    return index(length, length - start - 8)


def make_gain_maps(seeds: Seeds, pictures: dict[str, Image.Image]) -> None:
    """Pictures with gain maps: JPEG by XMP and by ISO 21496-1, HEIC and AVIF by both kinds of item."""
    gain_map = pictures["grey"].resize((16, 12))
    stream = io.BytesIO()
    gain_map.save(stream, "JPEG", quality=60)
    ultra = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"'
    google = ' xmlns:Container="http://ns.google.com/photos/1.0/container/"'
    for name, own in {"ultra-hdr": xmp(ultra + ' hdrgm:GainMapMax="2.5"'),
                      "iso-gain-map": segment(0xE2, ISO_GAIN_MAP + bytes(61))}.items():
        second = stream.getvalue()[:2] + own + stream.getvalue()[2:]
        listed = ('<Container:Directory><rdf:Seq><rdf:li><Container:Item Item:Semantic="Primary" '
                  'Item:Mime="image/jpeg"/></rdf:li><rdf:li><Container:Item '
                  f'Item:Semantic="GainMap" Item:Length="{len(second)}"/></rdf:li></rdf:Seq>'
                  '</Container:Directory>')
        head = (xmp(ultra + google, listed) if name == "ultra-hdr"
                else segment(0xE2, ISO_GAIN_MAP + bytes(4)))
        for progressive in (False, True):
            coded = io.BytesIO()
            pictures["wide"].save(coded, "JPEG", quality=50, progressive=progressive)
            first = coded.getvalue()
            index = picture_index(2 + len(head), len(first), len(second))
            seeds.add("jpeg", f"{name}-{progressive}.jpg",
                      first[:2] + head + index + first[2:] + second)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "gain-map.png"
        gain_map.resize((64, 64)).convert("RGB").save(source)
        for extension, kind, configuration, tool in (
                ("heic", b"hvc1", b"hvcC", ("heif-enc", "-q", "30")),
                ("avif", b"av01", b"av1C", ("avifenc", "-s", "8", "--min", "40", "--max", "60"))):
            coded = Path(folder) / f"gain-map.{extension}"
            run(*tool, source, "-o", coded)
            pieces = [seeds.path("heif", f"wide.{extension}").read_bytes(), coded.read_bytes()]
            for name, is_derived in (("gain-map", False), ("tone-map", True)):
                seeds.add("heif", f"{name}.{extension}", gain_map_file(
                    kind, configuration, pieces, is_derived))


def gain_map_file(
        kind: bytes, configuration: bytes, pieces: list[bytes], is_derived: bool) -> bytes:
    """A picture and its gain map, as an auxiliary picture or under a derived item."""
    items = [(kind, box_payload(b"mdat", piece)) for piece in pieces]
    properties = [
        [box(configuration, box_payload(configuration, piece)),
         full_box(b"ispe", box_payload(b"ispe", piece)[4:])] for piece in pieces
    ]
    if is_derived:
        items.append((b"tmap", bytes(62)))
        properties.append([properties[0][1]])
        references = box(b"dimg", struct.pack(">4H", 3, 2, 1, 2))
    else:
        properties[1].append(full_box(b"auxC", APPLE_GAIN_MAP))
        references = box(b"auxl", struct.pack(">3H", 2, 1, 1))
    boxes = [part for parts in properties for part in parts]
    numbers = iter(range(1, len(boxes) + 1))
    entries = b"".join(
        struct.pack(">HB", item + 1, len(parts))
        + bytes(next(numbers) | (0x80 if part[4:8] == configuration else 0) for part in parts)
        for item, parts in enumerate(properties))
    brand = box(b"ftyp", b"heic" if kind == b"hvc1" else b"avif", bytes(4), b"mif1")

    def tables(start: int) -> bytes:
        places = b""
        for number, (_, data) in enumerate(items):
            places += struct.pack(">4H2I", number + 1, 0, 0, 1, start, len(data))
            start += len(data)
        names = b"".join(
            box(b"infe", b"\2\0\0\0", struct.pack(">2H", number + 1, 0), name, b"\0")
            for number, (name, _) in enumerate(items))
        return full_box(
            b"meta", full_box(b"hdlr", bytes(4), b"pict", bytes(13)), full_box(b"pitm", b"\0\1"),
            box(b"iloc", b"\1\0\0\0", b"\x44\0", struct.pack(">H", len(items)), places),
            full_box(b"iinf", struct.pack(">H", len(items)), names),
            box(b"iprp", box(b"ipco", *boxes),
                full_box(b"ipma", struct.pack(">I", len(items)), entries)),
            full_box(b"iref", references))

    start = len(brand) + len(tables(0)) + 8
    return brand + tables(start) + box(b"mdat", *(data for _, data in items))


def make_documents(seeds: Seeds) -> None:
    """Payloads and property lists."""
    alert = {"title": "Ünïcode \U0001f4f7", "loc-key": "K", "loc-args": ["a", "b"]}
    aps = {"alert": alert, "mutable-content": 1, "category": "photo", "badge": 3, "sound": "a.caf"}
    payloads = [
        {"aps": aps, "attachment-url": "https://example.org/a.jpg", "x": [1.5e3, None, True]},
        {"aps": {"alert": "hello", "mutable-content": 1},
         "fcm_options": {"image": "https://example.org/b.png"}, "gcm.message_id": "1"},
        {"aps": {"alert": "x"}, "ios_attachments": {"id1": "file:///a.heic"},
         "thimble": {"outcome": "rendition", "identifier": "a"}},
        {"aps": {"alert": "x"}, "ab": {"att": {"url": "https://example.org", "type": "jpg"}}},
    ]
    for number, payload in enumerate(payloads):
        text = json.dumps(payload, ensure_ascii=number % 2 == 0)
        seeds.add("payload", f"{number}.json", text.encode())
    seeds.add("payload", "path", b'aps.alert["loc-args"][1]')
    lines = b"\n".join(json.dumps(payload).encode() for payload in payloads)
    seeds.add("payload-stream", "lines.json", lines)
    plist = {
        "NSExtension": {
            "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
            "NSExtensionAttributes": {
                "UNNotificationExtensionCategory": ["photo", "album"],
                "UNNotificationExtensionInitialContentSizeRatio": 0.75,
                "UNNotificationExtensionDefaultContentHidden": True,
            },
        },
        "Data": b"abc", "Negative": -3,
    }
    seeds.add("property-list-xml", "Info.plist", plistlib.dumps(plist))
    seeds.add("property-list-binary", "Info.plist", plistlib.dumps(plist, fmt=plistlib.FMT_BINARY))
    options = {"width": 440, "scale": 3, "renderBudget": "8MiB", "crop": True}
    seeds.add("display-options", "options.json", json.dumps(options).encode())
    golden = PACKAGE / "Tests/NotificationPayloadTests/Inline/Golden"
    for path in sorted(golden.glob("*.txt")):
        text = path.read_text().strip()
        picture = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        seeds.add("inline-picture", path.stem, picture)
    seeds.add("thumbhash", "hash", bytes.fromhex("3008 0e7d 8a75 7fa7 5698 6788 8f0f 8780"))


# Folder by file name extension.
KINDS = {
    "jpg": "jpeg", "jpeg": "jpeg", "png": "png", "apng": "png", "webp": "webp", "gif": "gif",
    "tif": "tiff", "tiff": "tiff", "heic": "heif", "heif": "heif", "hif": "heif", "avif": "heif",
    "bmp": "bmp", "dib": "bmp", "jxl": "jxl",
}


def add_corpus(seeds: Seeds, corpus: Path) -> None:
    """Adds the small files of a folder."""
    for path in sorted(corpus.rglob("*")):
        kind = KINDS.get(path.suffix[1:].lower())
        if kind and path.is_file() and 0 < path.stat().st_size <= MOST_BYTES:
            seeds.add(kind, path.name, path.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the folder for the seeds")
    parser.add_argument("--corpus", type=Path, help="a folder whose small pictures are added")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    seeds = Seeds(arguments.folder)
    pictures = small_pictures()
    for make in (make_jpegs, make_ink_jpegs, make_pngs, make_webps, make_gifs, make_tiffs,
                 make_bmps, make_jxls, make_heifs):
        make(seeds, pictures)
    make_gain_maps(seeds, pictures)
    make_media(seeds)
    make_documents(seeds)
    if arguments.corpus:
        add_corpus(seeds, arguments.corpus)
    count = sum(1 for path in arguments.folder.rglob("*") if path.is_file())
    print(f"{count} seeds in {arguments.folder}")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"make_seeds: {error.cmd[0]}: {error.stderr.decode(errors='replace')}")
