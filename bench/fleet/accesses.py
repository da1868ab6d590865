"""The log of the store's requests, which tells how often each job was begun and finished, and how it goes on."""

from __future__ import annotations

import collections
import pathlib
import re
import threading
import time

# A line of Swift's object server.
REQUEST = re.compile(rb'"(GET|PUT) /d1/\d+/[^/]+/renditions/r/results/../([0-9a-f]{64})\.json" (\d+) ')


class Accesses:
    """Reads the log from where it stopped last time.

    A worker asks for the result of a job before it begins, and stores it when it has finished. A request whose
    server was killed before it was logged is missing here.
    """

    def __init__(self, log: pathlib.Path) -> None:
        self.log = log
        self.place = 0
        self.begun: collections.Counter[str] = collections.Counter()
        self.finished: collections.Counter[str] = collections.Counter()

    def read(self) -> None:
        if not self.log.exists():
            return
        with open(self.log, "rb") as file:
            file.seek(self.place)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self.place += len(line)
                found = REQUEST.search(line)
                if not found:
                    continue
                method, job, status = found[1], found[2].decode(), found[3]
                if method == b"PUT" and status == b"201":
                    self.finished[job] += 1
                elif method == b"GET" and status == b"404":
                    self.begun[job] += 1

    @staticmethod
    def again(counts: collections.Counter[str], jobs: set[str] | None = None) -> int:
        """The number beyond one of each job."""
        return sum(count - 1 for job, count in counts.items() if jobs is None or job in jobs)


class Progress:
    """Reads the log each second, and measures the time without another finished job."""

    def __init__(self, accesses: Accesses) -> None:
        self.accesses = accesses
        self.finished = 0
        self.finished_at = time.monotonic()
        self.longest_pause = 0.0
        self.is_halted = False  # during the outage
        self.lock = threading.Lock()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        while True:
            self.look()
            time.sleep(1)

    def look(self) -> None:
        with self.lock:
            self.accesses.read()
            finished, now = len(self.accesses.finished), time.monotonic()
            if finished == self.finished and not self.is_halted:
                return
            # After the last job there is no pause; the line of a job may be missing in the log.
            if not self.is_halted:
                self.longest_pause = max(self.longest_pause, self.pause)
            self.finished, self.finished_at = finished, now

    @property
    def pause(self) -> float:
        """Seconds since a job was finished."""
        return time.monotonic() - self.finished_at
