"""Lines of a process's log, and the bound on them during an outage of the broker."""

from __future__ import annotations

import pathlib


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

    def outage(self, starts: int, connections: int) -> tuple[str, bool]:
        """Numbers of lines, and true if there are few: one for the loss of each connection, and one for its end.

        Poison kills workers as soon as the broker is back, so there may be several processes, of which the later ones
        connect for the first time. While the nodes find each other, one may close its connections again; twice as many
        lines are still few.
        """
        lines = self.lines()
        lost = sum('"broker lost"' in line for line in lines)
        again = sum('"broker connected again"' in line for line in lines)
        processes = 1 + starts - self.starts
        text = f"{lost} times lost, {again} times connected again, {processes - 1} restarts"
        most = 2 * connections * processes
        return text, 1 <= lost <= most and (processes > 1 or again >= 1) and again <= most
