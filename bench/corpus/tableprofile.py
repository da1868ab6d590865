"""Writes ICC profiles whose conversion is a table of bytes (mft1, ICC.1:2010, 10.9), as scanners and presses do."""

from __future__ import annotations

import struct


def write(space: bytes, kind: bytes, steps: int, colours: bytes) -> bytes:
    """A profile of a space, such as `RGB `, with a table to Lab.

    `colours` are three bytes for each combination of `steps` levels a sample, the last sample the fastest.
    """
    samples = len(space.strip())
    assert len(colours) == 3 * steps ** samples
    identity = struct.pack(">9i", *(65536 if i % 4 == 0 else 0 for i in range(9)))
    ramp = bytes(range(256))
    table = b"mft1\0\0\0\0" + bytes([samples, 3, steps, 0]) + identity + ramp * samples + colours + ramp * 3
    header = struct.pack(
        ">I4sI4s4s4s12s4s4sI4sIQI12s48s", 128 + 16 + len(table), b"\0\0\0\0", 0x02400000, kind, space, b"Lab ",
        b"", b"acsp", b"\0\0\0\0", 0, b"\0\0\0\0", 0, 0, 0, struct.pack(">3i", 63190, 65536, 54061), b"")
    return header + struct.pack(">I4sII", 1, b"A2B0", 144, len(table)) + table


def large_rgb() -> bytes:
    """A profile of RGB with 100 steps, 3 MB: lightness by the mean of the samples, hues by their differences."""
    steps = 100
    levels = [255 * level // (steps - 1) for level in range(steps)]
    colours = bytearray()
    for red in levels:
        for green in levels:
            for blue in levels:
                colours += bytes([
                    (red + green + blue) // 3, 128 + (red - green) // 4, 128 + (green - blue) // 4])
    return write(b"RGB ", b"scnr", steps, bytes(colours))
