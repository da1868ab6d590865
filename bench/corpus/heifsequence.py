"""Writes HEIF image sequences coded in HEVC (ISO/IEC 23008-12, section 7 and annex B).

FFmpeg encodes the frames with x265. Its movie has one track without alpha and equal durations, so the coded
frames are put into a file of our own.
"""

from __future__ import annotations

import copy
import itertools
import struct
import subprocess
from pathlib import Path

from heifgrid import box, boxes, full_box

MATRIX = struct.pack(">9I", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
ALPHA = b"urn:mpeg:hevc:2015:auxid:1\0"


class Track:
    """Coded frames in decoding order, with the place of each in the order in which they are shown."""

    def __init__(self, movie: bytes) -> None:
        media = find(movie, b"moov", b"trak", b"mdia")
        table = find(media, b"minf", b"stbl")
        entry = find(table, b"stsd")[8:]
        self.type = b"hvc1"
        self.size = struct.unpack_from(">HH", entry, 32)
        self.configuration = find(entry[86:], b"hvcC")
        lengths = struct.unpack_from(">I", find(table, b"stsz"), 8)[0]
        lengths = struct.unpack_from(f">{lengths}I", find(table, b"stsz"), 12)
        # A movie with one track has one chunk.
        position, = struct.unpack_from(">I", find(table, b"stco"), 8)
        self.samples = []
        for length in lengths:
            self.samples.append(movie[position:position + length])
            position += length
        ticks, = struct.unpack_from(">I", find(table, b"stts"), 12)
        offsets = runs(dict(boxes(table)).get(b"ctts", bytes(8))) or [0] * len(lengths)
        starts = [number * ticks + offset for number, offset in enumerate(offsets)]
        self.places = [sorted(starts).index(start) for start in starts]


def find(data: bytes, *kinds: bytes) -> bytes:
    """The body of a box in boxes."""
    for kind in kinds:
        data = dict(boxes(data))[kind]
    return data


def runs(body: bytes) -> list[int]:
    """The values of a table of runs."""
    values: list[int] = []
    for index in range(struct.unpack_from(">I", body, 4)[0]):
        values += itertools.repeat(
            struct.unpack_from(">i", body, 12 + 8 * index)[0],
            struct.unpack_from(">I", body, 8 + 8 * index)[0])
    return values


def encode(pattern: Path, pixels: str = "yuv420p", x265: str = "", *options: str) -> Track:
    """Encodes numbered pictures, such as `frame%d.png`."""
    movie = pattern.with_name("movie.mp4")
    # One thread writes the same file each time.
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-framerate", "10", "-i", str(pattern), *options, "-c:v",
         "libx265", "-x265-params", ":".join(
             word for word in ("log-level=none:info=0:pools=none:frame-threads=1", x265) if word),
         "-pix_fmt", pixels, "-tag:v", "hvc1", str(movie)], check=True, capture_output=True)
    try:
        return Track(movie.read_bytes())
    finally:
        movie.unlink()


def parameter_sets(configuration: bytes) -> list[bytes]:
    """The NAL units of a decoder configuration record (ISO/IEC 14496-15, 8.3.3.1.2)."""
    units, position = [], 23
    for _ in range(configuration[22]):
        count, = struct.unpack_from(">H", configuration, position + 1)
        position += 3
        for _ in range(count):
            length, = struct.unpack_from(">H", configuration, position)
            units.append(configuration[position + 2:position + 2 + length])
            position += 2 + length
    return units


def nal_units(sample: bytes) -> list[bytes]:
    """The NAL units of a sample, each behind a length of four bytes."""
    units, position = [], 0
    while position < len(sample):
        length, = struct.unpack_from(">I", sample, position)
        units.append(sample[position + 4:position + 4 + length])
        position += 4 + length
    return units


def sample(units: list[bytes]) -> bytes:
    """A sample of NAL units."""
    return b"".join(struct.pack(">I", len(unit)) + unit for unit in units)


def in_band(coded: Track) -> Track:
    """The track with its parameter sets in the samples of random access pictures alone."""
    coded = copy.copy(coded)
    sets = parameter_sets(coded.configuration)
    coded.type, coded.configuration = b"hev1", coded.configuration[:22] + b"\0"
    coded.samples = [
        sample(sets) + data if any(16 <= unit[0] >> 1 & 63 <= 23 for unit in nal_units(data)) else data
        for data in coded.samples]
    return coded


