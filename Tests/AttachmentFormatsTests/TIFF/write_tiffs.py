"""Writes a matrix of small TIFF files into a folder, each with libvips' result.

    write_tiffs.py FOLDER

NAME.tif goes with NAME.raw: interleaved samples, 16 bits in the machine's order. The list of names,
each with width, height, bands and bytes a sample, is printed. refused-NAME.tif is what our decoder
leaves to libvips.
"""

import concurrent.futures
import io
import itertools
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy
from PIL import Image

FOLDER = Path(sys.argv[1])
NONE, LZW, JPEG, DEFLATE, PACKBITS = 1, 5, 7, 8, 32773
# Of an extra sample (TIFF 6.0, ExtraSamples).
UNSPECIFIED = 0
WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, PALETTE, CMYK, YCBCR = 0, 1, 2, 3, 5, 6


def packbits(data):
    pieces = [data[at : at + 128] for at in range(0, len(data), 128)]
    return b"".join(bytes([len(piece) - 1]) + piece for piece in pieces)


def lzw(data):
    """Nine-bit codes only: the table is cleared before codes grow (TIFF 6.0, section 13)."""
    codes = []
    for at in range(0, len(data), 250):
        codes += [256, *data[at : at + 250]]
    codes += [257]
    bits = "".join(f"{code:09b}" for code in codes)
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def differences(rows):
    """Horizontal differencing (TIFF 6.0, section 14) over (rows, pixels, samples)."""
    result = rows.copy()
    result[:, 1:] -= rows[:, :-1]
    return result


class Writer:
    """A TIFF file of one directory."""

    def __init__(self, order="<", big=False):
        self.order, self.big = order, big
        self.data = bytearray()
        self.tags = {}
        mark = b"II" if order == "<" else b"MM"
        self.data += mark + struct.pack(order + ("HHHQ" if big else "HI"), *((43, 8, 0, 0) if big else (42, 0)))

    def append(self, block):
        self.data += b"\0" * (len(self.data) % 2)
        at = len(self.data)
        self.data += block
        return at

    def write(self, path):
        word = "Q" if self.big else "I"
        room = 8 if self.big else 4
        codes = {1: "B", 2: "B", 3: "H", 4: "I", 7: "B", 16: "Q"}
        entries = b""
        for tag, (kind, values) in sorted(self.tags.items()):
            block = struct.pack(f"{self.order}{len(values)}{codes[kind]}", *values)
            field = (
                block.ljust(room, b"\0")
                if len(block) <= room
                else struct.pack(self.order + word, self.append(block))
            )
            entries += struct.pack(self.order + "HH" + word, tag, kind, len(values)) + field
        count = struct.pack(self.order + ("Q" if self.big else "H"), len(self.tags))
        at = self.append(count + entries + b"\0" * room)
        struct.pack_into(self.order + word, self.data, 8 if self.big else 4, at)
        path.write_bytes(self.data)


def jpeg(piece, subsampling, progressive):
    mode = {1: "L", 3: "RGB", 4: "CMYK"}[piece.shape[2]]
    image = Image.fromarray(piece[:, :, 0] if mode == "L" else piece, mode)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=80, subsampling=subsampling, progressive=progressive)
    return file.getvalue()


def encode(piece, options):
    """The bytes of a strip or tile: (rows, pixels, samples), or packed bytes of rows."""
    compression = options["compression"]
    if compression == JPEG:
        return jpeg(piece, options["subsampling"], options["progressive"])
    if piece.ndim == 3:
        if options["predictor"] == 2:
            piece = differences(piece)
        piece = piece.astype(piece.dtype.newbyteorder(options["order"]))
    data = piece.tobytes()
    if compression == PACKBITS:
        width = len(data) // piece.shape[0]
        data = b"".join(packbits(data[at : at + width]) for at in range(0, len(data), width))
    elif compression == LZW:
        data = lzw(data)
    elif compression == DEFLATE:
        data = zlib.compress(data, 6)
    if options["fill_order"] == 2:
        data = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
    return data


