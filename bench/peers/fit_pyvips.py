"""The benchmark's task in pyvips: INPUT OUTPUT SIDE QUALITY."""

import sys

import pyvips

source, target, side, quality = sys.argv[1:]
image = pyvips.Image.thumbnail(source, int(side), height=int(side), size="down")
options = {"Q": int(quality)} if target.endswith(".jpg") else {}
image.write_to_file(target, **options)
