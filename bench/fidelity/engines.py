#!/usr/bin/python3
"""Compares the renditions that thimble's two engines make of the same files.

Takes two containers: one whose renditions the engine of rows made where it can, and one of `--engine
libvips`. Prints a table of the pictures by rows, the least similar first. JPEG's own loss would hide
differences between the engines, so renditions should be made with quality 100. Renditions with different
crops are counted only: the centre of attention is one of equally good ones. Needs Pillow and numpy.

Exit code 1: renditions differ in size or type or are less similar than the threshold, without an exception,
or an exception is stale.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

import measure
import report


@dataclass(frozen=True)
class Comparison:
    """The agreement of two renditions of one file."""

    file: str
    format: str
    role: str
    size: str
    # Decibels; None for renditions of different sizes or types.
    agreement: float | None
    has_same_crop: bool


def manifests(container: Path) -> dict[str, dict]:
    """The manifests of a container by identifier."""
    read = (json.loads(path.read_text()) for path in (container / "notifications").glob("*.json"))
    return {manifest["identifier"]: manifest for manifest in read}


def samples(rendition: Path) -> np.ndarray:
    """Colours weighted by alpha, because transparent pixels do not show."""
    with Image.open(rendition) as image:
        pixels = np.asarray(image.convert("RGBA")).astype(np.float64)
    return pixels[..., :3] * pixels[..., 3:] / 255


def compare(rows: Path, libvips: Path) -> list[Comparison]:
    """Compares every rendition of both containers whose manifest names the engine of rows."""
    others = manifests(libvips)
    comparisons = []
    for identifier, manifest in manifests(rows).items():
        # Frames of animations are cut, not resized, by the same code for both choices.
        if manifest.get("engine") != "rows" or manifest["rung"] == "animated":
            continue
        other = others[identifier]
        if other["engine"] != "libvips":
            raise SystemExit(f"{identifier}: the second container is of engine {other['engine']}")
        expected = {rendition["role"]: rendition for rendition in other["renditions"]}
        for rendition in manifest["renditions"]:
            twin = expected[rendition["role"]]
            agreement = None
            if (rendition["size"], rendition["type"]) == (twin["size"], twin["type"]):
                agreement = measure.psnr(
                    samples(rows / "renditions" / rendition["file"]),
                    samples(libvips / "renditions" / twin["file"]))
            comparisons.append(Comparison(
                identifier, manifest["source"]["format"], rendition["role"],
                f"{rendition['size']['width']}×{rendition['size']['height']}", agreement,
                rendition.get("crop") == twin.get("crop")))
    return sorted(comparisons, key=lambda each: (each.agreement or 0, each.file))


def verdict(each: Comparison, threshold: float, exception: report.Allowance | None) -> str:
    """`ok`, `exception: …` for an allowed rendition, or `FAIL: …`."""
    if each.agreement is None:
        if exception and exception.minimum is None:
            return f"exception: {exception.reason}"
        return "FAIL: differs in size or type"
    if each.agreement >= threshold:
        return "FAIL: stale exception, remove it" if exception else "ok"
    if exception and each.agreement >= exception.minimum:
        return f"exception: {exception.reason}"
    return f"FAIL: below {exception.minimum if exception else threshold} dB"


def markdown(comparisons: list[Comparison], verdicts: list[str], others: int) -> str:
    """A table, the least similar first, and the number of renditions with other crops."""
    lines = ["| file | format | rendition | size | dB | verdict |", "|---|---|---|---|---:|---|"]
    lines += [
        f"| {each.file} | {each.format} | {each.role} | {each.size} | "
        f"{'' if each.agreement is None else f'{each.agreement:.1f}'} | {verdict} |"
        for each, verdict in zip(comparisons, verdicts)]
    return "\n".join(lines + ["", f"{others} banners were cropped elsewhere and are not compared."])


def main() -> int:
    """Parses the arguments, compares and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True, help="the container of rows")
    parser.add_argument("--libvips", type=Path, required=True, help="the container of libvips")
    parser.add_argument("--threshold", type=float, default=40, help="dB; the default is 40")
    parser.add_argument(
        "--exceptions", type=Path, default=Path(__file__).parent / "engine-exceptions.tsv")
    parser.add_argument("--report", type=Path, help="also write the Markdown table here")
    options = parser.parse_args()
    everything = compare(options.rows, options.libvips)
    compared = [each for each in everything if each.has_same_crop or each.agreement is None]
    if not compared:
        parser.error(f"no renditions by rows in {options.rows}")
    exceptions = report.read_exceptions(options.exceptions)
    verdicts = [
        verdict(each, options.threshold, exceptions.get(f"{each.file} {each.role}"))
        for each in compared]
    table = markdown(compared, verdicts, len(everything) - len(compared))
    if options.report:
        options.report.write_text(table + "\n")
    print(table)
    return int(any(each.startswith("FAIL") for each in verdicts))


if __name__ == "__main__":
    sys.exit(main())
