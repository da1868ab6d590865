"""Prepares photographs for `make inline`: whole ones, and sections of large ones until there are enough.

Sources are the folder CORPUS, of which every still with many colours counts, and photographs in packages of
Debian, which `photographs.tsv` lists by their digests. Without packages, sections of the corpus are used.
Prepared pictures are PNGs of at most 1320 pixels, the size of renditions, in sRGB values.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import random
import sys
from pathlib import Path

from PIL import Image, ImageOps

HERE = Path(__file__).resolve().parent
# Longer side of a prepared picture, and shorter side of a picture with sections.
LONGEST = 1320
LEAST_OF_LARGE = 1000
# Smaller stills are icons and test patterns, and so are those with fewer colours at 180 pixels.
LEAST_SIDE = 230
LEAST_COLOURS = 4000
# Larger stills are stress tests.
MOST_PIXELS = 100_000_000
# Sections are half as high as the picture, with the ratio 4:5 of a portrait, and in two places.
RATIO = 0.8
PLACES = ((0.5, 0.5), (0.25, 0.6))


def opened(path: Path) -> Image.Image | None:
    """A still in RGB; None if the file is no photograph that Pillow decodes."""
    try:
        with Image.open(path) as picture:
            if picture.width * picture.height > MOST_PIXELS or "A" in picture.getbands():
                return None
            if getattr(picture, "n_frames", 1) > 1 or min(picture.size) < LEAST_SIDE:
                return None
            return ImageOps.exif_transpose(picture).convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def is_photograph(picture: Image.Image) -> bool:
    """True for a picture with the colours of a photograph."""
    small = picture.copy()
    small.thumbnail((180, 180), Image.Resampling.LANCZOS)
    return len(small.getcolors(180 * 180) or []) >= LEAST_COLOURS


def looks(picture: Image.Image) -> bytes:
    """Equal for variants of one photograph: the signs of its brightness against the mean, of 8 by 8 parts."""
    parts = picture.convert("L").resize((8, 8), Image.Resampling.BOX).tobytes()
    mean = sum(parts) / len(parts)
    return bytes(part > mean for part in parts)


def sources(corpus: Path, packages: Path) -> list[tuple[str, Path]]:
    """Names and paths of the photographs, in an order that no folder determines."""
    found = []
    with (HERE / "photographs.tsv").open(newline="") as file:
        listed = {row["sha256"]: row["file"] for row in csv.DictReader(file, delimiter="\t")}
    for path in sorted(packages.rglob("*")) if packages.is_dir() else []:
        if not path.is_file():
            continue
        # Packages may have a file more than once.
        name = listed.pop(hashlib.sha256(path.read_bytes()).hexdigest()[:16], None)
        if name:
            found.append((name, path))
    found += [(path.name, path) for path in sorted(corpus.rglob("*")) if path.is_file()]
    return sorted(found, key=lambda entry: entry[0])


def sections(picture: Image.Image) -> list[Image.Image]:
    """Parts of a large picture, each a composition of its own."""
    width, height = picture.size
    if min(width, height) < LEAST_OF_LARGE:
        return []
    tall = height // 2
    wide = min(width, round(tall * RATIO))
    return [
        picture.crop((left, top, left + wide, top + tall))
        for left, top in (
            (round((width - wide) * x), round((height - tall) * y)) for x, y in PLACES)]


def name_of(file: str) -> str:
    """A short name for a file; of a wallpaper in several sizes, its folder."""
    parts = Path(file).with_suffix("").parts
    name = parts[1] if "contents" in parts else parts[-1]
    return "".join(c if c.isalnum() else "-" for c in name)[:24]


def save(picture: Image.Image, path: Path) -> None:
    """Writes a prepared picture."""
    picture.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
    picture.save(path, compress_level=1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    Image.MAX_IMAGE_PIXELS = None
    count = 0
    large: list[tuple[str, Path]] = []
    known: set[bytes] = set()
    for name, path in sources(arguments.corpus, arguments.packages):
        picture = opened(path)
        if picture is None or count == arguments.count or not is_photograph(picture):
            continue
        if looks(picture) in known:
            continue
        known.add(looks(picture))
        stem = name_of(name)
        if min(picture.size) >= LEAST_OF_LARGE:
            large.append((stem, path))
        save(picture, arguments.folder / f"{count:03}-whole-{stem}.png")
        count += 1
    whole = count
    parts = [(stem, path, place) for stem, path in large for place in range(len(PLACES))]
    random.Random(1).shuffle(parts)
    for stem, path, place in parts[:max(0, arguments.count - whole)]:
        picture = opened(path)
        if picture is not None:
            section = sections(picture)[place]
            save(section, arguments.folder / f"{count:03}-section-{stem}.png")
            count += 1
    print(f"{whole} photographs and {count - whole} sections of them")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
