"""The benchmark's task in Pillow: INPUT OUTPUT SIDE QUALITY."""

import sys

import pillow_heif
from PIL import Image, ImageOps

source, target, side, quality = sys.argv[1:]
size = int(side), int(side)
Image.MAX_IMAGE_PIXELS = None
pillow_heif.register_heif_opener()
with Image.open(source) as image:
    image.draft(None, size)
    if image.mode == "P":
        image = image.convert("RGB")
    image.thumbnail(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    image = ImageOps.exif_transpose(image)
    if target.endswith(".jpg"):
        image.convert("RGB").save(target, quality=int(quality))
    else:
        image.save(target)
