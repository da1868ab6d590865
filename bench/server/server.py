"""A thimble-server process for benchmarks, and what Linux and its second port say of it."""

import json
import os
import pathlib
import platform
import subprocess
import time
import urllib.request


class Server:
    def __init__(self, programs: str, folder: pathlib.Path, *arguments: str):
        self.folder = folder
        self.container = folder / "container"
        self.log = folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [os.path.join(programs, "thimble-server"), "--container", self.container,
                 "--port", "0", "--operations-port", "0", "--log-level", "warning",
                 *arguments], stderr=log, stdin=subprocess.DEVNULL)
        self.port = self.operations_port = None
        deadline = time.monotonic() + 20
        while not (self.port and self.operations_port):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit(f"the server does not start: {self.log.read_text()}")
            time.sleep(0.05)
            ports = self.listening()
            if len(ports) == 2:
                self.port, self.operations_port = self.order(ports)

    def listening(self) -> list[int]:
        """Ports that the process listens on, from its descriptors and /proc/net/tcp."""
        pid = self.process.pid
        sockets = set()
        try:
            for name in os.listdir(f"/proc/{pid}/fd"):
                link = os.readlink(f"/proc/{pid}/fd/{name}")
                if link.startswith("socket:["):
                    sockets.add(link[8:-1])
        except OSError:
            return []
        ports = []
        for line in open("/proc/net/tcp").readlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in sockets:
                ports.append(int(fields[1].split(":")[1], 16))
        return ports

    @staticmethod
    def order(ports: list[int]) -> tuple[int, int]:
        """The service's port, then the port of operations."""
        for operations in ports:
            try:
                url = f"http://127.0.0.1:{operations}/health/live"
                if urllib.request.urlopen(url, timeout=5).read() == b"live\n":
                    return next(port for port in ports if port != operations), operations
            except OSError:
                continue
        return (0, 0)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def metrics(self) -> dict[str, float]:
        url = f"http://127.0.0.1:{self.operations_port}/metrics"
        text = urllib.request.urlopen(url, timeout=10).read().decode()
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}

    def anonymous(self) -> int:
        """Resident anonymous bytes of the server, without its workers."""
        return status(self.process.pid, "RssAnon")

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processes(self) -> list[int]:
        """The server's descendants that have not exited."""
        return descendants(self.process.pid)

    def post(self, path: str, kind: str, body: bytes, headers: dict | None = None) -> dict:
        request = urllib.request.Request(
            self.url + path, data=body, headers={"Content-Type": kind, **(headers or {})})
        return json.loads(urllib.request.urlopen(request, timeout=60).read())

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(timeout=40)


def machine() -> str:
    """The processor, its cores, memory and kernel."""
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                  if line.startswith("model name")), platform.machine())
    memory = int(open("/proc/meminfo").readline().split()[1]) * 1024
    return (f"{model}, {os.cpu_count()} cores, {memory / 1e9:.1f} GB, "
            f"Linux {'.'.join(platform.release().split('.')[:2])}")


def status(pid: int, *names: str) -> int:
    """Sum of fields of /proc/PID/status in bytes; 0 for a process that is gone."""
    try:
        lines = open(f"/proc/{pid}/status").readlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.split(":")[0] in names)


def footprint(pid: int) -> int:
    """Anonymous, shared and swapped memory of a process, as in bench/README.md."""
    return status(pid, "RssAnon", "RssShmem", "VmSwap")


def descendants(pid: int) -> list[int]:
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(name)] = int(fields[1])
    found, before = {pid}, 0
    while len(found) != before:
        before = len(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return sorted(found - {pid})
