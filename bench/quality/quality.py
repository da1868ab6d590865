"""Judges renditions of photographs by SSIMULACRA2 and PSNR, at ten widths.

The truth at each width is a full decode without libvips, reduced with Lanczos 3 and not encoded. The
reference, the best that the encoder allows, is the truth encoded by libjpeg at quality 80 and 4:2:0.
The loss of a candidate is the score of the reference less its own; `vipsthumbnail` is beside it.

Exit code 1: a loss of thimble is above the limit without an exception, or its median is above that of
vipsthumbnail. Needs the packages of `bench/fidelity`, and ssimulacra2 of PyPI.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from ssimulacra2 import compute_ssimulacra2

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "fidelity"))

import measure  # noqa: E402
from colour import to_srgb  # noqa: E402
from decode import decode  # noqa: E402
from picture import eight_bit  # noqa: E402
from reduce import reduce  # noqa: E402

WIDTHS = [300, 400, 500, 600, 720, 840, 960, 1080, 1200, 1320]
QUALITY = 80
# Narrower pictures would not be reduced at most widths.
LEAST_WIDTH = 1400
FORMATS = {".jpg", ".jpeg", ".heic", ".hif", ".avif", ".webp", ".tif", ".tiff"}


@dataclass
class Score:
    """SSIMULACRA2 and PSNR of one rendition against the truth."""

    ssimulacra2: float
    psnr: float


@dataclass
class Row:
    """The scores of one photograph at one width."""

    photograph: str
    width: int
    reference: Score
    thimble: Score
    vips: Score

    def loss(self, candidate: Score) -> float:
        """How far a candidate is below the reference."""
        return self.reference.ssimulacra2 - candidate.ssimulacra2


def score(truth: Path, candidate: Path) -> Score:
    """Compares two files of the same size."""
    with Image.open(truth) as one, Image.open(candidate) as other:
        first, second = np.asarray(one.convert("RGB")), np.asarray(other.convert("RGB"))
    if first.shape != second.shape:
        raise ValueError(f"{candidate.name} has the size {second.shape}, not {first.shape}")
    return Score(float(compute_ssimulacra2(str(truth), str(candidate))),
                 measure.psnr(first.astype(np.float32), second.astype(np.float32)))


def thimble_rendition(program: Path, source: Path, width: int, folder: Path) -> Path:
    """The expanded rendition of a photograph."""
    container = folder / f"container-{width}"
    subprocess.run(
        [program, "process", source, "--id", "a", "--container", container, "--cap", "4GiB",
         "--width", str(width), "--scale", "1", "--quality", str(QUALITY), "--banner-side", "32",
         "--render-budget", "1GiB"],
        check=True, capture_output=True)
    manifest = json.loads(next((container / "notifications").glob("*.json")).read_text())
    expanded = next(r for r in manifest["renditions"] if r["role"] == "expanded")
    return container / "renditions" / expanded["file"]


def vips_rendition(source: Path, width: int, folder: Path) -> Path:
    """The same by vipsthumbnail."""
    target = folder / f"vips-{width}.jpg"
    subprocess.run(
        ["vipsthumbnail", source, "-s", f"{width}x", "--export-profile", "srgb", "-o",
         f"{target}[Q={QUALITY},strip]"], check=True, capture_output=True)
    return target


def rows(program: Path, source: Path) -> list[Row]:
    """The scores of one photograph at every width."""
    picture = to_srgb(decode(source))
    result = []
    with tempfile.TemporaryDirectory(prefix="quality-") as name:
        folder = Path(name)
        for width in WIDTHS:
            if width >= picture.size[0]:
                continue
            rendition = thimble_rendition(program, source, width, folder)
            with Image.open(rendition) as image:
                size = image.size
            truth, reference = folder / "truth.png", folder / "reference.jpg"
            pixels = Image.fromarray(eight_bit(reduce(picture, size).colour))
            pixels.save(truth)
            pixels.save(reference, quality=QUALITY, subsampling=2)
            vips = vips_rendition(source, width, folder)
            result.append(Row(source.name, width, score(truth, reference),
                              score(truth, rendition), score(truth, vips)))
    return result


def photographs(folder: Path) -> list[Path]:
    """Opaque stills of the folder that are large enough."""
    found = []
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in FORMATS:
            continue
        try:
            picture = decode(path)
        except Exception:  # The corpus has broken files too.
            continue
        if picture.alpha is None and picture.size[0] >= LEAST_WIDTH:
            found.append(path)
    return found


def read_exceptions() -> dict[str, str]:
    """Reasons by the names of photographs."""
    lines = (HERE / "exceptions.tsv").read_text().splitlines()[1:]
    return dict(line.split("\t", 1) for line in lines if line)


def table(results: list[Row], exceptions: dict[str, str]) -> str:
    """The report as Markdown."""
    lines = [
        f"Loss of SSIMULACRA2 against a full decode, Lanczos 3 and the same encoder (quality {QUALITY}, "
        f"4:2:0), at {len(WIDTHS)} widths from {WIDTHS[0]} to {WIDTHS[-1]} px: median, and the worst "
        "with its width. PSNR is the median of the rendition against the unencoded truth, in dB.", "",
        "| photograph | reference | thimble: median | worst | PSNR | vipsthumbnail: median | worst "
        "| PSNR | remark |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|"]
    for name in sorted({row.photograph for row in results}):
        own = [row for row in results if row.photograph == name]
        cells = [name, f"{statistics.median(row.reference.ssimulacra2 for row in own):.1f}"]
        for candidate in ("thimble", "vips"):
            losses = [(row.loss(getattr(row, candidate)), row.width) for row in own]
            worst = max(losses)
            cells += [
                f"{statistics.median(loss for loss, _ in losses):.2f}",
                f"{worst[0]:.2f} at {worst[1]}",
                f"{statistics.median(getattr(row, candidate).psnr for row in own):.1f}"]
        lines.append("| " + " | ".join(cells + [exceptions.get(name, "")]) + " |")
    for title, attribute in (("thimble", "thimble"), ("vipsthumbnail", "vips")):
        losses = [row.loss(getattr(row, attribute)) for row in results]
        lines += ["", f"{title}: median loss {statistics.median(losses):.2f}, worst {max(losses):.2f}, "
                  f"{sum(loss > 1 for loss in losses)} of {len(losses)} above 1.0."]
    return "\n".join(lines)


def main() -> int:
    """Scores every photograph and prints the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photographs", type=Path, required=True, help="the folder of photographs")
    parser.add_argument("--thimble", type=Path, required=True, help="the program")
    parser.add_argument("--limit", type=float, default=1.0, help="the largest loss; by default 1.0")
    parser.add_argument("--report", type=Path, help="also write the Markdown table here")
    options = parser.parse_args()

    chosen = photographs(options.photographs)
    if not chosen:
        parser.error(f"no photographs of {LEAST_WIDTH} px in {options.photographs}")
    results: list[Row] = []
    with concurrent.futures.ProcessPoolExecutor(max_workers=2) as pool:
        jobs = {pool.submit(rows, options.thimble.resolve(), path): path for path in chosen}
        for number, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            results += job.result()
            print(f"[{number}/{len(chosen)}] {jobs[job].name}", file=sys.stderr, flush=True)
    results.sort(key=lambda row: (row.photograph, row.width))
    exceptions = read_exceptions()
    text = table(results, exceptions)
    if options.report:
        options.report.write_text(text + "\n")
    print(text)
    judged = [row for row in results if row.photograph not in exceptions]
    failures = [row for row in judged if row.loss(row.thimble) > options.limit]
    for row in failures:
        print(f"FAIL {row.photograph} at {row.width} px: {row.loss(row.thimble):.2f}")
    medians = [statistics.median(row.loss(getattr(row, name)) for row in judged)
               for name in ("thimble", "vips")]
    if medians[0] > medians[1]:
        print(f"FAIL the median loss is above that of vipsthumbnail: {medians}")
    return int(bool(failures) or medians[0] > medians[1])


if __name__ == "__main__":
    sys.exit(main())
