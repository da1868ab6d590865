#!/usr/bin/python3
"""Measures the similarity of the renditions in a container to an independent reference.

The reference is made without libvips: the source is decoded in full by other libraries, rotated upright,
converted to sRGB, reduced with a Lanczos kernel to the rendition's size and, if the rendition is a JPEG,
given the same JPEG loss. SSIMULACRA2 compares the rendition with the reference without JPEG loss; its loss
is against the reference with it. Needs Pillow, numpy, Debian's libheif-examples, libavif-bin and
libgs-common, and for SSIMULACRA2 the package of this name.

Exit code 1: a rendition is below the threshold without an exception, an exception is stale, or a
rendition's size is wrong.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import sys
from pathlib import Path

from PIL import Image

import measure
import report
from colour import to_srgb
from decode import decode, nearest_frame
from perceptual import loss, ssimulacra2
from reduce import reduce


def evaluate(manifest: dict, sources: Path, container: Path) -> report.Result:
    """Compares the expanded rendition of one manifest with the reference."""
    expanded = next(r for r in manifest["renditions"] if r["role"] == "expanded")
    size = expanded["size"]["width"], expanded["size"]["height"]
    facts = {
        "file": manifest["identifier"], "format": manifest["source"]["format"],
        "orientation": manifest["source"]["orientation"], "width": size[0], "height": size[1],
    }
    try:
        source = sources / manifest["identifier"]
        rendition = container / "renditions" / expanded["file"]
        # The still of an animation is one of its frames; find the most similar one.
        has_frames = manifest["source"].get("frames", 1) > 1
        moves = has_frames and facts["format"] in ("gif", "webp", "png")
        frame = nearest_frame(source, rendition) if moves else 0
        return report.Result(**facts, **compare(source, frame, rendition, size))
    except Exception as fault:  # Continue after files that the reference cannot decode.
        return report.Result(**facts, fault=f"{type(fault).__name__}: {fault}")


def compare(source_path: Path, frame: int, rendition_path: Path, size: tuple[int, int]) -> dict:
    """The comparison of one rendition."""
    source = decode(source_path, frame)
    truth = reference = reduce(to_srgb(source), size)
    rendition = to_srgb(decode(rendition_path))
    right_size = rendition.size == size and measure.is_right_size(source.size, size)
    if rendition.size != size:
        return {"right_size": False}
    shown = reduce(rendition, size)
    quality = None
    with Image.open(rendition_path) as image:
        if image.format == "JPEG":
            quality = measure.jpeg_quality(image)
        if image.format == "JPEG" and reference.alpha is None and not same(
                source_path, rendition_path):
            reference = measure.encoded_like(truth, image)
    score = ssimulacra2(truth, shown)
    return {
        "quality": quality,
        "over_black": measure.psnr(
            reference.over(measure.BLACK), shown.over(measure.BLACK)),
        "over_white": measure.psnr(
            reference.over(measure.WHITE), shown.over(measure.WHITE)),
        "ssimulacra2": score,
        "loss": loss(truth, reference, score),
        "upright": measure.is_upright(reference, shown),
        "right_size": right_size,
    }


def same(source: Path, rendition: Path) -> bool:
    """True if the source itself was published without encoding it again."""
    return source.read_bytes() == rendition.read_bytes()


def main() -> int:
    """Parses the arguments, evaluates every manifest and prints the report."""
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, required=True, help="the folder of sources")
    parser.add_argument("--container", type=Path, required=True, help="the container")
    parser.add_argument("--threshold", type=float, default=38, help="dB; the default is 38")
    parser.add_argument("--exceptions", type=Path, default=here / "exceptions.tsv")
    parser.add_argument("--skip", action="append", default=[], help="a file to skip")
    parser.add_argument("--report", type=Path, help="also write the Markdown table here")
    parser.add_argument("--json", action="store_true", help="print JSON lines instead of a table")
    options = parser.parse_args()

    manifests = [
        json.loads(path.read_text())
        for path in (options.container / "notifications").glob("*.json")]
    # Passed-through media has no picture of its own; ffmpeg makes the posters of movies.
    passed = {m["identifier"] for m in manifests if m.get("rung") == "passed-through"}
    manifests = sorted(
        (manifest for manifest in manifests
         if manifest["identifier"] not in passed.union(options.skip)),
        key=lambda manifest: manifest["identifier"])
    if not manifests:
        parser.error(f"no manifests in {options.container}")
    with concurrent.futures.ProcessPoolExecutor(max_workers=2) as pool:
        count = len(manifests)
        results = list(pool.map(
            evaluate, manifests, [options.sources] * count, [options.container] * count))
    exceptions = report.read_exceptions(options.exceptions)
    verdicts = [
        report.verdict(result, options.threshold, exceptions.get(result.file))
        for result in results
    ]
    names = {path.relative_to(options.sources).as_posix()
             for path in options.sources.rglob("*") if path.is_file()}
    unrendered = sorted(names - passed - {result.file for result in results})
    table = report.markdown(results, verdicts, unrendered)
    if options.report:
        options.report.write_text(table + "\n")
    print(report.json_lines(results, verdicts) if options.json else table)
    return int(any(verdict.startswith("FAIL") for verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
