"""Colours that a file describes by tags in place of a profile, as an ICC profile.

PNG: cICP before sRGB before gAMA and cHRM (PNG specification, third edition, 4.3), each of which defaults to
sRGB; with its primaries, a gamma within 5 percent of 1/2.2 is sRGB (libpng). HEIF: `nclx`, if the file has no
profile. The code points follow ITU-T H.273. Transfers of standard video (1, 6, 14, 15) are taken as sRGB's, as
browsers do; transfers of high dynamic range (16, 18) are left to tone mapping.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np

D50 = (0.9642, 1.0, 0.8249)
BRADFORD = np.array([
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])

D65, C = (0.3127, 0.3290), (0.310, 0.316)
# White, red, green and blue (H.273, table 2).
BT709 = (D65, (0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
PRIMARIES = {
    1: BT709,
    4: (C, (0.670, 0.330), (0.210, 0.710), (0.140, 0.080)),
    5: (D65, (0.640, 0.330), (0.290, 0.600), (0.150, 0.060)),
    6: (D65, (0.630, 0.340), (0.310, 0.595), (0.155, 0.070)),
    7: (D65, (0.630, 0.340), (0.310, 0.595), (0.155, 0.070)),
    8: (C, (0.681, 0.319), (0.243, 0.692), (0.145, 0.049)),
    9: (D65, (0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    11: ((0.314, 0.351), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),
    12: (D65, (0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),
    22: (D65, (0.630, 0.340), (0.295, 0.605), (0.155, 0.077)),
}


def srgb(level: np.ndarray) -> np.ndarray:
    """The light of samples of sRGB (IEC 61966-2-1)."""
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)


# The light of samples (H.273, table 3, inverted).
TRANSFERS = {
    **{code: srgb for code in (1, 2, 6, 11, 12, 13, 14, 15)},
    4: lambda level: level ** 2.2,
    5: lambda level: level ** 2.8,
    7: lambda level: np.where(level < 0.0912, level / 4, ((level + 0.1115) / 1.1115) ** (1 / 0.45)),
    8: lambda level: level,
    9: lambda level: np.where(level > 0, 10 ** (2 * (level - 1)), 0),
    10: lambda level: np.where(level > 0, 10 ** (2.5 * (level - 1)), 0),
    17: lambda level: np.minimum(level ** 2.6 * 52.37 / 48, 1),
}


def xyz(point) -> np.ndarray:
    """A chromaticity with luminance 1."""
    x, y = point
    return np.array([x / y, 1, (1 - x - y) / y])


def colorants(chromaticities) -> np.ndarray:
    """The columns of red, green and blue in XYZ under D50 (Bradford)."""
    white, *primaries = (xyz(point) for point in chromaticities)
    columns = np.stack(primaries, axis=1)
    columns = columns * np.linalg.solve(columns, white)
    gain = np.diag((BRADFORD @ np.array(D50)) / (BRADFORD @ white))
    return np.linalg.inv(BRADFORD) @ gain @ BRADFORD @ columns


def curve(light) -> bytes:
    """A `curv` element of 1,024 entries."""
    linear = light(np.linspace(0, 1, 1024))
    return b"curv\0\0\0\0" + struct.pack(">I", 1024) + np.rint(linear * 65535).astype(">u2").tobytes()


def profile(chromaticities, light, is_grey: bool = False) -> bytes:
    """An ICC profile, version 2.1, of three primaries and a curve, or for grey of a curve."""
    fixed = lambda values: b"XYZ \0\0\0\0" + b"".join(  # noqa: E731
        struct.pack(">i", round(value * 65536)) for value in values)
    columns = colorants(chromaticities)
    text = b"desc\0\0\0\0" + struct.pack(">I", 5) + b"tags\0" + bytes(8 + 3 + 67)
    elements = {b"desc": text, b"cprt": b"text\0\0\0\0none\0", b"wtpt": fixed(D50)}
    if is_grey:
        elements[b"kTRC"] = curve(light)
    else:
        elements |= {
            b"rXYZ": fixed(columns[:, 0]), b"gXYZ": fixed(columns[:, 1]),
            b"bXYZ": fixed(columns[:, 2]),
            b"rTRC": curve(light), b"gTRC": curve(light), b"bTRC": curve(light)}
    table, body = b"", b""
    start = 128 + 4 + 12 * len(elements)
    for name, element in elements.items():
        table += name + struct.pack(">II", start + len(body), len(element))
        body += element + bytes(-len(element) % 4)
    header = struct.pack(
        ">I4sI4s4s4s12s4s4sIIIII12s", start + len(body), bytes(4), 0x02100000, b"mntr",
        b"GRAY" if is_grey else b"RGB ", b"XYZ ", bytes(12), b"acsp", bytes(4), 0, 0, 0, 0, 0,
        b"".join(struct.pack(">i", round(value * 65536)) for value in D50))
    return header + bytes(128 - len(header)) + struct.pack(">I", len(elements)) + table + body


def of_code_points(primaries: int, transfer: int, is_grey: bool = False) -> bytes | None:
    """The profile of code points; None for sRGB's, for unspecified ones, and for tone mapping."""
    light = TRANSFERS.get(transfer)
    if light is None or ((is_grey or primaries in (1, 2)) and light == srgb):
        return None
    return profile(PRIMARIES.get(primaries, BT709), light, is_grey)


def of_png(path: Path, is_grey: bool = False) -> bytes | None:
    """The profile that the chunks before the image data of a PNG describe."""
    data = path.read_bytes()
    chunks, offset = {}, 8
    while offset + 8 <= len(data):
        length, name = struct.unpack(">I4s", data[offset:offset + 8])
        if name in (b"IDAT", b"PLTE"):
            break
        chunks.setdefault(name, data[offset + 8:offset + 8 + length])
        offset += 12 + length
    if len(chunks.get(b"cICP", b"")) == 4:
        return of_code_points(chunks[b"cICP"][0], chunks[b"cICP"][1], is_grey)
    if b"sRGB" in chunks or b"iCCP" in chunks:
        return None
    light, chromaticities, gamma = srgb, BT709, None
    if len(chunks.get(b"gAMA", b"")) == 4:
        gamma = max(1, struct.unpack(">I", chunks[b"gAMA"])[0]) / 100_000
    if len(chunks.get(b"cHRM", b"")) == 32 and not is_grey:
        values = [value / 100_000 for value in struct.unpack(">8I", chunks[b"cHRM"])]
        if not np.allclose(values, np.ravel(BT709), atol=0.00101):
            chromaticities = tuple(zip(values[::2], values[1::2]))
    if gamma and (chromaticities != BT709 or abs(2.2 * gamma - 1) > 0.05):
        light = lambda level: level ** (1 / gamma)  # noqa: E731
    if light == srgb and chromaticities == BT709:
        return None
    return profile(chromaticities, light, is_grey)


def of_heif(path: Path, is_grey: bool = False) -> bytes | None:
    """The profile of the first `nclx` of a HEIF file without an embedded profile."""
    data = path.read_bytes()
    if re.search(rb"colr(prof|rICC)", data):
        return None
    found = re.search(rb"colrnclx(....)", data, re.DOTALL)
    return of_code_points(*struct.unpack(">HH", found[1]), is_grey) if found else None
