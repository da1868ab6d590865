#!/usr/bin/python3
"""Measures the deepest stack of the workers' threads, by kind of picture.

Runs `thimble batch` on folders of pictures without limits on stacks, and reads the page maps of its workers
a thousand times a second. A touched page of a stack stays present, so that a sample includes all earlier
pictures of the thread. Run as root.
"""

from __future__ import annotations

import argparse
import os
import struct
import subprocess
import tempfile
import time
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
PAGE = os.sysconf("SC_PAGE_SIZE")
# Present, or swapped out (Linux, Documentation/admin-guide/mm/pagemap.rst).
TOUCHED = 3 << 62
# Stack of the main thread in place of its number.
MAIN = 0


def descendants(process: int) -> list[int]:
    """Processes started by a process, directly or not."""
    found = []
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            children = Path(f"/proc/{process}/task/{task}/children").read_text().split()
            found += [int(child) for child in children]
    except OSError:
        return []
    return found + [other for child in found for other in descendants(child)]


class Worker:
    """Stacks of one worker process."""

    def __init__(self, process: int, program: str) -> None:
        self.process, self.program = process, program
        self.maps = open(f"/proc/{process}/maps")
        self.pages = open(f"/proc/{process}/pagemap", "rb", buffering=0)
        # Highest stack pointer of each thread.
        self.tops: dict[int, int] = {}
        self.depths: dict[str, int] = defaultdict(int)

    def sample(self) -> None:
        mappings = self.mappings()
        for task in map(int, os.listdir(f"/proc/{self.process}/task")):
            if task == self.process:
                continue
            # Number, arguments, stack pointer and program counter; less for a running thread.
            words = Path(f"/proc/{self.process}/task/{task}/syscall").read_text().split()
            if len(words) >= 3:
                self.tops[task] = max(self.tops.get(task, 0), int(words[-2], 16))
            top = self.tops.get(task)
            for start, end in mappings:
                if top and start <= top < end:
                    self.note("other", top - self.lowest(start, end))

    def mappings(self) -> list[tuple[int, int]]:
        """Private writable mappings without a file, and the main thread's stack, which it notes."""
        found = []
        self.maps.seek(0)
        for line in self.maps:
            words = line.split()
            start, end = (int(word, 16) for word in words[0].split("-"))
            if words[-1] == "[stack]":
                self.note("main", end - self.lowest(start, end))
            elif words[1] == "rw-p" and len(words) == 5:
                found.append((start, end))
        return found

    def lowest(self, start: int, end: int) -> int:
        """Address of the lowest touched page; stacks have an unmapped guard below them."""
        data = os.pread(self.pages.fileno(), (end - start) // PAGE * 8, start // PAGE * 8)
        entries = struct.unpack(f"{len(data) // 8}Q", data)
        # The end if the process has exited.
        return next((start + PAGE * n for n, entry in enumerate(entries) if entry & TOUCHED), end)

    def note(self, thread: str, depth: int) -> None:
        self.depths[thread] = max(self.depths[thread], depth)


def measure(thimble: Path, folder: Path, engine: str) -> dict[tuple[str, str], int]:
    """Depths in bytes by program and thread."""
    workers: dict[int, Worker] = {}
    with tempfile.TemporaryDirectory(dir=PACKAGE / ".build") as container:
        batch = subprocess.Popen(
            [thimble, "batch", folder, "--container", container, "--enforce", "monitor", "--jobs", "1",
             "--threads", "2", "--engine", engine], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while batch.poll() is None:
            for process in descendants(batch.pid):
                try:
                    if process not in workers:
                        program = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]
                        name = Path(program.decode()).name
                        if name in ("thimble-worker", "thimble-row-worker"):
                            workers[process] = Worker(process, name)
                    if process in workers:
                        workers[process].sample()
                except (OSError, struct.error, UnicodeDecodeError):
                    # It exited.
                    continue
            time.sleep(0.001)
    found: dict[tuple[str, str], int] = defaultdict(int)
    for worker in workers.values():
        for thread, depth in worker.depths.items():
            key = worker.program, thread
            found[key] = max(found[key], depth)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+", help="folders of pictures, one kind each")
    parser.add_argument("--thimble", type=Path, default=PACKAGE / ".build/release/thimble")
    parser.add_argument("--report", type=Path)
    arguments = parser.parse_args()
    lines = [
        "# Stacks", "", "By `make stacks`: deepest stack of the workers' threads, without limits.", "",
        "| pictures | engine | program | thread | deepest |", "|---|---|---|---|---:|",
    ]
    for folder in arguments.folders:
        for engine in ("auto", "libvips"):
            found = measure(arguments.thimble, folder, engine)
            for (program, thread), depth in sorted(found.items()):
                lines.append(
                    f"| {folder.name} | {engine} | `{program}` | {thread} | {depth // 1024} KiB |")
                print(lines[-1], flush=True)
    if arguments.report:
        arguments.report.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
