#!/usr/bin/python3
"""Measures the first picture after a start: every file of a folder with a cold page cache, by caps and read-ahead.

Under control groups, pages of programs, libraries and pictures count when they are first read, and a disk that
reads far ahead would evict the pages of the group again and again. Each measurement is a new `thimble
process` from start to end, with a new container. *Warm* is the median of three runs, *cold* the slowest of
`--rounds`, each after the cache was dropped. *Two* is `thimble batch --jobs 2` over two pictures of different
bytes, started cold: both workers start at once.

Needs root, for /proc/sys/vm/drop_caches and the disk's read-ahead, which is restored afterwards. Fails if a
picture takes longer than its warm time plus one second, or two at 8 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
# Most seconds above the warm time.
ALLOWED = {"8MB": 2.0, "12MB": 1.0}
# Kilobytes: Linux's default, and the value of RAID sets and tuned servers.
READ_AHEADS = (128, 8192)
PICTURES = {".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".avif", ".tif", ".tiff", ".bmp", ".jxl"}


class Disk:
    """Read-ahead of the disk that has a folder, restored at the end."""

    def __init__(self, folder: Path) -> None:
        device = folder.stat().st_dev
        place = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").resolve()
        # A partition has the queue of its disk.
        queues = [place / "queue", place.parent / "queue"]
        queue = next((queue for queue in queues if (queue / "read_ahead_kb").exists()), None)
        if queue is None:
            raise SystemExit(f"the disk of {folder} has no read-ahead in /sys; use a folder on a disk")
        self.control = queue / "read_ahead_kb"

    def __enter__(self) -> Disk:
        self.before = self.control.read_text()
        return self

    def __exit__(self, *_: object) -> None:
        self.control.write_text(self.before)

    def read_ahead(self, kilobytes: int) -> None:
        self.control.write_text(str(kilobytes))


def drop_cache() -> None:
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")


@dataclass(frozen=True)
class Place:
    """Program and folder of the measurements."""

    thimble: Path
    work: Path

    def run(self, command: str, path: Path, cap: str, *options: str) -> tuple[float, str]:
        """Seconds of a new process, and its outcome."""
        container = self.work / "container"
        shutil.rmtree(container, ignore_errors=True)
        identifier = ["--id", "x"] if command == "process" else []
        start = time.monotonic()
        run = subprocess.run(
            [self.thimble, command, path, "--container", container, *identifier, "--cap", cap, "--enforce",
             "cgroup", "--report", "json", *options], capture_output=True, text=True)
        seconds = time.monotonic() - start
        if run.returncode == 0:
            return seconds, "made"
        try:
            return seconds, json.loads(run.stdout)["attachments"][0]["error"]
        except (KeyError, IndexError, ValueError):
            return seconds, f"exit code {run.returncode}"

    def two(self, picture: Path) -> Path:
        """A folder of the picture and of another one: identical bytes are processed once."""
        folder = self.work / "two"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copyfile(picture, folder / f"a{picture.suffix}")
        data = picture.read_bytes()
        (folder / f"b{picture.suffix}").write_bytes(data + b"\n")
        return folder


@dataclass(frozen=True)
class Figure:
    """Seconds and outcomes of a picture."""

    warm: float
    cold: float
    two: float
    outcomes: set[str]

    @property
    def excess(self) -> float:
        return max(self.cold, self.two) - self.warm


def measure(place: Place, picture: Path, cap: str, rounds: int) -> Figure:
    """Warm first, so that the measurement itself has read its files once."""
    warm = [place.run("process", picture, cap) for _ in range(4)][1:]
    cold, outcomes = [], {outcome for _, outcome in warm}
    for _ in range(rounds):
        drop_cache()
        seconds, outcome = place.run("process", picture, cap)
        cold.append(seconds)
        outcomes.add(outcome)
    folder = place.two(picture)
    drop_cache()
    two, _ = place.run("batch", folder, cap, "--jobs", "2")
    return Figure(statistics.median(seconds for seconds, _ in warm), max(cold), two, outcomes)


def tables(place: Place, disk: Disk, pictures: list[Path], rounds: int) -> tuple[str, list[str]]:
    """The report's tables, and what takes too long or ends differently when cold."""
    text, faults = "", []
    for cap, allowed in ALLOWED.items():
        figures: dict[Path, list[Figure]] = {}
        for picture in pictures:
            for kilobytes in READ_AHEADS:
                print(f"\r{cap} {picture.name:40}", end="", file=sys.stderr, flush=True)
                disk.read_ahead(kilobytes)
                figure = measure(place, picture, cap, rounds)
                figures.setdefault(picture, []).append(figure)
                case = f"{picture.name} at {cap}, read-ahead {kilobytes} KiB"
                if figure.excess > allowed:
                    faults.append(f"{case}: {figure.excess:.2f} s above its warm time")
                if len(figure.outcomes) > 1:
                    faults.append(f"{case}: {', '.join(sorted(figure.outcomes))}")
        worst = max(each.excess for both in figures.values() for each in both)
        text += f"\n## {cap}\n\nAt most {worst:.2f} s above the warm time, {allowed:.0f} allowed.\n\n"
        text += "| file | outcome | warm s | " + " | ".join(
            f"cold, {kilobytes} KiB | two, {kilobytes} KiB" for kilobytes in READ_AHEADS) + " |\n"
        text += "|---|---|---:|" + "---:|---:|" * len(READ_AHEADS) + "\n"
        for picture, both in figures.items():
            outcome = ", ".join(sorted(both[0].outcomes))
            text += f"| {picture.name} | {outcome} | {both[0].warm:.2f} | " + " | ".join(
                f"{each.cold:.2f} | {each.two:.2f}" for each in both) + " |\n"
    print(file=sys.stderr)
    return text, faults


def machine() -> str:
    model = next(
        (line.split(":")[1].strip() for line in open("/proc/cpuinfo") if "model name" in line), "?")
    return f"{model}, {os.cpu_count()} cores; Linux {os.uname().release}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--thimble", type=Path, default=PACKAGE / ".build/release/thimble")
    parser.add_argument("--work", type=Path, default=PACKAGE / ".build/cold")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--filter", default="", help="only files whose name contains this")
    parser.add_argument("--report", type=Path, help="write the tables to this file")
    options = parser.parse_args()
    if not os.access("/proc/sys/vm/drop_caches", os.W_OK):
        raise SystemExit("only root may drop the page cache; run this as root, outside a container")
    options.work.mkdir(parents=True, exist_ok=True)
    pictures = sorted(
        path for path in options.folder.iterdir()
        if path.suffix.lower() in PICTURES and options.filter in path.name)
    if not pictures:
        raise SystemExit(f"{options.folder} has no pictures named like '{options.filter}'")
    load = os.getloadavg()[0]
    try:
        with Disk(options.folder) as disk:
            text, faults = tables(
                Place(options.thimble.resolve(), options.work), disk, pictures, options.rounds)
    finally:
        shutil.rmtree(options.work)
    text = f"""# The first picture after a start

Made by `make cold`: `thimble process FILE --enforce cgroup` in a new process with a new container. *Warm* is the
median of three runs, *cold* the slowest of {options.rounds} with an empty page cache, *two* two workers at once,
cold (`thimble batch --jobs 2`), by the disk's read-ahead.

{machine()}; load before the start {load:.1f}.
{text}"""
    print(text)
    if options.report:
        options.report.write_text(text)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
