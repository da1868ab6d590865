"""Control groups, which hold processes to a share of a core and count their CPU."""

from __future__ import annotations

import os
import pathlib
import signal
import time

ROOT = pathlib.Path("/sys/fs/cgroup")
PERIOD = 100_000  # microseconds
ENTER = pathlib.Path(__file__).with_name("in_group.sh")


class ControlGroup:
    """A group of either version; version 1 has a hierarchy for quotas, and one for the count."""

    def __init__(self, name: str, cores: float | None = None) -> None:
        self.is_unified = (ROOT / "cgroup.controllers").exists()
        name = f"thimble-fleet-{os.getpid()}-{name}"
        self.folders = [ROOT / name] if self.is_unified else [ROOT / "cpu" / name, ROOT / "cpuacct" / name]
        try:
            if self.is_unified:
                (ROOT / "cgroup.subtree_control").write_text("+cpu")
            for folder in self.folders:
                folder.mkdir(exist_ok=True)
            if cores:
                quota = round(cores * PERIOD)
                if self.is_unified:
                    (self.folders[0] / "cpu.max").write_text(f"{quota} {PERIOD}")
                else:
                    (self.folders[0] / "cpu.cfs_period_us").write_text(str(PERIOD))
                    (self.folders[0] / "cpu.cfs_quota_us").write_text(str(quota))
        except OSError as error:
            raise SystemExit(f"control groups with a quota of CPU are not available: {error}") from error

    @property
    def entering(self) -> list[str]:
        """The beginning of a command that runs in the group, under its own process number."""
        return [str(ENTER), ",".join(map(str, self.folders))]

    @property
    def seconds(self) -> float:
        """CPU of all processes that are or were in the group."""
        if not self.is_unified:
            return int((self.folders[1] / "cpuacct.usage").read_text()) / 1e9
        for line in (self.folders[0] / "cpu.stat").read_text().splitlines():
            name, value = line.split()
            if name == "usage_usec":
                return int(value) / 1e6
        raise SystemExit("cpu.stat has no usage_usec")

    def processes(self, program: str) -> dict[int, float]:
        """CPU seconds of the running processes of a program, by process number."""
        found = {}
        for number in map(int, (self.folders[-1] / "cgroup.procs").read_text().split()):
            try:
                name, _, rest = pathlib.Path(f"/proc/{number}/stat").read_text().partition(" (")[2].rpartition(") ")
            except FileNotFoundError:
                continue
            # The kernel keeps 15 characters of a name. Fields 14 and 15 are user and system time.
            if name == program[:15]:
                found[number] = sum(map(int, rest.split()[11:13])) / os.sysconf("SC_CLK_TCK")
        return found

    def remove(self) -> None:
        """Removes the group; kills what is still in it."""
        for folder in self.folders:
            for _ in range(100):
                try:
                    folder.rmdir()
                    break
                except OSError:
                    for process in (folder / "cgroup.procs").read_text().split():
                        try:
                            os.kill(int(process), signal.SIGKILL)
                        except ProcessLookupError:
                            pass
                    time.sleep(0.1)
