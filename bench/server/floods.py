#!/usr/bin/env python3
"""Floods thimble-server with clients that send and do not read, or read and send as slowly as they may.

Each flood lasts a minute, on loopback, with and without tokens. Fails if the server's own footprint reaches 100 MB, if
health takes 50 ms or more and twice as long as on a server that does nothing else, if the 99th percentile of
other clients' small answers reaches a second, or if uploads are not possible again after the flood.
"""

import argparse
import datetime
import multiprocessing
import os
import pathlib
import resource
import selectors
import socket
import tempfile
import time
from dataclasses import dataclass, field

from client import Client
from load import HEALTH_LIMIT, MEMORY_LIMIT, ROOT, answer_always, poll_health
from sections import write_section
from server import Server, footprint, machine

TOKEN = "0123456789abcdef0123456789abcdef"
OTHERS_LIMIT = 1.0
UPLOADS = 4


@dataclass
class Flood:
    """Connections that send a request over and over.

    `rate` limits the bytes a second of each connection; None sends as fast as the kernel takes them. `once` sends eight
    requests a connection, whose answers are more than the kernel keeps, and leaves the connection open.
    """
    name: str
    connections: int
    request: bytes
    operations: bool = False
    rate: float | None = None
    once: bool = False
    holds_uploads: bool = False
    tokens: bool = False
    arguments: list[str] = field(default_factory=list)


