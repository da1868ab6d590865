"""Lines of a process's log, and the bound on them during an outage of the broker."""

from __future__ import annotations

import pathlib

from verify import Fault


class LogLines:
    """What was logged since this was created, or from the beginning.

    `starts` is the number of processes that have written to it.
    """

    def __init__(self, log: pathlib.Path, starts: int, from_beginning: bool = False) -> None:
        self.log, self.starts = log, starts
        self.place = log.stat().st_size if not from_beginning and log.exists() else 0

    def lines(self) -> list[str]:
        if not self.log.exists():
            return []
        with open(self.log, encoding="utf-8", errors="replace") as file:
            file.seek(self.place)
            return file.readlines()

    def count(self) -> int:
        return len(self.lines())

    def check_outage(self, starts: int, connections: int) -> str:
        """One line for the loss of each connection, and one for its end, of each process.

        Poison kills workers as soon as the broker is back, so there may be several.
        """
        lines = self.lines()
        lost = sum('"broker lost"' in line for line in lines)
        again = sum('"broker connected again"' in line for line in lines)
        processes = 1 + starts - self.starts
        text = f"{lost} times lost, {again} times connected again, {processes - 1} restarts"
        if not 1 <= lost <= connections * processes or not 1 <= again <= connections * processes:
            raise Fault(f"the log of {self.log.name} about the outage: {text}")
        return text
