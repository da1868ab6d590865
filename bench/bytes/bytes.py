"""Compares the bytes of encoders of JPEG at equal scores, over 40 pictures at 1320 px.

libjpeg-turbo at quality 80 sets the scores of each picture: SSIMULACRA2, and the 3-norm of butteraugli.
For every other encoder the quality is searched that has the same score; the figure is its bytes by
libjpeg-turbo's. No picture was used to choose our tables and thresholds.

Exit code 1: a bar is missed, or the product's score differs from that of the package ssimulacra2.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import multiprocessing
import statistics
import sys
import tempfile
from pathlib import Path

import report
from encoders import encoders, has_mozjpeg, libjpeg, mozjpeg, versions
from names import DEFAULT, MOZJPEG, QUALITY
from pictures import Source, banner, expanded, listed, run
from scores import butteraugli, package_score, similarity
from search import equal_bytes

# mozjpeg's tables of libvips; the best one over some photographs is taken.
TABLES = range(9)
TABLE_PHOTOGRAPHS = 4
# Two implementations that sum in another order.
SCORE_TOLERANCE = 0.01


def picture(program: Path, source: Source, table: int) -> report.Row:
    """The figures of a picture."""
    score = similarity(program)
    with tempfile.TemporaryDirectory(prefix="bytes-") as name:
        folder = Path(name)
        shown = expanded(source, folder)
        base = libjpeg(shown, QUALITY)
        targets = score(shown, base), butteraugli(shown, base)
        check(package_score(shown, base), targets[0], source.name)
        ratios = {}
        for encoder, encode in encoders(program, table).items():
            equal = equal_bytes(encode, score, shown, targets[0], QUALITY)
            norm = equal_bytes(encode, butteraugli, shown, targets[1], QUALITY)
            ratios[encoder] = equal / len(base), norm / len(base)
        small = banner(shown, folder)
        plain, own = libjpeg(small, QUALITY), encoders(program, table)[DEFAULT](small, QUALITY)
        cost = json.loads(run(program, "cost", shown.ppm))
        return report.Row(
            source.name, source.kind, shown.size, len(base), targets[0], ratios,
            len(own) / len(plain), score(small, own) - score(small, plain), cost)


def check(independent: float, own: float, name: str) -> None:
    """Stops at a difference of the two implementations of the score."""
    if abs(independent - own) > SCORE_TOLERANCE:
        raise ValueError(f"{name} scores {own} by the product, {independent} by ssimulacra2")


def best_table(program: Path, sources: list[Source]) -> int:
    """The table of mozjpeg with the fewest bytes over some photographs, by SSIMULACRA2."""
    score = similarity(program)
    photographs = [source for source in sources if source.kind == "photograph"]
    chosen = photographs[::max(1, len(photographs) // TABLE_PHOTOGRAPHS)][:TABLE_PHOTOGRAPHS]
    ratios: dict[int, list[float]] = {table: [] for table in TABLES}
    for source in chosen:
        with tempfile.TemporaryDirectory(prefix="bytes-") as name:
            shown = expanded(source, Path(name))
            if not has_mozjpeg(shown):
                raise ValueError("pyvips has found a libvips without mozjpeg: install "
                                 "pyvips-binary after pyvips, as bench/python.txt has them")
            base = libjpeg(shown, QUALITY)
            target = score(shown, base)
            for table, values in ratios.items():
                equal = equal_bytes(mozjpeg(table), score, shown, target, QUALITY)
                values.append(equal / len(base))
    return min(TABLES, key=lambda table: statistics.mean(ratios[table]))


def main() -> int:
    """Measures all pictures and prints the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True, help="jpeg-encoder-benchmark")
    parser.add_argument("--root", type=Path, default=Path("/"), help="root of the packages")
    parser.add_argument("--filter", default="", help="only pictures whose name contains this")
    parser.add_argument("--jobs", type=int, default=2, help="pictures at once; by default 2")
    parser.add_argument("--report", type=Path, help="also write the Markdown page here")
    options = parser.parse_args()

    program = options.program.resolve()
    sources = [source for source in listed(options.root) if options.filter in source.name]
    missing = [str(source.path) for source in sources if not source.path.is_file()]
    if missing or not sources:
        parser.error(f"missing pictures: {', '.join(missing) or options.filter}")
    table = best_table(program, sources)
    print(f"{MOZJPEG}: table {table}", file=sys.stderr, flush=True)
    rows: list[report.Row] = []
    # A fork of a process in which libvips runs would wait for threads that it does not have.
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        jobs = [pool.submit(picture, program, source, table) for source in sources]
        for job in concurrent.futures.as_completed(jobs):
            row = job.result()
            rows.append(row)
            figures = ", ".join(f"{name} {equal:.3f}" for name, (equal, _) in row.ratios.items())
            print(f"{row.name}: {figures}", file=sys.stderr, flush=True)
    order = [source.name for source in sources]
    rows.sort(key=lambda row: order.index(row.name))
    libraries = f"{versions()}, table {table}; CPU beside {rows[0].cost['library']} of Debian"
    text = report.markdown(rows, libraries)
    if options.report:
        options.report.write_text(f"# Bytes\n\nMade by `make bytes`.\n\n{text}\n")
    print(text)
    missed = [bar.text for bar in report.bars(rows) if not bar.is_met]
    for bar in missed:
        print(f"MISSED {bar}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
