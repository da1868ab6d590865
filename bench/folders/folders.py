#!/usr/bin/python3
"""Measures `thimble batch` over long folders: 20,000 small pictures, and a million files.

The pictures are windows of a sample photograph at random places, reduced to 302x403 px: about 14 kB each, and
all different. The million files are names of a few text files (hard links), with a picture for every
thousandth name; each file is opened and read, and each text goes to a worker, which tells that it is not
a picture.

Processor time is user and system time of thimble and its workers, start-up included. The supervisor's
anonymous memory is read from /proc ten times a second; the medians of the second and of the last tenth of the
samples are compared, because the start is in the first.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

PACKAGE = Path(__file__).resolve().parents[2]
PHOTOGRAPH = PACKAGE / "Images" / "lake-baseline.jpg"
SIZE = 302, 403
QUALITY = 62
# ext4 allows 65,000 names per file.
NAMES_PER_TEXT = 50_000
PICTURE_EVERY = 1000


def make_pictures(folder: Path, count: int) -> None:
    """Pictures of a photograph's windows at twice the size, the same in every run."""
    folder.mkdir(parents=True, exist_ok=True)
    photograph = Image.open(PHOTOGRAPH).convert("RGB")
    width, height = SIZE
    for number in range(count):
        path = folder / f"IMG_{number:05}.jpg"
        if path.exists():
            continue
        place = random.Random(number)
        left = place.randrange(photograph.width - 2 * width)
        top = place.randrange(photograph.height - 2 * height)
        window = photograph.resize(
            SIZE, Image.Resampling.BOX, (left, top, left + 2 * width, top + 2 * height))
        window.save(path, quality=QUALITY)


def make_names(folder: Path, pictures: Path, texts: Path, count: int) -> None:
    """A folder of `count` names."""
    folder.mkdir()
    texts.mkdir(exist_ok=True)
    sources = sorted(pictures.iterdir())
    for number in range(count):
        if number % PICTURE_EVERY == 0:
            source = sources[number // PICTURE_EVERY % len(sources)]
            os.link(source, folder / f"{number:07}.jpg")
            continue
        text = texts / f"{number // NAMES_PER_TEXT}.txt"
        if not text.exists():
            text.write_text(f"note {number}\n")
        os.link(text, folder / f"{number:07}.txt")


@dataclass
class Run:
    """Figures of one run; memory in MB (10⁶)."""

    files: int
    summary: dict
    wall: float
    processor: float
    early: float
    late: float
    peak: float

    @property
    def row(self) -> str:
        grown = (self.late - self.early) * 1e6 / self.files
        done = ", ".join(
            f"{self.summary[key]:,} {name}" for key, name in [
                ("made", "made"), ("reused", "reused"), ("unchanged", "unchanged"),
                ("notPictures", "not pictures"), ("failed", "failed")] if self.summary[key])
        return (f"| {done} | {self.processor / self.files * 1e3:.2f} "
                f"| {self.wall / self.files * 1e3:.2f} | {self.files / self.wall:,.0f} "
                f"| {self.early:.1f} | {self.late:.1f} | {self.peak:.1f} | {grown:.0f} |")


def anonymous(process: int) -> float | None:
    """Anonymous memory in MB (10⁶)."""
    try:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024 / 1e6
    except OSError:
        pass
    return None


def run(thimble: Path, folder: Path, container: Path, jobs: int, report: Path) -> Run:
    """Runs a batch with the JSON report, and checks that each file has a line."""
    command = [thimble, "batch", folder, "--container", container, "--jobs", str(jobs),
               "--report", "json"]
    samples: list[float] = []
    start = time.monotonic()
    with open(report, "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        ended = threading.Event()

        def sample() -> None:
            while not ended.wait(0.1):
                if (size := anonymous(process.pid)) is not None:
                    samples.append(size)

        sampler = threading.Thread(target=sample)
        sampler.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        sampler.join()
    with open(report, "rb") as lines:
        count, last = 0, b"{}"
        for count, last in enumerate(lines):
            pass
    summary = json.loads(last)["summary"]
    if process.returncode != 0 or summary["files"] != count or summary["failed"]:
        raise SystemExit(f"exit code {process.returncode}, {count} lines: {summary}")
    tenth = max(1, len(samples) // 10)
    return Run(
        count, summary, wall, usage.ru_utime + usage.ru_stime,
        statistics.median(samples[tenth:2 * tenth] or samples),
        statistics.median(samples[-tenth:]), max(samples))


def machine(folder: Path) -> str:
    model = next(
        (line.split(":")[1].strip() for line in open("/proc/cpuinfo") if "model name" in line), "?")
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True).stdout
    return f"{model}, {os.cpu_count()} cores; Linux {os.uname().release}; file system {kind.strip()}"


HEADER = """| {} | CPU ms | wall ms | files/s | second tenth MB | last tenth MB | peak MB | grown, bytes a file |
|---|---:|---:|---:|---:|---:|---:|---:|"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thimble", type=Path, default=PACKAGE / ".build/release/thimble")
    parser.add_argument("--pictures", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=1_000_000, help="0 measures pictures only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=Path, default=PACKAGE / ".build/folders")
    parser.add_argument("--report", type=Path, help="write the tables to this file")
    options = parser.parse_args()
    work = options.work
    pictures, names, container = work / "pictures", work / "names", work / f"container-{os.getpid()}"
    texts, lines = work / "texts", work / "report.ndjson"
    work.mkdir(parents=True, exist_ok=True)
    load = os.getloadavg()[0]
    make_pictures(pictures, options.pictures)
    length = statistics.mean(path.stat().st_size for path in pictures.iterdir())

    def measure(folder: Path) -> Run:
        return run(options.thimble, folder, container, options.jobs, lines)

    try:
        print(f"{options.pictures:,} pictures", file=sys.stderr)
        # A new name: ext4 without a journal avoids the inodes of recently removed files, and
        # looking for others costs more than a picture.
        runs = [measure(pictures), measure(pictures)]
        many = None
        if options.files:
            print(f"{options.files:,} files", file=sys.stderr)
            shutil.rmtree(names, ignore_errors=True)
            make_names(names, pictures, texts, options.files)
            many = measure(names)
        text = f"""# Long folders

Made by `make folders`: `thimble batch FOLDER --container NEW --jobs {options.jobs} --report json`.

{options.pictures:,} JPEGs of {SIZE[0]}x{SIZE[1]} px, {length / 1e3:.1f} kB each, in one folder: a first run,
and a second one that skips them. Per file; CPU is that of thimble and its workers, memory is the supervisor's,
anonymous, in MB (10⁶).

""" + "\n".join([HEADER.format("pictures"), *(each.row for each in runs)])
        if many:
            text += f"""

A folder of {options.files:,} names: hard links of texts, each of which a worker is asked about, and a picture for
every {PICTURE_EVERY:,}th, already published for another identifier.

""" + "\n".join([HEADER.format("files"), many.row])
        text += f"\n\n{machine(work)}; load average before the start {load:.1f}.\n"
        print(text)
        if options.report:
            options.report.write_text(text)
    finally:
        for folder in names, texts, container:
            shutil.rmtree(folder, ignore_errors=True)
        lines.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
