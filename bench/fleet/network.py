"""A private network: a bridge, and a network namespace for each part of a fleet, with an address of its own."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

BRIDGE = "fleet"
BRIDGE_NUMBER = 1
# Number whose hardware address no part has.
NOBODY = 255


def run(*command: object) -> str:
    """Runs a command, and returns its output; fails with the command if it fails."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: exit code {done.returncode}")
    return done.stdout.strip()


def enter_private_namespaces() -> None:
    """Runs this program again, alone with its mounts, network and processes, which end with it.

    Bash is the first process, because it waits for orphans too.
    """
    if os.environ.pop("THIMBLE_FLEET_INSIDE", None):
        return
    if os.geteuid():
        raise SystemExit("network namespaces need root")
    os.environ["THIMBLE_FLEET_INSIDE"] = "1"
    os.execvp("unshare", [
        "unshare", "--net", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc",
        "bash", "-c", '"$@"; exit $?', "bash", sys.executable, *sys.argv])


def address(number: int) -> str:
    return f"10.77.0.{number}"


def hardware_address(number: int) -> str:
    return f"02:00:00:00:00:{number:02x}"


class Network:
    """The bridge is in the namespace of this process, and the other parts are reached from it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.numbers: dict[str, int] = {}
        folder.mkdir()
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", BRIDGE, "address", hardware_address(BRIDGE_NUMBER), "type", "bridge")
        run("ip", "address", "add", f"{address(BRIDGE_NUMBER)}/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")

    def add(self, name: str, number: int) -> None:
        """A namespace with the address of a number."""
        place = self.folder / name
        place.touch()
        run("unshare", f"--net={place}", "true")
        run("ip", "link", "add", self.link(number), "type", "veth", "peer", "name", "eth0",
            "address", hardware_address(number), "netns", place)
        run("ip", "link", "set", self.link(number), "master", BRIDGE, "up")
        for command in (f"addr add {address(number)}/24 dev eth0", "link set lo up", "link set eth0 up"):
            run(*self.entering(name), "ip", *command.split())
        self.numbers[name] = number

    def know_each_other(self) -> None:
        """Fixed hardware addresses: packets to a part that is cut off are lost, as behind a switch.

        Without them, the search for the address fails at once, and so do connections.
        """
        numbers = [BRIDGE_NUMBER, *self.numbers.values()]
        for name, own in [(None, BRIDGE_NUMBER), *self.numbers.items()]:
            device = "eth0" if name else BRIDGE
            lines = "".join(
                f"neigh replace {address(number)} lladdr {hardware_address(number)} dev {device} nud permanent\n"
                for number in numbers if number != own)
            subprocess.run([*(self.entering(name) if name else []), "ip", "-batch", "-"], input=lines, text=True,
                           check=True)

    def entering(self, name: str) -> list[str]:
        """The beginning of a command that runs in a namespace, under its own process number."""
        return ["nsenter", f"--net={self.folder / name}"]

    def cut(self, name: str) -> None:
        run("ip", "link", "set", self.link(self.numbers[name]), "down")

    def join(self, name: str) -> None:
        run("ip", "link", "set", self.link(self.numbers[name]), "up")

    def part(self, name: str, others: list[str]) -> None:
        """Loses all packets between a part and some others; all of them still reach the rest."""
        for other in others:
            self.direct(name, other, NOBODY)
            self.direct(other, name, NOBODY)

    def unite(self, name: str, others: list[str]) -> None:
        for other in others:
            self.direct(name, other, self.numbers[other])
            self.direct(other, name, self.numbers[name])

    def direct(self, name: str, other: str, number: int) -> None:
        """Lets a part send its packets for another to the hardware address of a number."""
        run(*self.entering(name), "ip", "neigh", "replace", address(self.numbers[other]), "lladdr",
            hardware_address(number), "dev", "eth0", "nud", "permanent")

    def end(self) -> None:
        """Releases the files; the namespaces end with their last process."""
        for place in self.folder.iterdir():
            subprocess.run(["umount", "--lazy", place], check=False, stderr=subprocess.DEVNULL)

    @staticmethod
    def link(number: int) -> str:
        return f"part{number}"
