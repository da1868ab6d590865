"""Judges renditions of photographs by SSIMULACRA2 and PSNR, at ten widths.

The truth at each width is a full decode without libvips, reduced with Lanczos 3 and not encoded. The
reference is the truth encoded at quality 80 and 4:2:0 as the tool encodes: by thimble's encoder for thimble,
by libjpeg for all others. The loss of a tool is the score of its reference less its own: what decoding and
reduction cost, whatever the encoder. `vipsthumbnail` and, for upright JPEGs in sRGB, libvips of
PyPI are beside thimble at every width, the other peers of `make throughput` at one.

Exit code 1: a loss of thimble is above the limit without an exception, an exception is stale, or the
median is above vipsthumbnail's. Needs the packages of `bench/fidelity` and of `bench/python.txt`.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from ssimulacra2 import compute_ssimulacra2

import candidates
import report
from candidates import NEWEST_LIBVIPS, QUALITY, THIMBLE, VIPSTHUMBNAIL, Task

sys.path.append(str(Path(__file__).resolve().parents[1] / "fidelity"))

import measure  # noqa: E402
from colour import to_srgb  # noqa: E402
from decode import decode, stored_orientation  # noqa: E402
from picture import Picture, eight_bit  # noqa: E402
from reduce import reduce  # noqa: E402

WIDTHS = [300, 400, 500, 600, 720, 840, 960, 1080, 1200, 1320]
PEER_WIDTH = 720
# Narrower pictures would not be reduced at most widths.
LEAST_WIDTH = 1400
# Larger ones are stress tests, and their planes would not fit in memory.
MOST_PIXELS = 250_000_000
FORMATS = {".jpg", ".jpeg", ".heic", ".hif", ".avif", ".webp", ".tif", ".tiff"}


def score(truth: Path, rendition: Path) -> report.Score:
    """Compares two files of the same size."""
    with Image.open(truth) as one, Image.open(rendition) as other:
        first, second = np.asarray(one.convert("RGB")), np.asarray(other.convert("RGB"))
    if first.shape != second.shape:
        raise ValueError(f"{rendition.name} has the size {second.shape}, not {first.shape}")
    return report.Score(
        float(compute_ssimulacra2(str(truth), str(rendition))),
        measure.psnr(first.astype(np.float32), second.astype(np.float32)))


def rows(
        program: Path, encoder: Path, source: Path, widths: list[int]) -> list[report.Row]:
    """The scores of one photograph at some widths; none if it is not suitable."""
    picture = photograph(source)
    if picture is None:
        return []
    result = []
    for width in widths:
        with tempfile.TemporaryDirectory(prefix="quality-") as folder:
            task = Task(source, width, Path(folder))
            try:
                own = candidates.thimble(program)(task)
                other = candidates.vipsthumbnail(task)
            except subprocess.CalledProcessError as error:
                # Damage that other decoders overlook, or a file that vipsthumbnail cannot read; `make
                # fidelity` checks what thimble refuses.
                reason = (error.stderr.decode().strip().splitlines() or ["no reason"])[-1]
                print(f"{source.name}: left out: {reason}", file=sys.stderr, flush=True)
                return []
            with Image.open(own) as image:
                size = image.size
            truth, reference = task.folder / "truth.png", task.folder / "reference.jpg"
            pixels = Image.fromarray(eight_bit(reduce(picture, size).colour))
            pixels.save(truth, compress_level=1)
            pixels.save(reference, quality=QUALITY, subsampling="4:2:0")
            pixels.save(truth.with_suffix(".ppm"))
            own_reference = task.folder / "own-reference.jpg"
            candidates.run(encoder, "encode", truth.with_suffix(".ppm"), own_reference,
                           "--quality", QUALITY)
            scores = {THIMBLE: score(truth, own),
                      VIPSTHUMBNAIL: score(truth, other)}
            if suits_peers(source):
                peers = list(candidates.PEERS) if width == PEER_WIDTH else [NEWEST_LIBVIPS]
                scores |= peer_scores(task, truth, peers)
            result.append(report.Row(source.name, width, score(truth, reference),
                                     score(truth, own_reference), scores))
    return result


def suits_peers(source: Path) -> bool:
    """True for upright JPEGs without a profile, which the peers need not turn or convert."""
    try:
        with Image.open(source) as image:
            return (image.format == "JPEG" and image.mode == "RGB"
                    and "icc_profile" not in image.info and stored_orientation(image) == 1)
    except OSError:  # Pillow cannot read HEIC.
        return False


def peer_scores(task: Task, truth: Path, peers: list[str]) -> dict[str, report.Score]:
    """The scores of peers that are installed."""
    scores = {}
    for name in peers:
        try:
            scores[name] = score(truth, candidates.PEERS[name](task))
        except (OSError, subprocess.CalledProcessError):
            continue
    return scores


def photograph(path: Path) -> Picture | None:
    """An opaque still that is large enough, in sRGB."""
    try:
        with Image.open(path) as image:
            if image.width * image.height > MOST_PIXELS:
                return None
    except OSError:
        pass  # Pillow cannot read HEIC.
    try:
        picture = decode(path)
    except Exception:  # Folders of test pictures contain broken files too.
        return None
    return to_srgb(picture) if picture.alpha is None and picture.size[0] >= LEAST_WIDTH else None


def main() -> int:
    """Scores every photograph and prints the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photographs", type=Path, required=True, help="the folder of photographs")
    parser.add_argument("--thimble", type=Path, required=True, help="the program")
    parser.add_argument("--encoder", type=Path, required=True, help="jpeg-encoder-benchmark")
    parser.add_argument("--filter", default="", help="only files whose name contains this")
    parser.add_argument("--widths", type=int, nargs="+", default=WIDTHS, help="by default ten")
    parser.add_argument("--jobs", type=int, default=2, help="photographs at once; by default 2")
    parser.add_argument("--limit", type=float, default=1.0, help="the largest loss; by default 1.0")
    parser.add_argument("--report", type=Path, help="also write the Markdown table here")
    options = parser.parse_args()

    chosen = [path for path in sorted(options.photographs.iterdir())
              if path.suffix.lower() in FORMATS and options.filter in path.name]
    results: list[report.Row] = []
    with concurrent.futures.ProcessPoolExecutor(max_workers=options.jobs) as pool:
        programs = options.thimble.resolve(), options.encoder.resolve()
        jobs = {pool.submit(rows, *programs, path, options.widths): path for path in chosen}
        for job in concurrent.futures.as_completed(jobs):
            if scored := job.result():
                results += scored
                losses = ", ".join(f"{row.width}: {row.loss(THIMBLE):.2f}" for row in scored)
                print(f"{jobs[job].name}: {losses}", file=sys.stderr, flush=True)
    if not results:
        parser.error(f"no photographs of {LEAST_WIDTH} px in {options.photographs}")
    results.sort(key=lambda row: (row.photograph, row.width))
    exceptions = report.read_exceptions()
    versions = candidates.versions(options.thimble.resolve())
    text = report.markdown(results, exceptions, options.limit, versions)
    if options.report:
        title = f"# Quality\n\nMade by `make quality`, with {'; '.join(versions.values())}.\n\n"
        options.report.write_text(title + text + "\n")
    print(text)
    failed = report.failures(results, exceptions, options.limit)
    for failure in failed:
        print(f"FAIL {failure}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
