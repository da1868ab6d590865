"""Decodes animations with Pillow, which shares only libwebp with Thimble.

usage: decode_animations.py FOLDER FILE…

Prints one line per animation, in the format of `write_animations.py`. Writes the canvas after each
frame to FOLDER/NAME.rgba.
"""

import os
import sys

from PIL import Image

folder = sys.argv[1]
for path in sys.argv[2:]:
    image = Image.open(path)
    name = os.path.basename(path)
    repeats, delays = image.info.get("loop"), []
    plays = 1 if repeats is None else repeats
    if name.endswith(".gif") and repeats:
        plays = repeats + 1
    with open(f"{folder}/{name}.rgba", "wb") as output:
        # Pillow counts the default image of an animated PNG even if it is not a frame.
        first = 1 if image.info.get("default_image") else 0
        for frame in range(first, getattr(image, "n_frames", 1)):
            image.seek(frame)
            output.write(image.convert("RGBA").tobytes())
            delay = int(image.info.get("duration", 0))
            delays.append(delay if delay > 10 else 100)
    times = ",".join(str(delay) for delay in delays)
    print(name, image.width, image.height, len(delays), plays, times)
