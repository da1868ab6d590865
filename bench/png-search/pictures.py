"""Writes raw pictures for search.c into a folder, and prints its arguments: pictures.py IMAGES FOLDER"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

SIZE = 1320, 990


def soft_edge(image: Image.Image) -> Image.Image:
    """The picture in an ellipse with a soft edge."""
    width, height = image.size
    x = np.linspace(-1, 1, width)
    y = np.linspace(-1, 1, height)[:, np.newaxis]
    alpha = (np.clip((1 - x * x - y * y) * 4, 0, 1) * 255).astype(np.uint8)
    samples = np.dstack([np.asarray(image.convert("RGB")), alpha])
    samples[alpha == 0] = 0
    return Image.fromarray(samples)


def shapes(random: np.random.Generator) -> Image.Image:
    """Translucent discs with soft edges."""
    image = Image.new("RGBA", SIZE)
    draw = ImageDraw.Draw(image)
    for _ in range(60):
        x, y, radius = (int(random.integers(*ends)) for ends in ((0, 1320), (0, 990), (20, 160)))
        colour = tuple(int(value) for value in random.integers(0, 256, 3))
        draw.ellipse((x - radius, y - radius, x + radius, y + radius),
                     fill=(*colour, int(random.integers(80, 256))))
    return image.filter(ImageFilter.GaussianBlur(1))


def text(random: np.random.Generator) -> Image.Image:
    """Lines of words in frames, as in a screenshot."""
    image = Image.new("RGB", SIZE, (250, 250, 252))
    draw = ImageDraw.Draw(image)
    words = "the quick brown fox jumps over the lazy dog order delivered tomorrow".split()
    for y in range(20, 970, 26):
        draw.rounded_rectangle((10, y - 2, 1310, y + 22), 6, fill="white", outline=(220, 220, 230))
        x = 20.0
        while x < 1200:
            word = words[random.integers(len(words))]
            draw.text((x, y), word, fill=(20, 30, 60) if random.random() < 0.9 else (180, 40, 40),
                      font_size=17)
            x += draw.textlength(word, font_size=17) + 8
    return image


def pictures(images: Path) -> Iterator[tuple[str, Image.Image]]:
    """The names and pictures."""
    random = np.random.default_rng(3)
    with Image.open(images / "lake-baseline.jpg") as lake:
        photograph = lake.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    yield "photograph", photograph
    yield "photograph with alpha", soft_edge(photograph)
    yield "banner with alpha", soft_edge(photograph.resize((264, 264), Image.Resampling.LANCZOS))
    for name in ("still-life.png", "thimble-alpha.png", "dunes-grey.jpg", "meadow.tiff"):
        with Image.open(images / name) as image:
            yield name, image.copy()
    yield "discs", shapes(random)
    yield "shadows", shapes(random).filter(ImageFilter.GaussianBlur(25))
    yield "text", text(random)
    yield "text with alpha", text(random).convert("RGBA")


def main() -> None:
    """Writes the pictures."""
    images, folder = map(Path, sys.argv[1:])
    for name, image in pictures(images):
        samples = np.atleast_3d(np.asarray(image))
        path = folder / name.replace(" ", "-")
        samples.tofile(path)
        height, width, bands = samples.shape
        print(f"{name}={width}x{height}x{bands}={path}")


if __name__ == "__main__":
    main()
