"""Writes HEIC files like a phone's: a grid of HEVC-coded tiles (ISO/IEC 23008-12).

heif-enc of Debian 12 encodes only single pictures. Here it encodes each tile, and the coded tiles are
combined by one `grid` item, the derived picture of clause 6.6.2.3.
"""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

# As on phones. All tiles are complete, and the grid's size crops the last row and column.
TILE = 512


def box(kind: bytes, *parts: bytes) -> bytes:
    """A box (ISO/IEC 14496-12, 4.2)."""
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), kind) + body


def full_box(kind: bytes, version: int, flags: int, *parts: bytes) -> bytes:
    """A box with version and flags."""
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def boxes(data: bytes):
    """Kind and body of each box."""
    position = 0
    while position + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        yield kind, data[position + 8:position + length]
        position += length


def coded_tile(heic: bytes) -> tuple[bytes, bytes]:
    """The decoder configuration (`hvcC`) and the data of heif-enc's first item."""
    meta = dict(boxes(dict(boxes(heic))[b"meta"][4:]))
    properties = dict(boxes(dict(boxes(meta[b"iprp"]))[b"ipco"]))
    # heif-enc writes version 0, with a base offset and one extent per item, all of four bytes.
    base, _, offset, length = struct.unpack_from(">IHII", meta[b"iloc"], 12)
    start = base + offset
    return properties[b"hvcC"], heic[start:start + length]


def encode(tile: Path, quality: int) -> tuple[bytes, bytes]:
    """Encodes one tile."""
    coded = tile.with_suffix(".heic")
    subprocess.run(
        ["heif-enc", "-q", str(quality), "-p", "preset=ultrafast", str(tile), "-o", str(coded)],
        check=True, capture_output=True)
    try:
        return coded_tile(coded.read_bytes())
    finally:
        coded.unlink()


def write(path: Path, tiles: list[Path], columns: int, size: tuple[int, int], quality: int) -> None:
    """Encodes the tiles, given row by row, and writes them as one picture."""
    coded = [encode(tile, quality) for tile in tiles]
    configurations = {configuration for configuration, _ in coded}
    if len(configurations) != 1:
        raise ValueError("the tiles differ in their decoder configuration")
    count, rows = len(tiles), len(tiles) // columns
    grid = struct.pack(">BBBBII", 0, 1, rows - 1, columns - 1, *size)
    grid_item = count + 1

    def meta(first: int) -> bytes:
        """The item tables, for coded data at an offset in the file."""
        places, position = [], first
        for data in [*(data for _, data in coded), grid]:
            places.append((position, len(data)))
            position += len(data)
        locations = b"".join(
            struct.pack(">HHHHII", item, 0, 0, 1, *place)
            for item, place in enumerate(places, start=1))
        entries = b"".join(
            full_box(b"infe", 2, 1, struct.pack(">HH4s", item, 0, b"hvc1"), b"\0")
            for item in range(1, grid_item))
        entries += full_box(b"infe", 2, 0, struct.pack(">HH4s", grid_item, 0, b"grid"), b"\0")
        container = box(
            b"ipco", box(b"hvcC", configurations.copy().pop()),
            full_box(b"ispe", 0, 0, struct.pack(">II", TILE, TILE)),
            full_box(b"ispe", 0, 0, struct.pack(">II", *size)),
            full_box(b"pixi", 0, 0, bytes([3, 8, 8, 8])))
        # Property indices start at 1. The high bit marks essential properties.
        associations = b"".join(
            struct.pack(">HBBBB", item, 3, 0x81, 2, 4) for item in range(1, grid_item))
        associations += struct.pack(">HBBB", grid_item, 2, 3, 4)
        return full_box(
            b"meta", 0, 0,
            full_box(b"hdlr", 0, 0, struct.pack(">I4s12x", 0, b"pict"), b"\0"),
            full_box(b"pitm", 0, 0, struct.pack(">H", grid_item)),
            full_box(b"iloc", 1, 0, struct.pack(">BBH", 0x44, 0, grid_item), locations),
            full_box(b"iinf", 0, 0, struct.pack(">H", grid_item), entries),
            box(b"iprp", container,
                full_box(b"ipma", 0, 0, struct.pack(">I", grid_item), associations)),
            full_box(b"iref", 0, 0, box(
                b"dimg", struct.pack(">HH", grid_item, count),
                struct.pack(f">{count}H", *range(1, grid_item)))))

    head = box(b"ftyp", b"heic", struct.pack(">I", 0), b"mif1", b"heic")
    # Offsets have a fixed width, so the length of the tables does not depend on them.
    start = len(head) + len(meta(0)) + 8
    media = box(b"mdat", *(data for _, data in coded), grid)
    path.write_bytes(head + meta(start) + media)
