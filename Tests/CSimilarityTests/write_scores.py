"""Prints the cases of ReferenceScoreTests.swift: scores of generated pictures by ssimulacra2 0.3.0.

    pip install ssimulacra2==0.3.0 pillow numpy
    python3 write_scores.py
"""

import os
import tempfile

import numpy as np
from PIL import Image
from ssimulacra2 import compute_ssimulacra2

SIZES = [(8, 8), (9, 17), (16, 15), (33, 65), (100, 64), (257, 190), (320, 240)]
DISTORTIONS = ["coarse", "noisy", "shifted", "blocks"]


def original(width, height):
    """Gradients, a checked disc, and texture that depends on the position."""
    y, x = np.mgrid[0:height, 0:width]
    texture = (x * 73 + y * 151 + x * y * 7) % 41
    red = (255 * x // max(1, width - 1)) * 3 // 4 + texture
    green = (255 * y // max(1, height - 1)) * 3 // 4 + texture
    blue = (x * 5 + y * 3) % 256
    centre = (2 * x - width) ** 2 + (2 * y - height) ** 2
    disc = centre < (min(width, height) * 3 // 4) ** 2
    checked = np.where((x // 4 + y // 4) % 2 == 0, 20, 230)
    bands = [np.where(disc, checked, band) for band in (red, green, blue)]
    return np.clip(np.stack(bands, axis=2), 0, 255).astype(np.uint8)


def distorted(picture, name):
    """The picture with a loss of one kind."""
    samples = picture.astype(np.int64)
    height, width, _ = picture.shape
    y, x = np.mgrid[0:height, 0:width]
    if name == "coarse":
        samples = samples // 24 * 24 + 12
    elif name == "noisy":
        samples = samples + ((x * 37 + y * 101) % 17 - 8)[:, :, None]
    elif name == "shifted":
        samples = samples[:, np.minimum(x[0] + 1, width - 1)]
    elif name == "blocks":
        samples = samples[y // 4 * 4, x // 4 * 4]
    return np.clip(samples, 0, 255).astype(np.uint8)


def score(one, other):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("one.png", "other.png")]
        for path, picture in zip(paths, (one, other)):
            Image.fromarray(picture).save(path)
        return compute_ssimulacra2(*paths)


for width, height in SIZES:
    picture = original(width, height)
    for name in DISTORTIONS:
        value = score(picture, distorted(picture, name))
        print(f"        ({width}, {height}, .{name}, {value:.4f}),")
