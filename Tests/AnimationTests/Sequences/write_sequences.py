"""Writes image sequences coded in AV1 and HEVC into a folder, with the frames of avifdec or FFmpeg.

    write_sequences.py FOLDER

NAME.avif or NAME.heics goes with NAME.raw: RGBA of all frames. The list of names, each with width, height and
the milliseconds of each frame, is printed.
"""

import copy
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageDraw

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[3] / "bench/corpus"))
import heifsequence  # noqa: E402
import longterm  # noqa: E402

FOLDER = Path(sys.argv[1])
SIZE = (161, 97)
DURATIONS = (70, 200, 70, 30, 120)
RECIPES = {
    "lossless": (["--lossless"], "rgb"),
    "alpha": (["-y", "444"], "rgba"),
    "premultiplied": (["-y", "444", "--premultiply"], "rgba"),
    "10-bit": (["-y", "420", "-d", "10"], "rgb"),
    "limited": (["-y", "420", "-r", "limited"], "rgb"),
    "12-bit": (["-y", "444", "-d", "12"], "rgba"),
    "grey": (["-y", "400"], "rgb"),
    "grain": (["-y", "420", "-a", "film-grain-test=3"], "rgb"),
    "key-frames": (["-y", "420", "--keyframe", "2"], "rgb"),
}

HEVC_SIZE = (160, 96)
HEVC_DURATIONS = [70, 200, 70, 30, 120, 90, 40, 60, 110]
LONG_TERM = "keyint=60:scenecut=0:bframes=0:ref=1:temporal-mvp=0:weightp=0:log2-max-poc-lsb=7"
INTER = "keyint=60:scenecut=0:bframes=4:b-adapt=0:ref=4"
HEVC_RECIPES = {
    # Pixel format, parameters of x265, and whether there is alpha.
    "hevc-intra": ("yuv420p", "keyint=1", False),
    "hevc-inter": ("yuv420p", INTER, False),
    "hevc-open": ("yuv420p", "keyint=4:min-keyint=4:open-gop=1:scenecut=0:bframes=2:b-adapt=0", False),
    "hevc-444": ("yuv444p", INTER, False),
    "hevc-422": ("yuv422p", INTER, False),
    "hevc-10-bit": ("yuv420p10le", INTER, False),
    "hevc-grey": ("gray", INTER, False),
    "hevc-wide": ("yuv420p", INTER + ":range=full", False),
    "hevc-alpha": ("yuv420p", INTER, True),
    "hevc-premultiplied": ("yuv420p", INTER, True),
    "hevc-still": ("yuv420p", "keyint=1", False),
    "hevc-in-band": ("yuv420p", "keyint=4:min-keyint=4:scenecut=0:bframes=2:b-adapt=0", False),
    "hevc-long-term": ("yuv420p", LONG_TERM, False),
    # With a worker thread for sample adaptive offset.
    "hevc-large": ("yuv420p", INTER, False),
}


def run(*command):
    subprocess.run([str(word) for word in command], check=True, capture_output=True)


def frames():
    """Frames in which a rectangle moves over a gradient, opaque and with a transparent circle."""
    gradient = Image.radial_gradient("L").resize(SIZE)
    for number in range(len(DURATIONS)):
        picture = Image.merge("RGB", (gradient, gradient.transpose(Image.FLIP_LEFT_RIGHT),
                                      Image.new("L", SIZE, 40 * number)))
        ImageDraw.Draw(picture).rectangle((10 + number * 15, 20, 40 + number * 15, 60), "orange")
        # avifenc writes a track of alpha for opaque PNG too.
        picture.save(FOLDER / f"rgb{number}.jpg", quality=98, subsampling=0)
        alpha = Image.new("L", SIZE, 255)
        ImageDraw.Draw(alpha).ellipse((10 * number, 0, 10 * number + 60, 60), 60 * number)
        picture.putalpha(alpha)
        picture.save(FOLDER / f"rgba{number}.png")


def pixels(path):
    with Image.open(path) as picture:
        return picture.convert("RGBA").tobytes()


