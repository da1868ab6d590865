"""Decodes animations with Pillow, which has decoders of its own or libwebp's.

usage: decode_animations.py FOLDER FILE…

Each line that is printed tells of one animation as `write_animations.py` does; the canvas after each
frame is written to FOLDER/NAME.rgba.
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
        # The image of an animated PNG need not be a frame, which Pillow counts all the same.
        first = 1 if image.info.get("default_image") else 0
        for frame in range(first, getattr(image, "n_frames", 1)):
            image.seek(frame)
            output.write(image.convert("RGBA").tobytes())
            delay = int(image.info.get("duration", 0))
            delays.append(delay if delay > 10 else 100)
    times = ",".join(str(delay) for delay in delays)
    print(name, image.width, image.height, len(delays), plays, times)
