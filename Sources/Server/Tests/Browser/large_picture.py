#!/usr/bin/env python3
"""Writes a picture of 48 megapixels: large_picture.py PICTURE TARGET."""
import sys

from PIL import Image, ImageFilter

with Image.open(sys.argv[1]) as picture:
    large = picture.convert("RGB").resize((8000, 6000), Image.Resampling.BICUBIC)
    # Detail, so that the file is as long as a photograph.
    large.filter(ImageFilter.UnsharpMask(8, 300, 0)).save(sys.argv[2], quality=90)
