"""Writes large animations with Pillow: FOLDER/large.gif of 120 frames and FOLDER/large.webp of 60, both
of 1080 by 1080 pixels, a ball that circles over a field of colours.

usage: write_large_animations.py FOLDER
"""

import sys

import numpy
from PIL import Image

SIDE = 1080
folder = sys.argv[1]
down, across = numpy.mgrid[0:SIDE, 0:SIDE]
rng = numpy.random.default_rng(7)
# 216 colours in a cube; the field covers them with noise, like a film.
palette = numpy.array(
    [(r * 51, g * 51, b * 51) for r in range(6) for g in range(6) for b in range(6)], numpy.uint8)
field = (across // 180 * 36 + down // 180 * 6 + (across + down) // 360).astype(numpy.uint8)


def frame(number, count):
    angle = 2 * numpy.pi * number / count
    middle = SIDE / 2 * (1 + 0.6 * numpy.array([numpy.cos(angle), numpy.sin(angle)]))
    ball = (across - middle[0]) ** 2 + (down - middle[1]) ** 2 < (SIDE / 6) ** 2
    noise = rng.integers(0, 2, (SIDE // 4, SIDE // 4), numpy.uint8).repeat(4, 0).repeat(4, 1)
    return numpy.where(ball, 180, (field + noise) % 216).astype(numpy.uint8)


def image(indices):
    made = Image.fromarray(indices, "P")
    made.putpalette(palette.tobytes())
    return made


frames = [image(frame(number, 120)) for number in range(120)]
frames[0].save(
    f"{folder}/large.gif", save_all=True, append_images=frames[1:], duration=50, loop=0,
    optimize=False)
frames = [image(frame(number, 60)).convert("RGB") for number in range(60)]
frames[0].save(
    f"{folder}/large.webp", save_all=True, append_images=frames[1:], duration=100, loop=0,
    quality=60, method=0)
