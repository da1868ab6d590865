"""Writes random animations of every kind, with the expected canvas after each frame.

This script composites the frames itself, without an animation decoder. Only single WebP frames are
decoded, with Pillow, which also encodes them.

usage: write_animations.py FOLDER

Prints one line per animation: file, width, height, frames, plays (0 means endless), and the frames'
delays in milliseconds as viewers show them. Writes the canvas after each frame to NAME.rgba.
"""

import io
import random
import struct
import sys
import zlib

import numpy
from PIL import Image

folder = sys.argv[1]


def over(pixels, below):
    """Composites pixels that are not premultiplied."""
    upper = pixels[..., 3:].astype(float) / 255
    lower = below[..., 3:].astype(float) / 255 * (1 - upper)
    total = upper + lower
    safe = numpy.where(total > 0, total, 1)
    colour = (pixels[..., :3] * upper + below[..., :3] * lower) / safe
    return numpy.concatenate([numpy.rint(colour), numpy.rint(total * 255)], -1).astype(numpy.uint8)


class Canvas:
    """Canvas of an animation, with its history."""

    def __init__(self, width, height):
        self.pixels = numpy.zeros((height, width, 4), numpy.uint8)
        self.shown = []
        self.undo = None

    def draw(self, left, top, pixels, blended, disposal):
        if self.undo:
            self.undo()
        # Clips to the canvas.
        pixels = pixels[: self.pixels.shape[0] - top, : self.pixels.shape[1] - left]
        rows = slice(top, top + pixels.shape[0])
        columns = slice(left, left + pixels.shape[1])
        before = self.pixels.copy()
        if blended:
            self.pixels[rows, columns] = over(pixels, self.pixels[rows, columns])
        else:
            self.pixels[rows, columns] = pixels
        self.shown.append(self.pixels.copy())
        if disposal == "background":
            self.undo = lambda: self.pixels.__setitem__((rows, columns), 0)
        elif disposal == "previous":
            self.undo = lambda: setattr(self, "pixels", before)
        else:
            self.undo = None


def finish(name, data, canvas, plays, delays):
    height, width = canvas.pixels.shape[:2]
    open(f"{folder}/{name}", "wb").write(data)
    open(f"{folder}/{name}.rgba", "wb").write(b"".join(x.tobytes() for x in canvas.shown))
    times = ",".join(str(delay) for delay in delays)
    print(name, width, height, len(canvas.shown), plays, times)


def rectangle(dice, width, height, even=False):
    left, top = dice.randrange(width), dice.randrange(height)
    if even:
        left, top = left // 2 * 2, top // 2 * 2
    if dice.random() < 0.4:
        left = top = 0
    return left, top, dice.randint(1, width - left), dice.randint(1, height - top)


# GIF


def lzw(indices, size):
    clear, end = 1 << size, (1 << size) + 1
    bits, count, output = 0, 0, bytearray()

    def emit(code, width):
        nonlocal bits, count
        bits |= code << count
        count += width
        while count >= 8:
            output.append(bits & 255)
            bits >>= 8
            count -= 8

    width, table = size + 1, {bytes([i]): i for i in range(clear)}
    emit(clear, width)
    next_code, prefix = end + 1, b""
    for index in indices:
        longer = prefix + bytes([index])
        if longer in table:
            prefix = longer
            continue
        emit(table[prefix], width)
        if next_code < 4096:
            table[longer] = next_code
            if next_code == 1 << width and width < 12:
                width += 1
            next_code += 1
        prefix = bytes([index])
    if prefix:
        emit(table[prefix], width)
        if next_code == 1 << width and width < 12:
            width += 1
    emit(end, width)
    if count:
        output.append(bits & 255)
    blocks = b""
    for start in range(0, len(output), 255):
        block = output[start : start + 255]
        blocks += bytes([len(block)]) + block
    return bytes([size]) + blocks + b"\0"


def table(colours):
    return b"".join(bytes(colour) for colour in colours)


