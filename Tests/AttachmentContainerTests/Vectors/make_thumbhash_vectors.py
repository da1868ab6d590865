"""Generates thumbhash.json, the output of independent implementations of ThumbHash.

    python3 -m venv venv && venv/bin/pip install thumbhash-python==1.0.1 fast-thumbhash==1.0.0
    venv/bin/python make_thumbhash_vectors.py > thumbhash.json

Hashes come from thumbhash-python, which computes in double precision as the published JavaScript
does. fast-thumbhash, a binding of the published Rust code, computes in single precision. Values
halfway between two steps, as in plain or symmetric pictures, may round differently. The script
then prints the difference of the decoded placeholders. All other hashes are equal.
Decoded placeholders ("likeness") and averages come from fast-thumbhash.
ThumbHashTests.swift draws the same pictures.
"""

import base64
import json
import math
import sys

import fast_thumbhash
import thumbhash.encode
import thumbhash.hash

# Python rounds halves to even; the published algorithm rounds them up, as JavaScript does.
thumbhash.encode.round = thumbhash.hash.round = lambda value: math.floor(value + 0.5)


def noise(seed):
    """The high bytes of a linear congruential generator (Numerical Recipes, section 7.1)."""
    while True:
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
        yield seed >> 24


def picture(recipe, width, height):
    random = noise(width * 1000 + height)
    for y in range(height):
        for x in range(width):
            across = 255 * x // max(1, width - 1)
            down = 255 * y // max(1, height - 1)
            inside = (2 * x - width) ** 2 + (2 * y - height) ** 2 < min(width, height) ** 2
            yield from {
                "flat": lambda: (200, 80, 40, 255),
                "grey": lambda: (down, down, down, 255),
                "gradient": lambda: (across, down, 128, 255),
                "noise": lambda: (next(random), next(random), next(random), 255),
                "fade": lambda: (down, 120, 255 - down, across),
                "disc": lambda: (across, 90, down, 255 if inside else 0),
                "glass": lambda: (next(random), next(random), next(random), next(random)),
                "clear": lambda: (across, down, 128, 0),
            }[recipe]()


CASES = [
    ("flat", 1, 1), ("flat", 100, 100), ("flat", 40, 30),
    ("grey", 32, 32), ("grey", 100, 75),
    ("gradient", 100, 100), ("gradient", 100, 56), ("gradient", 56, 100), ("gradient", 100, 1),
    ("gradient", 3, 100), ("gradient", 2, 2),
    ("noise", 1, 1), ("noise", 17, 13), ("noise", 75, 100), ("noise", 100, 100),
    ("fade", 64, 64), ("fade", 100, 40), ("disc", 50, 80), ("disc", 100, 100),
    ("glass", 1, 1), ("glass", 31, 57), ("glass", 100, 8), ("glass", 60, 30), ("clear", 20, 10),
]

vectors = []
for recipe, width, height in CASES:
    rgba = bytes(picture(recipe, width, height))
    digest = thumbhash.encode.rgba_to_thumbhash(width, height, rgba)
    columns, rows, likeness = fast_thumbhash.thumb_hash_to_rgba(digest)
    likeness = bytes(likeness)
    other = bytes(fast_thumbhash.rgba_to_thumb_hash(width, height, rgba))
    difference = max(
        abs(a - b) for a, b in zip(likeness, bytes(fast_thumbhash.thumb_hash_to_rgba(other)[2])))
    same = "same hash" if other == digest else f"likeness within {difference}"
    print(f"{recipe} {width}x{height}: {same}", file=sys.stderr)
    average = fast_thumbhash.thumb_hash_to_average_rgba(digest)
    vectors.append({
        "recipe": recipe, "width": width, "height": height,
        "hash": base64.b64encode(digest).decode(),
        "average": [round(255 * channel) for channel in average[:3]],
        "likeness": {
            "width": columns, "height": rows,
            # Every 37th pixel, which visits every column and row.
            "pixels": [list(likeness[i:i + 4]) for i in range(0, len(likeness), 4 * 37)],
        },
    })

print("[")
print(",\n".join("  " + json.dumps(vector) for vector in vectors))
print("]")
