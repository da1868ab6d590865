"""Compares renditions at byte ceilings with the best choice of size and quality, by SSIMULACRA2.

Pictures of `make bytes` become JPEGs of 1320 px with `--max-bytes` of several shares of their usual length. Every
JPEG is scored as it is shown, enlarged to the full width. The best choice is that of a grid of sizes, in steps of
four fifths, and qualities, with the length interpolated between two qualities; the habit lowers the quality to 40
in steps of ten before the size.

Exit code 1: fewer renditions than `SHARE` are within a point of the best, or one is above its ceiling.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import math
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

sys.path.append(str(Path(__file__).resolve().parents[1] / "bytes"))

import pictures  # noqa: E402
from pictures import run  # noqa: E402

SHARES = [0.75, 0.5, 0.35, 0.25, 0.18]
QUALITIES = range(10, 91, 10)
STEPS = 6
USUAL = 80
FLOOR = 264
SHARE = 0.8
EVERY = 2

Grid = dict[tuple[int, int], tuple[int, float]]


@dataclass
class Row:
    """Points below the best choice at a ceiling, of the product and of the habit."""

    name: str
    share: float
    product: float
    habit: float


def score(encoder: Path, truth: Path, jpeg: Path) -> float:
    """The score of a JPEG that is enlarged to the size of the truth, by linear interpolation."""
    shown = jpeg.with_suffix(".shown.ppm")
    with Image.open(truth) as original, Image.open(jpeg) as image:
        image.convert("RGB").resize(original.size, Image.Resampling.BILINEAR).save(shown)
    return float(run(encoder, "score", truth, shown))


def grid(encoder: Path, truth: Path) -> Grid:
    """Length and score by step of size and quality."""
    found: Grid = {}
    with Image.open(truth) as image:
        picture = image.convert("RGB")
    size = picture.size
    for step in range(STEPS):
        if max(size) < FLOOR:
            break
        source, jpeg = truth.with_name("small.ppm"), truth.with_name("small.jpg")
        picture.resize(size, Image.Resampling.LANCZOS).save(source)
        for quality in QUALITIES:
            run(encoder, "encode", source, jpeg, "--quality", quality)
            found[step, quality] = jpeg.stat().st_size, score(encoder, truth, jpeg)
        size = size[0] * 4 // 5, size[1] * 4 // 5
    return found


def best(found: Grid, ceiling: int) -> float:
    """The highest score under a ceiling; at the full size up to the usual quality."""
    scores = []
    for step in range(STEPS):
        points = [found[step, quality] for quality in QUALITIES
                  if (step, quality) in found and (step > 0 or quality <= USUAL)]
        for low, high in zip(points, points[1:]):
            if low[0] <= ceiling < high[0]:
                share = math.log(ceiling / low[0]) / math.log(high[0] / low[0])
                scores.append(low[1] + share * (high[1] - low[1]))
        if points and points[-1][0] <= ceiling:
            scores.append(points[-1][1])
    return max(scores, default=-math.inf)


def habit(found: Grid, ceiling: int) -> float:
    """The score of the first attempt under a ceiling, quality before size."""
    order = [(0, quality) for quality in range(USUAL, 39, -10)]
    order += [(step, 40) for step in range(1, STEPS)]
    fitting = [found[key] for key in order if key in found and found[key][0] <= ceiling]
    return fitting[0][1] if fitting else -math.inf


def rows(thimble: Path, encoder: Path, source: pictures.Source) -> list[Row]:
    """The figures of a picture at all ceilings that some attempt keeps."""
    with tempfile.TemporaryDirectory(prefix="ceilings-") as name:
        folder = Path(name)
        # A JPEG that is reduced never becomes a PNG.
        pictures.opaque(source.path).save(folder / "in.jpg", quality=98, subsampling="4:4:4")
        common = ("--width", pictures.WIDTH, "--scale", 1)
        run(thimble, "convert", folder / "in.jpg", "-o", folder / "truth.png", *common)
        truth = folder / "truth.ppm"
        pictures.opaque(folder / "truth.png").save(truth)
        found = grid(encoder, truth)
        usual = found[0, USUAL][0]
        result = []
        for share in SHARES:
            ceiling, jpeg = int(share * usual), folder / "out.jpg"
            ideal = best(found, ceiling)
            if not math.isfinite(ideal):
                continue
            run(thimble, "convert", folder / "in.jpg", "-o", jpeg, "--max-bytes", ceiling, *common)
            if jpeg.stat().st_size > ceiling:
                raise ValueError(f"{source.name} is above {ceiling} bytes")
            result.append(Row(source.name, share, ideal - score(encoder, truth, jpeg),
                              ideal - habit(found, ceiling)))
        return result


def line(name: str, losses: list[float]) -> str:
    """A row of the table."""
    within = 100 * sum(loss <= 1 for loss in losses) / len(losses)
    finite = [loss for loss in losses if math.isfinite(loss)]
    return (f"| {name} | {statistics.median(losses):.1f} | {max(finite, default=math.inf):.1f} | {within:.0f} % | "
            f"{len(losses) - len(finite)} |")


def markdown(found: list[Row]) -> str:
    """Losses by ceiling and over all."""
    lines = ["Points of SSIMULACRA2 below the best choice of size and quality at a ceiling, as shown at "
             f"{pictures.WIDTH} px; {len({row.name for row in found})} pictures.", "",
             "| | median | worst | within a point | none fits |", "|---|---:|---:|---:|---:|"]
    for share in SHARES:
        some = [row for row in found if row.share == share]
        if some:
            lines.append(line(f"thimble at {share} of the usual length",
                              [row.product for row in some]))
            lines.append(line("quality before size", [row.habit for row in some]))
    lines.append(line("**thimble, all**", [row.product for row in found]))
    lines.append(line("quality before size, all", [row.habit for row in found]))
    return "\n".join(lines)


def main() -> int:
    """Measures the pictures and prints the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thimble", type=Path, required=True, help="the program")
    parser.add_argument("--encoder", type=Path, required=True, help="jpeg-encoder-benchmark")
    parser.add_argument("--root", type=Path, default=Path("/"), help="root of the packages")
    parser.add_argument("--filter", default="", help="only pictures whose name contains this")
    parser.add_argument("--jobs", type=int, default=2, help="pictures at once; by default 2")
    parser.add_argument("--report", type=Path, help="also write the Markdown page here")
    options = parser.parse_args()

    wide = [source for source in pictures.listed(options.root)
            if options.filter in source.name and not source.is_heic
            and Image.open(source.path).width > pictures.WIDTH]
    programs = options.thimble.resolve(), options.encoder.resolve()
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        found = [row for some in pool.map(lambda source: rows(*programs, source), wide[::EVERY])
                 for row in some]
    if not found:
        parser.error("no pictures")
    text = markdown(found)
    if options.report:
        options.report.write_text(f"# Byte ceilings\n\nMade by `make ceilings`.\n\n{text}\n")
    print(text)
    within = sum(row.product <= 1 for row in found) / len(found)
    if within < SHARE:
        print(f"FAIL {within:.2f} are within a point of the best, at least {SHARE} should be")
    return int(within < SHARE)


if __name__ == "__main__":
    sys.exit(main())
