"""Writes animated AVIF files and an HEVC sequence into a folder, with the frames of avifdec or FFmpeg.

    write_sequences.py FOLDER

NAME.avif goes with NAME.raw: RGBA of all frames. The list of names, each with width, height and the
milliseconds of each frame, is printed. hevc.heics goes with hevc.raw, RGBA of its first frame.
"""

import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageDraw

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
movie = FOLDER / "movie.mp4"
run("ffmpeg", "-y", "-framerate", "10", "-i", FOLDER / "rgb%d.jpg", "-vf", "crop=160:96:0:0",
    "-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p", "-tag:v", "hvc1",
    movie)
data = bytearray(movie.read_bytes())
data[8:12] = b"hevc"
(FOLDER / "hevc.heics").write_bytes(data)
run("ffmpeg", "-y", "-i", movie, "-frames:v", "1", "-sws_flags", "neighbor+accurate_rnd",
    FOLDER / "frame.png")
(FOLDER / "hevc.raw").write_bytes(pixels(FOLDER / "frame.png"))