def track(identifier: int, coded: Track, durations: list[int], chunk: int, alpha_of: int = 0,
          premultiplied_by: int = 0, full_range: bool = False, matrix: bytes = MATRIX,
          edit: int | None = None) -> bytes:
    """A track box; durations are in milliseconds, in the order in which frames are shown.

    The edit list shows the first `edit` milliseconds.
    """
    decoded = [0, *itertools.accumulate(durations)]
    shown = [decoded[place] for place in coded.places]
    delay = max(start - time for start, time in zip(decoded, shown))
    offsets = [time + delay - start for start, time in zip(decoded, shown)]
    width, height = coded.size
    properties = box(b"hvcC", coded.configuration)
    if alpha_of:
        properties += full_box(b"auxi", 0, 0, ALPHA)
    elif full_range:
        properties += box(b"colr", b"nclx", struct.pack(">3HB", 1, 13, 6, 0x80))
    entry = box(
        coded.type, struct.pack(">6xH16xHHIIIH", 1, width, height, 72 << 16, 72 << 16, 0, 1), bytes(32),
        b"\0\x18\xff\xff", properties)
    count = len(durations)
    tables = [
        full_box(b"stsd", 0, 0, struct.pack(">I", 1), entry),
        full_box(b"stts", 0, 0, struct.pack(">I", count),
                 *(struct.pack(">II", 1, duration) for duration in durations)),
        full_box(b"stsc", 0, 0, struct.pack(">4I", 1, 1, count, 1)),
        full_box(b"stsz", 0, 0, struct.pack(">II", 0, count),
                 *(struct.pack(">I", len(sample)) for sample in coded.samples)),
        full_box(b"stco", 0, 0, struct.pack(">II", 1, chunk))]
    if any(offsets):
        tables.append(full_box(b"ctts", 0, 0, struct.pack(">I", count),
                               *(struct.pack(">II", 1, offset) for offset in offsets)))
    total = decoded[-1]
    references = [box(kind, struct.pack(">I", target)) for kind, target in (
        (b"auxl", alpha_of), (b"prem", premultiplied_by)) if target]
    return box(
        b"trak",
        full_box(b"tkhd", 0, 7, struct.pack(">IIIIIQHHHH", 0, 0, identifier, 0, total, 0, 0, 0, 0, 0),
                 matrix, struct.pack(">II", width << 16, height << 16)),
        box(b"edts", full_box(b"elst", 0, 0, struct.pack(
            ">4I", 1, total if edit is None else edit, delay, 1 << 16))),
        *([box(b"tref", *references)] if references else []),
        box(b"mdia", full_box(b"mdhd", 0, 0, struct.pack(">IIIIHH", 0, 0, 1000, total, 0x55C4, 0)),
            full_box(b"hdlr", 0, 0, struct.pack(
                ">I4s12x", 0, b"auxv" if alpha_of else b"pict"), b"\0"),
            box(b"minf", full_box(b"vmhd", 0, 1, bytes(8)), box(
                b"dinf", full_box(b"dref", 0, 0, struct.pack(">I", 1), full_box(b"url ", 0, 1))),
                box(b"stbl", *tables))))


def still(coded: Track, place: int) -> bytes:
    """The tables of a picture item, which is the first frame."""
    return full_box(
        b"meta", 0, 0, full_box(b"hdlr", 0, 0, struct.pack(">I4s12x", 0, b"pict"), b"\0"),
        full_box(b"pitm", 0, 0, struct.pack(">H", 1)),
        full_box(b"iloc", 0, 0, struct.pack(
            ">BBHHHHII", 0x44, 0, 1, 1, 0, 1, place, len(coded.samples[0]))),
        full_box(b"iinf", 0, 0, struct.pack(">H", 1), full_box(
            b"infe", 2, 0, struct.pack(">HH4s", 1, 0, b"hvc1"), b"\0")),
        box(b"iprp", box(b"ipco", box(b"hvcC", coded.configuration), full_box(
            b"ispe", 0, 0, struct.pack(">II", *coded.size))),
            full_box(b"ipma", 0, 0, struct.pack(">IHBBB", 1, 1, 2, 0x81, 2))))


def write(path: Path, colour: Track, durations: list[int], alpha: Track | None = None,
          is_premultiplied: bool = False, has_still: bool = False, **options: object) -> None:
    """Writes a sequence; durations are in milliseconds."""
    brands = [b"msf1", b"hevc", *([b"mif1", b"heic"] if has_still else [])]
    head = box(b"ftyp", b"hevc", bytes(4), *brands)

    def tables(place: int) -> bytes:
        tracks = [track(1, colour, durations, place,
                        premultiplied_by=2 if is_premultiplied else 0, **options)]
        if alpha:
            tracks.append(track(2, alpha, durations, place + sum(map(len, colour.samples)), 1))
        times = struct.pack(">4I", 0, 0, 1000, sum(durations))
        movie = full_box(b"mvhd", 0, 0, times, struct.pack(">IH10x", 1 << 16, 1 << 8), MATRIX,
                         bytes(24), struct.pack(">I", 3))
        return (still(colour, place) if has_still else b"") + box(b"moov", movie, *tracks)

    start = len(head) + len(tables(0)) + 8
    media = colour.samples + (alpha.samples if alpha else [])
    path.write_bytes(head + tables(start) + box(b"mdat", *media))