def gif(seed):
    dice = random.Random(seed)
    numpy.random.seed(seed)
    width, height = dice.randint(1, 70), dice.randint(1, 50)
    size = dice.randint(2, 8)
    shared = [tuple(dice.randrange(256) for _ in range(3)) for _ in range(1 << size)]
    repeats = dice.choice([None, 0, 1, 2, 7, 65535])
    canvas, delays = Canvas(width, height), []
    data = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | (size - 1), dice.randrange(4), 0)
    data += table(shared)
    if repeats is not None:
        data += b"\x21\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", repeats) + b"\0"
    for number in range(dice.randint(2, 7)):
        left, top, across, down = rectangle(dice, width, height)
        if number and dice.random() < 0.2:
            across, down = across + 5, down + 9  # Beyond the screen.
        disposal = dice.randrange(4)
        transparent = dice.randrange(1 << size) if dice.random() < 0.6 else None
        delay = dice.choice([0, 1, 2, 3, 7, 10, 100])
        colours, flags = shared, 0
        if dice.random() < 0.4:
            colours = [tuple(dice.randrange(256) for _ in range(3)) for _ in range(1 << size)]
            flags |= 0x80 | (size - 1)
        if dice.random() < 0.4:
            flags |= 0x40
        indices = numpy.random.randint(0, 1 << size, (down, across))
        if dice.random() < 0.5:
            indices = numpy.repeat(indices[: (down + 3) // 4], 4, 0)[:down]
        if dice.random() < 0.8 or transparent is not None or disposal:
            packed = disposal << 2 | (transparent is not None)
            data += b"\x21\xf9\x04" + struct.pack("<BHBB", packed, delay, transparent or 0, 0)
        else:
            delay = 0
        if dice.random() < 0.2:
            data += b"\x21\xfe\x05hello\0"
        data += b"\x2c" + struct.pack("<HHHHB", left, top, across, down, flags)
        if flags & 0x80:
            data += table(colours)
        rows = range(down)
        if flags & 0x40:
            passes = [(0, 8), (4, 8), (2, 4), (1, 2)]
            rows = [row for start, step in passes for row in range(start, down, step)]
        data += lzw(indices[list(rows)].ravel().tolist(), size)
        opaque = numpy.array([colour + (255,) for colour in colours], numpy.uint8)
        if transparent is not None:
            opaque[transparent] = 0
        names = [None, None, "background", "previous"]
        canvas.draw(left, top, opaque[indices], True, names[disposal])
        delays.append(delay * 10 if delay > 1 else 100)
    plays = 1 if repeats is None else 0 if repeats == 0 else repeats + 1
    finish(f"{seed}.gif", data + b"\x3b", canvas, plays, delays)


# WebP


def picture(dice, width, height, alpha):
    pixels = numpy.random.randint(0, 256, (height, width, 4), dtype=numpy.uint8)
    image = Image.fromarray(pixels[: max(1, height // 4), : max(1, width // 4)])
    pixels = numpy.array(image.resize((width, height), Image.BILINEAR))
    kind = dice.randrange(3) if alpha else 3
    if kind == 0:
        pixels[..., 3] = numpy.where(pixels[..., 3] > 128, 255, 0)
    elif kind == 1:
        pixels[: height // 2, :, 3] = 0
    elif kind == 3:
        pixels[..., 3] = 255
    return pixels


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) & 1)


def webp(seed):
    dice = random.Random(seed)
    numpy.random.seed(seed)
    width, height = dice.randint(2, 90), dice.randint(2, 70)
    plays = dice.choice([0, 1, 3])
    canvas, delays, frames = Canvas(width, height), [], b""
    for _ in range(dice.randint(2, 6)):
        left, top, across, down = rectangle(dice, width, height, even=True)
        file = io.BytesIO()
        pixels = picture(dice, across, down, dice.random() < 0.6)
        mode = "RGBA" if (pixels[..., 3] < 255).any() else "RGB"
        Image.fromarray(pixels).convert(mode).save(
            file, "WEBP", lossless=dice.random() < 0.5, quality=80, exact=True)
        decoded = numpy.array(Image.open(io.BytesIO(file.getvalue())).convert("RGBA"))
        body = file.getvalue()[12:]
        parts = b""
        while body:
            length = struct.unpack("<I", body[4:8])[0]
            end = 8 + length + (length & 1)
            if body[:4] in (b"ALPH", b"VP8 ", b"VP8L"):
                parts += body[:end]
            body = body[end:]
        blended, cleared = dice.random() < 0.6, dice.random() < 0.4
        delay = dice.choice([0, 10, 11, 40, 300])
        frames += chunk(
            b"ANMF",
            struct.pack("<I", left // 2)[:3] + struct.pack("<I", top // 2)[:3]
            + struct.pack("<I", across - 1)[:3] + struct.pack("<I", down - 1)[:3]
            + struct.pack("<I", delay)[:3] + bytes([(not blended) << 1 | cleared]) + parts)
        if dice.random() < 0.2:
            frames += chunk(b"abcd", b"unknown")
        canvas.draw(left, top, decoded, blended, "background" if cleared else None)
        delays.append(delay if delay > 10 else 100)
    head = struct.pack("<I", 0x12) + struct.pack("<I", width - 1)[:3]
    body = b"WEBP" + chunk(b"VP8X", head + struct.pack("<I", height - 1)[:3])
    body += chunk(b"ANIM", struct.pack("<IH", 0xFF336699, plays)) + frames
    finish(f"{seed}.webp", b"RIFF" + struct.pack("<I", len(body)) + body, canvas, plays, delays)


# APNG


def png_chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def filtered(rows, unit, dice):
    """Filters rows with random types (PNG specification, 9.2)."""
    output, above = b"", bytes(len(rows[0])) if rows else b""
    for row in rows:
        kind = dice.randrange(5)
        line = bytearray([kind])
        for i, value in enumerate(row):
            a = row[i - unit] if i >= unit else 0
            b, c = above[i], above[i - unit] if i >= unit else 0
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line.append((value - [0, a, b, (a + b) // 2, near][kind]) & 255)
        output += bytes(line)
        above = row
    return output


def png_data(samples, depth, interlaced, dice):
    """Packs samples of any depth into rows, pass by pass."""
    height, width, bands = samples.shape
    passes = [(0, 1, 0, 1)]
    if interlaced:
        passes = [(0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
                  (0, 1, 1, 2)]
    data = b""
    for left, across, top, down in passes:
        part = samples[top::down, left::across]
        if part.size == 0:
            continue
        rows = []
        for row in part.reshape(part.shape[0], -1):
            bits = "".join(format(int(value), f"0{depth}b") for value in row)
            bits += "0" * (-len(bits) % 8)
            rows.append(bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)))
        data += filtered(rows, max(1, bands * depth // 8), dice)
    return zlib.compress(data)


def png_samples(dice, kind, depth, width, height, colours, transparency):
    """Returns random samples and their pixels."""
    bands = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    limit = len(colours) if kind == 3 else 1 << depth
    samples = numpy.random.randint(0, limit, (height, width, bands))
    pixels = numpy.zeros((height, width, 4), numpy.uint8)
    pixels[..., 3] = 255
    eight = samples >> 8 if depth == 16 else samples * 255 // ((1 << depth) - 1)
    if kind == 3:
        pixels[:] = numpy.array(colours, numpy.uint8)[samples[..., 0]]
    elif kind in (0, 4):
        pixels[..., :3] = eight[..., :1]
    else:
        pixels[..., :3] = eight[..., :3]
    if kind in (4, 6):
        pixels[..., 3] = eight[..., -1]
    if transparency is not None and kind in (0, 2):
        pixels[(samples == numpy.array(transparency)).all(-1), 3] = 0
    return samples, pixels


def apng(seed):
    dice = random.Random(seed)
    numpy.random.seed(seed)
    width, height = dice.randint(1, 40), dice.randint(1, 30)
    kind, depth = dice.choice([
        (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8),
        (4, 8), (4, 16), (6, 8), (6, 8), (6, 16)])
    interlaced = dice.random() < 0.4
    plays = dice.choice([0, 1, 4])
    colours = [tuple(dice.randrange(256) for _ in range(3)) + (dice.choice([0, 90, 255]),)
               for _ in range(min(1 << depth, 20))]
    transparency = None
    if kind in (0, 2) and dice.random() < 0.5:
        transparency = [dice.randrange(1 << min(depth, 3)) for _ in range(1 if kind == 0 else 3)]
    data = b"\x89PNG\r\n\x1a\n"
    data += png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced))
    count, hidden = dice.randint(2, 6), dice.random() < 0.3
    data += png_chunk(b"acTL", struct.pack(">II", count, plays))
    if kind == 3:
        data += png_chunk(b"PLTE", b"".join(bytes(colour[:3]) for colour in colours))
        data += png_chunk(b"tRNS", bytes(colour[3] for colour in colours))
    elif transparency:
        data += png_chunk(b"tRNS", b"".join(struct.pack(">H", key) for key in transparency))
    canvas, delays, sequence = Canvas(width, height), [], 0

    def split(name, packed):
        nonlocal sequence
        output, step = b"", max(1, len(packed) // dice.randint(1, 3))
        for start in range(0, len(packed), step):
            part = packed[start : start + step]
            if name == b"fdAT":
                part = struct.pack(">I", sequence) + part
                sequence += 1
            output += png_chunk(name, part)
        return output

    if hidden:
        samples, _ = png_samples(dice, kind, depth, width, height, colours, transparency)
        data += split(b"IDAT", png_data(samples, depth, interlaced, dice))
    for number in range(count):
        left, top, across, down = rectangle(dice, width, height)
        is_default = number == 0 and not hidden
        if is_default:
            left, top, across, down = 0, 0, width, height
        disposal, blended = dice.randrange(3), dice.randrange(2)
        delay = dice.choice([(0, 0), (1, 0), (1, 100), (3, 100), (40, 1000), (1, 2)])
        data += png_chunk(b"fcTL", struct.pack(
            ">IIIIIHHBB", sequence, across, down, left, top, *delay, disposal, blended))
        sequence += 1
        samples, pixels = png_samples(dice, kind, depth, across, down, colours, transparency)
        packed = png_data(samples, depth, interlaced, dice)
        data += split(b"IDAT" if is_default else b"fdAT", packed)
        canvas.draw(left, top, pixels, blended, [None, "background", "previous"][disposal])
        time = delay[0] * 1000 // (delay[1] or 100)
        delays.append(time if time > 10 else 100)
    finish(f"{seed}.png", data + png_chunk(b"IEND", b""), canvas, plays, delays)


# Films for size reduction. Every frame covers the canvas, so it equals the expected canvas.


def film(name, width, height, count, blank=0, sticker=False):
    numpy.random.seed(9)
    texture = Image.fromarray(numpy.random.randint(0, 256, (50, 50, 3), dtype=numpy.uint8))
    texture = numpy.array(texture.resize((2 * width, 2 * height), Image.BICUBIC)).astype(int)
    down, across = numpy.mgrid[0:height, 0:width]
    canvas, images = Canvas(width, height), []
    for number in range(count):
        # Blank frames differ, because the encoder merges equal ones.
        pixels = numpy.full((height, width, 4), 255 - 2 * number, numpy.uint8)
        pixels[..., 3] = 255
        if number >= blank:
            left = 2 * number % width
            part = texture[number % height :][:height, left : left + width]
            pixels[..., :3] = part * 6 // 10 + (across * 90 // width)[..., None]
            middle = width // 2 + int(width / 3 * numpy.sin(number / 3))
            ball = (across - middle) ** 2 + (down - height // 2) ** 2 < (height // 5) ** 2
            pixels[ball, :3] = (230, 40, 60)
            if sticker:
                pixels[~ball] = 0
        canvas.draw(0, 0, pixels, False, None)
        images.append(Image.fromarray(pixels))
    file = io.BytesIO()
    images[0].save(
        file, "WEBP", save_all=True, append_images=images[1:], duration=50, loop=0,
        lossless=True, exact=True, quality=10, method=0)
    finish(name, file.getvalue(), canvas, 0, [50] * count)


for seed in range(80):
    gif(seed)
for seed in range(50):
    webp(seed)
for seed in range(60):
    apng(seed)
film("film.webp", 320, 240, 24)
film("late.webp", 120, 90, 8, blank=3)
film("sticker.webp", 160, 120, 12, sticker=True)
