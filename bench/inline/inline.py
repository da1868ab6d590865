"""Scores the inline pictures of a folder, compares their decoders, and writes the report and a contact sheet.

The score is SSIMULACRA2 of libavif's RGB against the photograph reduced by Lanczos 3 to the same size. Exit
code 1: a decoder gives other pixels, or of 4:2:0 at 2,400 bytes the median is below 60, fewer than 95 % have 30
and more, or the median of the processor time is above 100 ms.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw
from ssimulacra2 import compute_ssimulacra2

import decoders

# The goal for 2,400 bytes: median score, and milliseconds of a processor. Pictures with a score of 30 are good
# enough as thumbnails.
GOAL_BYTES, GOAL_SCORE, GOAL_TIME = 2400, 60, 100
GOOD, GOAL_SHARE = 30, 0.95
# Pictures on the sheet, spread over all.
SHEET = 20
CELL = 190
NAMES = {"420": "4:2:0", "444": "4:4:4"}


@dataclass
class Entry:
    """One inline picture."""

    name: str
    chroma: str
    allowed: int
    bytes: int
    size: tuple[int, int]
    time: float
    avif: Path
    png: Path
    score: float = 0
    planes_differ: bool = False
    difference: decoders.Difference | None = None

    @property
    def is_alike(self) -> bool:
        return not self.planes_differ and self.difference is not None \
            and self.difference.is_alike


def entries(folder: Path) -> list[Entry]:
    """The inline pictures that `inline-pictures` has listed."""
    found = []
    with (folder / "pictures.tsv").open(newline="") as file:
        for name, chroma, allowed, taken, width, height, time in csv.reader(file, delimiter="\t"):
            avif = folder / "avif" / f"{Path(name).stem}-{chroma}-{allowed}.avif"
            found.append(Entry(
                name, chroma, int(allowed), int(taken), (int(width), int(height)), float(time), avif,
                avif.with_suffix(".png")))
    return found


def judge(entry: Entry, folder: Path) -> None:
    """Decodes and scores one picture."""
    entry.planes_differ = not decoders.planes_are_equal(entry.avif, folder)
    decoders.avifdec("dav1d", entry.avif, entry.png)
    truth = folder / "truth.png"
    with Image.open(folder / "photographs" / entry.name) as photograph:
        photograph.resize(entry.size, Image.Resampling.LANCZOS).save(truth)
    entry.score = float(compute_ssimulacra2(str(truth), str(entry.png)))


def good_share(scores: list[float]) -> float:
    """The share of good thumbnails."""
    return sum(score >= GOOD for score in scores) / len(scores)


def table(found: list[Entry]) -> list[str]:
    """The lines of the report's table."""
    lines = [
        "| chroma | bytes | median | 10th percentile | 30 and more | bytes taken, mean | "
        "processor, median | 95th percentile |",
        "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for chroma in NAMES:
        for allowed in sorted({entry.allowed for entry in found}):
            group = [e for e in found if (e.chroma, e.allowed) == (chroma, allowed)]
            scores, times = [e.score for e in group], [e.time for e in group]
            good = 100 * good_share(scores)
            lines.append(
                f"| {NAMES[chroma]} | {allowed:,} | {statistics.median(scores):.1f} "
                f"| {np.percentile(scores, 10):.1f} | {good:.0f} % "
                f"| {statistics.mean(e.bytes for e in group):,.0f} | {statistics.median(times):.0f} ms "
                f"| {np.percentile(times, 95):.0f} ms |")
    return lines


def low_scores(found: list[Entry]) -> list[str]:
    """Lines for the pictures of the goal that are no good thumbnails, with their scores in 4:4:4."""
    by_place = {(e.name, e.chroma, e.allowed): e for e in found}
    low = sorted((e for e in goal_entries(found) if e.score < GOOD), key=lambda e: e.score)
    return [
        f"- {Path(e.name).stem}: {e.score:.1f}; 4:4:4 {by_place[e.name, '444', e.allowed].score:.1f}"
        for e in low]


def goal_entries(found: list[Entry]) -> list[Entry]:
    """The pictures that the goal is about."""
    return [e for e in found if (e.chroma, e.allowed) == ("420", GOAL_BYTES)]


def sheet(found: list[Entry], folder: Path) -> None:
    """A contact sheet: each photograph beside its inline pictures."""
    names = sorted({entry.name for entry in found})
    names = names[::max(1, len(names) // SHEET)][:SHEET]
    columns = [(chroma, allowed) for chroma in NAMES
               for allowed in sorted({entry.allowed for entry in found})]
    picture = Image.new("RGB", ((len(columns) + 1) * CELL, len(names) * CELL), "white")
    draw = ImageDraw.Draw(picture)
    by_place = {(e.name, e.chroma, e.allowed): e for e in found}
    for row, name in enumerate(names):
        with Image.open(folder / "photographs" / name) as photograph:
            photograph.thumbnail((180, 180), Image.Resampling.LANCZOS)
            picture.paste(photograph, (0, row * CELL + 10))
        for column, (chroma, allowed) in enumerate(columns, 1):
            entry = by_place[name, chroma, allowed]
            with Image.open(entry.png) as decoded:
                picture.paste(decoded, (column * CELL, row * CELL + 10))
            draw.text(
                (column * CELL, row * CELL), f"{NAMES[chroma]} {allowed}: {entry.score:.0f}",
                fill="black")
    picture.save(folder / "sheet.png")


def report(found: list[Entry]) -> str:
    """The page of results."""
    count = len({e.name for e in found})
    most = max(e.difference.most for e in found if e.difference)
    unlike = [e for e in found if not e.is_alike]
    return "\n".join([
        "# Pictures inside payloads", "", "Made by `make inline`.", "",
        f"{count} photographs at 180 pixels, the size at which they are encoded and displayed. SSIMULACRA2 of "
        "the decoded file against the photograph reduced by Lanczos 3; 90 is visually lossless, 30 a good "
        "thumbnail. Bytes are "
        "those before base64url. Processor time is that of a warm worker under the cap of 24 MiB and of its "
        "supervisor.", "", *table(found), "",
        f"Decoders: {decoders.versions()}. {len(found) - len(unlike)} of {len(found)} files are decoded "
        "alike: libaom and dav1d give the same planes, and samples of Chromium's picture differ from "
        f"libavif's by at most {most} of 255.", "",
        f"Below {GOOD} with 4:2:0 at {GOAL_BYTES:,} bytes:", "", *low_scores(found), ""]
        + [f"- differs: {e.avif.name}: {e.difference}" for e in unlike[:20]])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--report", type=Path, required=True)
    arguments = parser.parse_args()
    found = entries(arguments.folder)
    for entry in found:
        judge(entry, arguments.folder)
    for entry, difference in zip(found, decoders.chromium([(e.avif, e.png) for e in found])):
        entry.difference = difference
    sheet(found, arguments.folder)
    text = report(found)
    arguments.report.write_text(text.rstrip() + "\n")
    print(text)
    print(f"Contact sheet: {arguments.folder / 'sheet.png'}")
    goal = goal_entries(found)
    met = statistics.median(e.score for e in goal) >= GOAL_SCORE \
        and good_share([e.score for e in goal]) >= GOAL_SHARE \
        and statistics.median(e.time for e in goal) <= GOAL_TIME
    return 0 if met and all(e.is_alike for e in found) else 1


if __name__ == "__main__":
    sys.exit(main())
