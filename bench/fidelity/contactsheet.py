#!/usr/bin/python3
"""Draws contact sheets of all renditions of a container, for visual inspection.

Each cell shows the expanded rendition, the banner, the ThumbHash, the name, and size, length and kind of
the expanded file. Transparency is shown as a checkerboard.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

import thumbhash

COLUMNS, ROWS = 5, 5
CELL = 380, 240
EXPANDED = 240, 190
SMALL = 110, 90
MARGIN = 8
FONT = ImageFont.load_default()


def fitted(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """A picture fitted into a box, enlarged if necessary, on a checkerboard."""
    scale = min(size[0] / image.width, size[1] / image.height)
    shown = image.convert("RGBA").resize(
        (max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    board = Image.new("RGBA", shown.size, "white")
    draw = ImageDraw.Draw(board)
    for y in range(0, shown.height, 8):
        for x in range((y // 8 % 2) * 8, shown.width, 16):
            draw.rectangle((x, y, x + 7, y + 7), fill="lightgrey")
    return Image.alpha_composite(board, shown)


def cell(manifest: dict, renditions: Path) -> Image.Image:
    """The cell of one manifest."""
    canvas = Image.new("RGB", CELL, "white")
    draw = ImageDraw.Draw(canvas)
    files = {rendition["role"]: rendition for rendition in manifest["renditions"]}
    places = [("expanded", EXPANDED, (0, 0)), ("banner", SMALL, (EXPANDED[0] + MARGIN, 0))]
    for role, size, place in places:
        if role in files:
            with Image.open(renditions / files[role]["file"]) as image:
                canvas.paste(fitted(image, size).convert("RGB"), place)
    if "placeholder" in manifest:
        placeholder = fitted(thumbhash.decode(manifest["placeholder"]), SMALL)
        canvas.paste(placeholder.convert("RGB"), (EXPANDED[0] + MARGIN, SMALL[1] + MARGIN))
    expanded = files["expanded"]
    size = expanded["size"]
    lines = [
        manifest["identifier"][-60:],
        f"{size['width']} x {size['height']}, {expanded['bytes']:,} bytes, "
        f"{Path(expanded['file']).suffix[1:]}, from {manifest['source']['format']}",
        *manifest.get("notes", []),
    ]
    for number, line in enumerate(lines[:3]):
        draw.text((0, EXPANDED[1] + 4 + 13 * number), line.encode("ascii", "replace").decode(),
                  fill="black", font=FONT)
    return canvas


def pages(manifests: list[dict], renditions: Path):
    """The sheets, one at a time."""
    per_page = COLUMNS * ROWS
    for start in range(0, len(manifests), per_page):
        part = manifests[start:start + per_page]
        rows = -(-len(part) // COLUMNS)
        step = CELL[0] + MARGIN, CELL[1] + MARGIN
        sheet = Image.new("RGB", (COLUMNS * step[0] + MARGIN, rows * step[1] + MARGIN), "white")
        for number, manifest in enumerate(part):
            row, column = divmod(number, COLUMNS)
            place = MARGIN + column * step[0], MARGIN + row * step[1]
            sheet.paste(cell(manifest, renditions), place)
        yield sheet


def main() -> None:
    """Parses the arguments and writes the sheets."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--container", type=Path, required=True)
    parser.add_argument(
        "--output", type=Path, default=Path("contactsheet.png"),
        help="the PNG; pages after the first are numbered: contactsheet-2.png")
    options = parser.parse_args()
    manifests = sorted(
        (json.loads(path.read_text())
         for path in (options.container / "notifications").glob("*.json")),
        key=lambda manifest: manifest["identifier"])
    if not manifests:
        parser.error(f"no manifests in {options.container}")
    for number, sheet in enumerate(pages(manifests, options.container / "renditions"), start=1):
        name = options.output if number == 1 else options.output.with_stem(
            f"{options.output.stem}-{number}")
        sheet.save(name)
        print(name)


if __name__ == "__main__":
    main()
