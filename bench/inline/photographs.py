"""Prepares the photographs of `make inline`.

`photographs.tsv` lists photographs in packages of Debian and PyPI by their digests. They were chosen by eye
from contact sheets, before any had a score: photographs of what people send, each of another scene, of every
subject that the packages have. Drawings, screenshots, pictures with marks drawn into them and textures without
a subject were left out. The set `test` is for measuring only; encoders are tuned with the set `tuning`.

With --corpus, the stills of a folder are prepared instead. Prepared pictures are PNGs of at most 1320 pixels,
the size of renditions, in sRGB values.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import sys
from pathlib import Path

from PIL import Image, ImageOps

HERE = Path(__file__).resolve().parent
# Longer side of a prepared picture.
LONGEST = 1320
# Of a folder, smaller stills are icons, and larger ones stress tests.
LEAST_SIDE = 230
MOST_PIXELS = 100_000_000


def still(path: Path) -> Image.Image | None:
    """An opaque still in RGB; None if the file has none that Pillow decodes."""
    try:
        with Image.open(path) as picture:
            if picture.width * picture.height > MOST_PIXELS or "A" in picture.getbands():
                return None
            if getattr(picture, "n_frames", 1) > 1 or min(picture.size) < LEAST_SIDE:
                return None
            return ImageOps.exif_transpose(picture).convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def listed(packages: Path, chosen: str) -> list[tuple[str, Path]]:
    """Names and paths of a set of photographs; exits if a photograph is missing."""
    with (HERE / "photographs.tsv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["set"] == chosen]
    # Packages may have a file more than once.
    paths = {
        hashlib.sha256(path.read_bytes()).hexdigest()[:16]: path
        for path in packages.rglob("*") if path.is_file()}
    missing = [f"{row['package']}: {row['file']}" for row in rows if row["sha256"] not in paths]
    if missing or not rows:
        sys.exit("\n".join([f"{len(missing)} of {len(rows)} photographs of {chosen} are missing:", *missing]))
    return [(f"{row['subject']}-{name_of(row['file'])}", paths[row["sha256"]]) for row in rows]


def name_of(file: str) -> str:
    """A short name for a file; of a wallpaper in several sizes, its folder."""
    parts = Path(file).with_suffix("").parts
    name = parts[1] if "contents" in parts else parts[-1]
    return "".join(c if c.isalnum() else "-" for c in name)[:24]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--corpus", type=Path)
    source.add_argument("--packages", type=Path)
    parser.add_argument("--set", default="test")
    arguments = parser.parse_args()
    Image.MAX_IMAGE_PIXELS = None
    if arguments.corpus:
        found = [(name_of(path.name), path) for path in sorted(arguments.corpus.rglob("*")) if path.is_file()]
    else:
        found = listed(arguments.packages, arguments.set)
    count = 0
    for name, path in found:
        picture = still(path)
        if picture is None:
            continue
        picture.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
        picture.save(arguments.folder / f"{count:03}-{name}.png", compress_level=1)
        count += 1
    print(f"{count} photographs")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
