"""Writes a small picture of every kind, upright and turned, into a folder.

    write_pictures.py FOLDER

Files are named KIND-ORIENTATION, where the orientation is a number of Exif (Exif 2.32, 4.6.4 A). Needs
Debian's python3-pil and libheif-examples.
"""

import subprocess
import sys
from pathlib import Path

from PIL import Image

FOLDER = Path(sys.argv[1])
IMAGES = Path(__file__).resolve().parents[3] / "Images"
ORIENTATION = 0x0112


def picture(name: str, size: tuple[int, int]) -> Image.Image:
    """A picture of Images/, reduced, with its profile."""
    with Image.open(IMAGES / name) as image:
        small = image.resize(size, Image.LANCZOS)
        small.info = {"icc_profile": image.info.get("icc_profile")}
        return small


def write(image: Image.Image, kind: str, turned: int, coding: str, **options: object) -> None:
    for orientation in (1, turned):
        exif = Image.Exif()
        if orientation > 1:
            exif[ORIENTATION] = orientation
        with (FOLDER / f"{kind}-{orientation}").open("wb") as file:
            image.save(file, coding, exif=exif, icc_profile=image.info["icc_profile"], **options)


photograph = picture("gerbera-display-p3.jpg", (240, 180))
alpha = picture("thimble-alpha.png", (150, 150))
write(photograph, "photograph", 6, "JPEG", quality=90)
# Small enough to be kept, or turned without decoding.
write(picture("still-life-ready.jpg", (112, 84)), "ready", 6, "JPEG", quality=80)
write(alpha, "alpha", 6, "PNG")
write(alpha, "lossless", 6, "WebP", lossless=True)
write(photograph, "lossy", 6, "WebP", quality=80)

moving = photograph.resize((160, 120))
frames = [moving.rotate(10 * index).quantize(32) for index in range(3)]
with (FOLDER / "animated-1").open("wb") as file:
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=100, loop=0)

photograph.save(FOLDER / "heic.png", icc_profile=None)
subprocess.run(
    ["heif-enc", "-q", "60", FOLDER / "heic.png", "-o", FOLDER / "heic-1"],
    check=True, stdout=subprocess.DEVNULL)
(FOLDER / "heic.png").unlink()