def pad(piece, height, width):
    edges = [(0, height - piece.shape[0]), (0, width - piece.shape[1])] + [(0, 0)] * (piece.ndim - 2)
    return numpy.pad(piece, edges, mode="edge")


def write(
    path, pixels, photometric, bits=8, order="<", big=False, compression=NONE, predictor=1,
    fill_order=1, rows=None, tile=None, separate=False, extra=None, colours=None, profile=None,
    subsampling=0, progressive=False, tags={},
):
    """Writes (height, width, samples); `bits` below 8 packs the first sample."""
    options = locals()
    height, width, samples = pixels.shape
    writer = Writer(order, big)
    rows = rows or height
    planes = [pixels[:, :, [plane]] for plane in range(samples)] if separate else [pixels]
    if tile:
        across, down = tile
        corners = list(itertools.product(range(0, height, down), range(0, width, across)))
        pieces = [pad(pixels[y : y + down, x : x + across], down, across) for y, x in corners]
    else:
        pieces = [plane[y : y + rows] for plane in planes for y in range(0, height, rows)]
    if bits < 8:
        pieces = [pack(piece[:, :, 0], bits) for piece in pieces]
    blocks = [encode(piece, options) for piece in pieces]
    offsets = [writer.append(block) for block in blocks]
    long = 16 if big else 4
    writer.tags = {
        256: (4, [width]), 257: (4, [height]), 258: (3, [bits] * samples), 259: (3, [compression]),
        262: (3, [photometric]), 277: (3, [samples]), 284: (3, [2 if separate else 1]),
    }
    if tile:
        writer.tags |= {322: (3, [tile[0]]), 323: (3, [tile[1]]), 324: (long, offsets)}
        writer.tags[325] = (long, [len(block) for block in blocks])
    else:
        writer.tags |= {273: (long, offsets), 278: (4, [rows])}
        writer.tags[279] = (long, [len(block) for block in blocks])
    if fill_order == 2:
        writer.tags[266] = (3, [2])
    if predictor == 2:
        writer.tags[317] = (3, [2])
    if extra is not None:
        writer.tags[338] = (3, [extra])
    if colours is not None:
        writer.tags[320] = (3, [int(value) for value in colours.flatten()])
    if profile:
        writer.tags[34675] = (7, profile)
    if photometric == YCBCR:
        factors = {0: (1, 1), 1: (2, 1), 2: (2, 2)}[subsampling]
        writer.tags[530] = (3, factors)
    writer.tags |= tags
    writer.write(path)