def head(method: str, path: str, *fields: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()


def floods(rendition: str) -> list[Flood]:
    upload = head("POST", "/v1/attachments", "Content-Type: image/png", "Content-Length: 1") + b"a"
    metrics = head("GET", "/metrics")
    large = ["--width", "2000", "--scale", "2", "--quality", "100", "--render-budget", "200MB"]
    return [
        Flood("uploads without a place", 4, upload, holds_uploads=True),
        Flood("uploads without a place", 256, upload, holds_uploads=True),
        Flood("uploads without a token", 1, upload, holds_uploads=True, tokens=True),
        Flood("uploads without a token", 256, upload, holds_uploads=True, tokens=True),
        Flood("small answers", 256, head("GET", "/openapi.json")),
        Flood("metrics", 4, metrics, operations=True),
        Flood("metrics", 60, metrics, operations=True),
        Flood("renditions, eight each", 700, head("GET", rendition), once=True, arguments=large),
        Flood("renditions", 64, head("GET", rendition), arguments=large),
        Flood("bodies at 5 kB/s", 64, head(
            "POST", "/v1/attachments", "Content-Type: image/png", "Content-Length: 20000000")
            + bytes(20_000_000), rate=5000),
    ]


class Sender:
    """The connections of a flood, in a process of its own."""

    def __init__(self, flood: Flood, port: int):
        self.flood, self.port = flood, port
        count = 8 if flood.once else 1 if flood.rate else max(1, (64 << 10) // len(flood.request))
        self.data = memoryview(flood.request * count)
        self.selector = selectors.DefaultSelector()

    def run(self, over, results) -> None:
        opened = sent = 0
        begin = time.monotonic()
        for _ in range(self.flood.connections):
            self.open()
        while not over.is_set():
            for key, _ in self.selector.select(0.1):
                state = key.data
                now = time.monotonic()
                limit = len(self.data)
                if self.flood.rate:
                    limit = int((now - state["start"]) * self.flood.rate) + 500
                try:
                    if state["sent"] < min(limit, len(self.data)):
                        count = key.fileobj.send(self.data[state["sent"]:limit])
                        state["sent"] += count
                        sent += count
                        if state["sent"] == len(self.data) and not self.flood.once:
                            state["sent"] = 0
                    elif self.flood.once:
                        self.selector.unregister(key.fileobj)
                        state["kept"].append(key.fileobj)
                except BlockingIOError:
                    pass
                except OSError:
                    self.selector.unregister(key.fileobj)
                    key.fileobj.close()
                    opened += 1
                    self.open()
            if self.flood.rate or self.flood.once:
                time.sleep(0.01)
        results.put((opened, sent / (time.monotonic() - begin)))

    kept: list[socket.socket] = []

    def open(self) -> None:
        connection = socket.socket()
        if self.flood.once:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(5)
        try:
            connection.connect(("127.0.0.1", self.port))
        except OSError:
            connection.close()
            return
        connection.setblocking(False)
        state = {"sent": 0, "start": time.monotonic(), "kept": self.kept}
        self.selector.register(connection, selectors.EVENT_WRITE, state)


def hold_uploads(port: int) -> list[socket.socket]:
    """Takes all places for uploads, with bodies that arrive byte by byte."""
    held = []
    for _ in range(UPLOADS):
        connection = socket.create_connection(("127.0.0.1", port), 5)
        connection.sendall(head(
            "POST", "/v1/attachments", "Content-Type: image/png", "Content-Length: 1000000",
            f"Authorization: Bearer {TOKEN}", "Thimble-Deadline: 60"))
        held.append(connection)
    return held


def others(port: int, over, results) -> None:
    """Seconds of small answers on new connections, while others flood."""
    times, failed = [], 0
    while not over.wait(0.05):
        start = time.perf_counter()
        try:
            client = Client(port, 10)
            failed += client.request("GET", "/v1/renditions/aa/missing.jpg").status != 404
            client.close()
        except OSError:
            failed += 1
        times.append(time.perf_counter() - start)
    results.put((times, failed))


@dataclass
class Result:
    flood: Flood
    idle: int
    peak: int
    health: list[float]
    control: list[float]
    failed_health: int
    times: list[float]
    failed: int
    reopened: int
    rate: float
    uploads_again: bool

    @property
    def faults(self) -> list[str]:
        found = []
        if self.peak >= MEMORY_LIMIT:
            found.append("memory")
        if self.failed_health or self.health[-1] >= max(HEALTH_LIMIT, 2 * self.control[-1]):
            found.append("health")
        if percentile(self.times, 0.99) >= OTHERS_LIMIT:
            found.append("other clients")
        if not self.uploads_again:
            found.append("uploads after the flood")
        return found


def percentile(values: list[float], part: float) -> float:
    return values[min(len(values) - 1, int(len(values) * part))]


def run(flood: Flood, programs: str, seconds: float, folder: pathlib.Path) -> Result:
    arguments = ["--max-uploads", str(UPLOADS), "--max-connections", "1024", *flood.arguments]
    if flood.tokens:
        tokens = folder / "tokens"
        tokens.write_text(TOKEN)
        tokens.chmod(0o600)
        arguments += ["--tokens", str(tokens)]
    server = Server(programs, folder, *arguments)
    try:
        picture = (ROOT / "Images/lake-baseline.jpg").read_bytes()
        authority = {"Authorization": f"Bearer {TOKEN}"}
        answer = server.post("/v1/attachments", "image/jpeg", picture, authority)
        if b"{rendition}" in flood.request:
            flood.request = flood.request.replace(
                b"{rendition}", answer["paths"]["expanded"].encode())
        idle = footprint(server.process.pid)
        held = hold_uploads(server.port) if flood.holds_uploads else []
        listener = socket.create_server(("127.0.0.1", 0))
        over, queues = multiprocessing.Event(), [multiprocessing.Queue() for _ in range(3)]
        port = server.operations_port if flood.operations else server.port
        control = multiprocessing.Process(target=answer_always, args=(listener,), daemon=True)
        workers = [
            multiprocessing.Process(target=poll_health, args=(
                server.operations_port, listener.getsockname()[1], over, queues[0])),
            multiprocessing.Process(target=others, args=(server.port, over, queues[1])),
            multiprocessing.Process(target=Sender(flood, port).run, args=(over, queues[2])),
        ]
        for process in [control, *workers]:
            process.start()
        listener.close()
        peak, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            peak = max(peak, footprint(server.process.pid))
            for connection in held:
                try:
                    connection.send(b"a")
                except OSError:
                    pass
            time.sleep(0.1)
        over.set()
        health, controls, failed_health = queues[0].get(timeout=60)
        times, failed = queues[1].get(timeout=60)
        reopened, rate = queues[2].get(timeout=60)
        for process in workers:
            process.join()
        control.terminate()
        for connection in held:
            connection.close()
        time.sleep(2)
        client = Client(server.port, 30)
        again = client.request(
            "POST", "/v1/attachments", {"Content-Type": "image/jpeg", **authority}, picture)
        client.close()
        return Result(
            flood, idle, peak, sorted(health), sorted(controls), failed_health, sorted(times),
            failed, reopened, rate, again.status in (200, 201))
    finally:
        server.end()


def row(result: Result) -> str:
    milliseconds = [
        f"{percentile(values, part) * 1e3:.1f}"
        for values in (result.health, result.control, result.times) for part in (0.99, 1)]
    return (
        f"| {result.flood.name}{', tokens' if result.flood.tokens else ''} "
        f"| {result.flood.connections} | {result.rate / 1e6:.1f} | {result.reopened:,} "
        f"| {result.idle / 1e6:.1f} | {result.peak / 1e6:.1f} "
        f"| {milliseconds[0]}, {milliseconds[1]} | {milliseconds[2]}, {milliseconds[3]} "
        f"| {milliseconds[4]}, {milliseconds[5]} | {result.failed} of {len(result.times)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", default="", help="run floods whose names contain this")
    parser.add_argument("--report")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    rows, faults = [], []
    for flood in floods("{rendition}"):
        if options.only not in flood.name:
            continue
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:
            result = run(flood, options.programs, options.seconds, pathlib.Path(name))
        rows.append(row(result))
        print(rows[-1], flush=True)
        faults += [f"{flood.name}, {flood.connections}: {fault}" for fault in result.faults]
    text = "\n".join([
        f"`make server-floods FLOOD_SECONDS={options.seconds:.0f}`, {datetime.date.today()}, {machine()}. "
        "Clients send without reading; health and other clients' small answers are polled on new connections.",
        "", "| flood | connections | MB/s | reopened | idle, MB | peak, MB | health: p99, longest, ms "
        "| a server that only answers | others: p99, longest, ms | failed |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|", *rows, ""])
    if options.report:
        write_section(options.report, "thimble-server", "Floods", text)
    if faults:
        raise SystemExit("over the limits: " + "; ".join(faults))


if __name__ == "__main__":
    main()