def hevc_frames(size):
    """Frames whose colours tell their order, and masks."""
    count = len(HEVC_DURATIONS)
    gradient = Image.linear_gradient("L").resize(size)
    for number in range(count):
        level = 255 * number // (count - 1)
        picture = Image.merge("RGB", (gradient.point(lambda value: value // 2 + 60),
                                      Image.new("L", size, 255 - level), Image.new("L", size, level)))
        ImageDraw.Draw(picture).rectangle((10 + number * 12, 20, 40 + number * 12, 60), "orange")
        picture.save(FOLDER / f"hevc{number}.png")
        mask = Image.new("L", size, 255 - level // 2)
        ImageDraw.Draw(mask).ellipse((10 * number, 0, 10 * number + 60, 60), 40)
        mask.save(FOLDER / f"mask{number}.png")


def reference(track, pixels):
    """The frames as FFmpeg decodes them."""
    path = FOLDER / "decoded.heics"
    heifsequence.write(path, track, [100] * len(track.samples))
    data = bytearray(path.read_bytes())
    # FFmpeg knows movies, and its demuxer reads no sequence of pictures.
    data[:28] = data[:28].replace(b"hevc", b"isom").replace(b"msf1", b"isom")
    path.write_bytes(data.replace(b"pict", b"vide", 1))
    raw = FOLDER / "decoded.raw"
    run("ffmpeg", "-y", "-i", path, "-vsync", "0", "-sws_flags", "neighbor+accurate_rnd+full_chroma_int",
        "-pix_fmt", pixels, "-f", "rawvideo", raw)
    return raw.read_bytes()


def write_absurd(coded):
    """Files whose first sample has thousands of parameter sets, and a set of a megabyte."""
    first = heifsequence.nal_units(coded.samples[0])
    sets = [first[1] + bytes([1 + number >> 8 & 127, number & 255]) for number in range(5_000)]
    for name, units in (("many", sets), ("long", [first[1][:2] + bytes(1 << 20)])):
        hostile = copy.copy(coded)
        hostile.samples = [heifsequence.sample(units + first), *coded.samples[1:]]
        heifsequence.write(FOLDER / f"hevc-{name}-sets.heics", hostile, HEVC_DURATIONS)


def write_hevc():
    for name, (pixel_format, parameters, has_alpha) in HEVC_RECIPES.items():
        size = (960, 640) if name == "hevc-large" else HEVC_SIZE
        if name in ("hevc-intra", "hevc-large"):
            hevc_frames(size)
        pattern = FOLDER / "hevc%d.png"
        colour = heifsequence.encode(pattern, pixel_format, parameters)
        if name == "hevc-long-term":
            colour = longterm.rewrite(colour, [[0], [0, 1], [0, 1], [1, 0], *[[0, 4]] * 4])
        if name == "hevc-in-band":
            colour = heifsequence.in_band(colour)
        alpha = heifsequence.encode(FOLDER / "mask%d.png", "gray", parameters) if has_alpha else None
        heifsequence.write(
            FOLDER / f"{name}.heics", colour, HEVC_DURATIONS, alpha,
            is_premultiplied=name == "hevc-premultiplied", has_still=name == "hevc-still")
        frames = bytearray(reference(colour, "rgba"))
        if alpha:
            frames[3::4] = reference(alpha, "gray")
        if name == "hevc-premultiplied":
            for band in range(3):
                frames[band::4] = bytes(
                    min(255, (colour * 255 + opacity // 2) // opacity) if opacity else colour
                    for colour, opacity in zip(frames[band::4], frames[3::4]))
        (FOLDER / f"{name}.raw").write_bytes(frames)
        print(name, *size, *HEVC_DURATIONS)
        if name in ("hevc-intra", "hevc-inter"):
            # The edit ends within the fourth frame.
            heifsequence.write(FOLDER / f"{name}-cut.heics", colour, HEVC_DURATIONS, edit=355)
            (FOLDER / f"{name}-cut.raw").write_bytes(frames[:4 * 4 * size[0] * size[1]])
            print(f"{name}-cut", *size, *HEVC_DURATIONS[:3], 15)
        if name == "hevc-in-band":
            write_absurd(colour)


frames()
for name, (options, source) in RECIPES.items():
    path = FOLDER / f"{name}.avif"
    suffix = "png" if source == "rgba" else "jpg"
    inputs = []
    for number, duration in enumerate(DURATIONS):
        inputs += ["--duration", duration, FOLDER / f"{source}{number}.{suffix}"]
    run("avifenc", "-s", "9", "--timescale", "1000", *options, *inputs, path)
    decoded = b""
    for number in range(len(DURATIONS)):
        frame = FOLDER / "frame.png"
        run("avifdec", "-d", "8", "-u", "nearest", "--index", number, path, frame)
        decoded += pixels(frame)
    (FOLDER / f"{name}.raw").write_bytes(decoded)
    print(name, *SIZE, *DURATIONS)
write_hevc()