def pack(values, bits):
    """Rows of values of a few bits, the first in the highest."""
    per_byte = 8 // bits
    values = numpy.pad(values, [(0, 0), (0, -values.shape[1] % per_byte)])
    packed = numpy.zeros((values.shape[0], values.shape[1] // per_byte), numpy.uint8)
    for index in range(per_byte):
        packed |= (values[:, index::per_byte] << (8 - bits * (index + 1))).astype(numpy.uint8)
    return packed


class Matrix:
    """Files in groups, each decoded by libvips in one run."""

    def __init__(self):
        self.random = numpy.random.default_rng(7)
        self.groups = {}

    def noise(self, size, samples, bits):
        """Noise over a gradient; an alpha sample has all values, including zero."""
        width, height = size
        kind = numpy.uint16 if bits == 16 else numpy.uint8
        return self.random.integers(0, 1 << bits, (height, width, samples), kind)

    def add(self, size, bands, bits, pixels, *arguments, **options):
        group = self.groups.setdefault((size, bands, 2 if bits == 16 else 1), [])
        name = f"{size[0]}x{size[1]}-{bands}-{bits}-{len(group)}"
        group.append(name)
        write(FOLDER / f"{name}.tif", pixels, *arguments, bits=bits, **options)
        same = dict(options)
        if options.get("separate") and bands == 2:
            # libvips 8.14 mixes up the rows of grey with alpha in separate planes.
            same["separate"] = False
        if options.get("extra") == UNSPECIFIED:
            # libvips keeps an unspecified sample as a band; Pillow and browsers drop it.
            same["extra"] = None
        if same != options:
            write(FOLDER / f"{name}.same.tif", pixels[:, :, :bands], *arguments, bits=bits, **same)

    def add_saved(self, size, bands, image, **options):
        """A file that Pillow writes, by libtiff."""
        group = self.groups.setdefault((size, bands, 1), [])
        name = f"{size[0]}x{size[1]}-{bands}-saved-{len(group)}"
        group.append(name)
        image.save(FOLDER / f"{name}.tif", **options)


def fill(matrix):
    sizes = [(1, 1), (7, 5), (33, 19), (130, 150)]
    kinds = [
        (BLACK_IS_ZERO, 1, None), (WHITE_IS_ZERO, 1, None), (BLACK_IS_ZERO, 2, 2),
        (WHITE_IS_ZERO, 2, 1), (BLACK_IS_ZERO, 2, 1), (RGB, 3, None), (RGB, 4, 2), (RGB, 4, 1),
        (RGB, 4, UNSPECIFIED), (RGB, 4, None), (CMYK, 4, None),
    ]
    layouts = [
        dict(), dict(rows=3), dict(rows=1, order=">"), dict(tile=(16, 16)),
        dict(tile=(48, 32), order=">", big=True), dict(separate=True, rows=4),
        dict(separate=True, order=">"), dict(big=True, rows=130),
    ]
    codings = [
        dict(), dict(compression=DEFLATE), dict(compression=DEFLATE, predictor=2),
        dict(compression=PACKBITS), dict(compression=LZW, predictor=2), dict(compression=LZW),
        dict(fill_order=2), dict(compression=PACKBITS, fill_order=2),
    ]
    turn = 0
    for size, (photometric, samples, extra) in itertools.product(sizes, kinds):
        for bits, layout in itertools.product([8, 16], layouts):
            turn += 1
            # This writer is slow for long LZW rows.
            coding = codings[turn % (len(codings) if size[1] < 150 else 4)]
            pixels = matrix.noise(size, samples, bits)
            bands = samples - 1 if extra == UNSPECIFIED else samples
            matrix.add(
                size, bands, bits, pixels, photometric, extra=extra, **layout, **coding)
    narrow(matrix, sizes, layouts[:5], codings)
    lossy(matrix, sizes[1:])
    large(matrix)


def narrow(matrix, sizes, layouts, codings):
    """Samples of a few bits, palettes, and fax codings."""
    turn = 0
    for size, bits, layout in itertools.product(sizes, [1, 2, 4, 8], layouts):
        turn += 1
        coding = {"predictor": 1} | codings[turn % 4]
        coding["predictor"] = 1
        pixels = matrix.noise(size, 1, bits)
        if bits < 8:
            for photometric in (BLACK_IS_ZERO, WHITE_IS_ZERO):
                matrix.add(size, 1, bits, pixels, photometric, **layout, **coding)
        colours = matrix.random.integers(0, 65536, (3, 1 << bits))
        matrix.add(size, 3, bits, pixels, PALETTE, colours=colours, **layout, **coding)
        colours = matrix.random.integers(0, 256, (3, 1 << bits))
        matrix.add(size, 3, bits, pixels, PALETTE, colours=colours, **layout, **coding)
        greys = numpy.tile(matrix.random.integers(0, 65536, 1 << bits), (3, 1))
        matrix.add(size, 1, bits, pixels, PALETTE, colours=greys, **layout, **coding)
    for size, coding in itertools.product(sizes, ["group3", "group4", "tiff_ccitt"]):
        image = Image.fromarray(matrix.noise(size, 1, 8)[:, :, 0]).convert("1")
        matrix.add_saved(size, 1, image, compression=coding)


def lossy(matrix, sizes):
    """JPEG strips and tiles with their own tables, and Pillow's with tables in a tag."""
    for size in sizes:
        smooth = numpy.add.outer(numpy.arange(size[1]), numpy.arange(size[0])).astype(numpy.uint8)
        for samples, photometric in [(1, BLACK_IS_ZERO), (1, WHITE_IS_ZERO), (3, YCBCR), (4, CMYK)]:
            pixels = matrix.noise(size, samples, 8) // 4 + smooth[:, :, None] // 2
            for layout in [dict(), dict(rows=16), dict(tile=(16, 16)), dict(tile=(48, 32))]:
                for subsampling in (0, 1, 2) if photometric == YCBCR else (0,):
                    matrix.add(
                        size, samples, 8, pixels, photometric, compression=JPEG,
                        subsampling=subsampling, **layout)
        for mode, bands in [("L", 1), ("RGB", 3)]:
            image = Image.fromarray(matrix.noise(size, 3, 8), "RGB").convert(mode)
            matrix.add_saved(size, bands, image, compression="jpeg")


def large(matrix):
    """Strips, tiles and compressed bytes in scratch files."""
    size = (1500, 400)
    for layout in [
        dict(), dict(rows=128), dict(rows=129), dict(tile=(512, 512)), dict(tile=(1504, 208)),
        dict(separate=True),
    ]:
        for coding in [dict(), dict(compression=DEFLATE, predictor=2), dict(compression=PACKBITS)]:
            pixels = matrix.noise(size, 3, 8)
            matrix.add(size, 3, 8, pixels, RGB, profile=bytes(range(200)), **layout, **coding)


def write_refused(matrix):
    """Valid files that libvips cannot decode, or only in unbounded memory."""

    def add(name, samples, photometric, bits=8, **options):
        pixels = matrix.noise((33, 19), samples, bits)
        write(FOLDER / f"refused-{name}.tif", pixels, photometric, bits=bits, **options)

    add("progressive", 3, YCBCR, compression=JPEG, progressive=True)
    add("signed", 1, BLACK_IS_ZERO, tags={339: (3, [2])})
    add("half-floats", 1, BLACK_IS_ZERO, bits=16, tags={339: (3, [3])})
    add("lab-in-jpeg", 3, 8, compression=JPEG)
    add("premultiplied-lab", 4, 8, extra=1)
    add("ycbcr-without-jpeg", 3, YCBCR)
    add("five-samples", 5, RGB)
    add("cmyk-and-alpha", 5, CMYK, extra=2)
    add("inks", 4, CMYK, tags={332: (3, [2])})
    add("16-bit-palette", 1, PALETTE, bits=16, colours=numpy.zeros((3, 1 << 16)))
    add("palette-and-alpha", 2, PALETTE, extra=2, colours=numpy.arange(768).reshape(3, 256))
    add("alpha-first", 4, RGB, tags={338: (3, [1, 0])})
    for number in [6, 32809, 34661, 34676, 34712, 34887, 34925, 50000, 50001, 65000]:
        add(f"compression-{number}", 1, BLACK_IS_ZERO, tags={259: (3, [number])})


def decode(group):
    """Decodes files of one size and kind with libvips, joined vertically."""
    (size, bands, sample_bytes), names = group
    joined = FOLDER / f"{size[0]}x{size[1]}-{bands}-{sample_bytes}.raw"
    paths = [FOLDER / f"{name}.same.tif" for name in names]
    paths = [path if path.exists() else path.with_suffix("").with_suffix(".tif") for path in paths]
    files = " ".join(map(str, paths))
    subprocess.run(
        ["vips", "arrayjoin", files, str(joined), "--across", "1"], check=True,
        stderr=subprocess.PIPE)
    data = joined.read_bytes()
    length = size[0] * size[1] * bands * sample_bytes
    assert len(data) == length * len(names), (group, len(data), length * len(names))
    for index, name in enumerate(names):
        (FOLDER / f"{name}.raw").write_bytes(data[index * length : (index + 1) * length])
    joined.unlink()
    return [f"{name} {size[0]} {size[1]} {bands} {sample_bytes}" for name in names]


matrix = Matrix()
fill(matrix)
write_refused(matrix)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for lines in pool.map(decode, matrix.groups.items()):
        print("\n".join(lines))
