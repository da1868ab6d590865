"""Measures how close `--target-score` comes to its score, over 200 pictures, and what it costs.

The pictures are those of `make bytes` and the opaque stills of a corpus, whole and in quarters, as JPEGs of
quality 95. Each is reduced to 1320 px, or to four fifths of its width, because one that fits is kept as it is,
under a cap of 12 MiB with the target. The score is that of the Python package
ssimulacra2 against the same reduction as PNG. The cost is the processor time of a batch with the target less
that of one without it, of pictures that become 1320 px wide, in interleaved rounds.

Exit code 1: a bar is missed.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from ssimulacra2 import compute_ssimulacra2

import report

sys.path.append(str(Path(__file__).resolve().parents[1] / "bytes"))

import pictures  # noqa: E402

TARGET = 75
COUNT = 200
WIDTH = 1320
CAP = "12MiB"
FORMATS = {".jpg", ".jpeg", ".heic", ".hif", ".avif", ".webp", ".tif", ".tiff", ".png"}
LEAST_SIDE = 600
COST_PICTURES = 16
ROUNDS = 3
NOTE = re.compile(r"score ([0-9.]+) at quality (\d+)")


def sources(root: Path, corpus: Path) -> list[Path]:
    """The pictures of `make bytes` and those of the corpus that Pillow reads."""
    listed = [source.path for source in pictures.listed(root) if source.path.is_file()]
    others = sorted(path for path in corpus.iterdir() if path.suffix.lower() in FORMATS)
    return listed + others


def variants(path: Path) -> list[Image.Image]:
    """The whole picture and its quarters; none of a picture that is small, or has transparency."""
    try:
        with Image.open(path) as image:
            if getattr(image, "n_frames", 1) > 1 or "A" in image.mode:
                return []
            image.draft("RGB", (2 * WIDTH, 2 * WIDTH))
            if "transparency" in image.info:
                return []
            whole = image.convert("RGB")
    except Exception:  # Folders of test pictures contain broken files too.
        return []
    if min(whole.size) < LEAST_SIDE or whole.width * whole.height > 60_000_000:
        return []
    middle, centre = whole.width // 2, whole.height // 2
    boxes = [(0, 0), (middle, 0), (0, centre), (middle, centre)]
    quarters = [whole.crop((x, y, x + middle, y + centre)) for x, y in boxes]
    return [whole, *quarters]


def write(folder: Path, found: list[Path]) -> list[Path]:
    """Files of `COUNT` variants, evenly spread over the sources."""
    files: list[Path] = []
    for number, path in enumerate(found):
        for part, picture in enumerate(variants(path)):
            file = folder / f"{number:03}-{part}-{path.stem}.jpg"
            picture.save(file, quality=95, subsampling="4:4:4")
            files.append(file)
    chosen = {files[index * len(files) // COUNT] for index in range(min(COUNT, len(files)))}
    for file in set(files) - chosen:
        file.unlink()
    return sorted(chosen)


def batch(program: Path, files: Path, container: Path, *options: object) -> float:
    """Processes a folder in one worker, and returns the processor time of all processes in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    pictures.run(program, "batch", files, "--container", container, "--width", WIDTH, "--scale", 1,
                 "--cap", CAP, "--jobs", 1, *options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def scored(program: Path, file: Path) -> report.Row:
    """The score of a picture's rendition, by the package and by the note."""
    with tempfile.TemporaryDirectory(prefix="score-") as name:
        folder = Path(name)
        with Image.open(file) as image:
            width = min(WIDTH, image.width * 4 // 5)
        common = ("--width", width, "--scale", 1, "--cap", CAP)
        pictures.run(program, "process", file, "--id", "a", "--container", folder / "c",
                     "--target-score", TARGET, *common)
        manifest = json.loads(next((folder / "c/notifications").glob("*.json")).read_text())
        rendition = next(r for r in manifest["renditions"] if r["role"] == "expanded")
        pictures.run(program, "convert", file, "-o", folder / "truth.png", *common)
        score = compute_ssimulacra2(
            str(folder / "truth.png"), str(folder / "c/renditions" / rendition["file"]))
    note = next(filter(None, map(NOTE.search, manifest["notes"])), None)
    return report.Row(
        file.stem, rendition["size"]["width"], float(score), int(note[2]) if note else None,
        manifest["measuredPeak"])


def cost(program: Path, files: list[Path]) -> float:
    """Milliseconds of processor time that the target adds to a picture of 1320 px."""
    wide = [file for file in files if Image.open(file).width > WIDTH]
    step = max(1, len(wide) // COST_PICTURES)
    chosen = wide[::step][:COST_PICTURES]
    added = []
    with tempfile.TemporaryDirectory(prefix="cost-") as name:
        folder = Path(name)
        (folder / "in").mkdir()
        for file in chosen:
            shutil.copy(file, folder / "in")
        for number in range(ROUNDS):
            plain = batch(program, folder / "in", folder / f"plain{number}")
            with_target = batch(program, folder / "in", folder / f"target{number}",
                                "--target-score", TARGET)
            added.append(1000 * (with_target - plain) / len(chosen))
    return statistics.median(added)


def main() -> int:
    """Measures all pictures and prints the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thimble", type=Path, required=True, help="the program")
    parser.add_argument("--corpus", type=Path, required=True, help="a folder of pictures")
    parser.add_argument("--root", type=Path, default=Path("/"), help="root of the packages")
    parser.add_argument("--jobs", type=int, default=2, help="pictures at once; by default 2")
    parser.add_argument("--limit", type=int, default=COUNT, help="pictures at most")
    parser.add_argument("--report", type=Path, help="also write the Markdown page here")
    options = parser.parse_args()

    program = options.thimble.resolve()
    with tempfile.TemporaryDirectory(prefix="target-score-") as name:
        files = write(Path(name), sources(options.root, options.corpus))[:options.limit]
        if not files:
            parser.error("no pictures")
        with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
            rows = list(pool.map(lambda file: scored(program, file), files))
        milliseconds = cost(program, files)
    version = subprocess.run(
        [program, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    text = report.markdown(rows, TARGET, milliseconds, version)
    if options.report:
        options.report.write_text(f"# Target score\n\nMade by `make target-score`.\n\n{text}\n")
    print(text)
    missed = [bar for bar in report.bars(rows, TARGET, milliseconds) if not bar.is_met]
    for bar in missed:
        print(f"MISSED {bar.name}: {bar.value:.1f}, bar {bar.bound:g}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
