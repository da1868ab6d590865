#!/usr/bin/env python3
"""Overloads thimble-server with wrk, and watches memory, health and renditions meanwhile.

All traffic is on loopback. Fails if an answer is neither 2xx nor 429, if health takes 50 ms or more and twice as
long as on a server that does nothing else, if the server's own footprint reaches 100 MB, or if a rendition
differs from its digest.
"""

import argparse
import datetime
import hashlib
import http.client
import json
import multiprocessing
import os
import pathlib
import re
import resource
import socket
import subprocess
import tempfile
import threading
import time

from sections import write_section
from server import Server, footprint, machine, status

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES = ["still-life-ready.jpg", "lake-baseline.jpg", "meadow-lossy.webp", "gerbera-palette.png",
            "dunes-grey.jpg", "ridges-progressive.jpg", "lake-evening.heic", "still-life.png"]
HEALTH_LIMIT = 0.050
MEMORY_LIMIT = 100_000_000


def answer_always(listener: socket.socket) -> None:
    """A server that only answers, as the control for health: its latency is the machine's."""
    while True:
        connection, _ = listener.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


def get(port: int, path: str) -> tuple[float, bool]:
    """Seconds of a request on a new connection, and its success."""
    start = time.perf_counter()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", path)
        succeeded = connection.getresponse().status == 200
        connection.close()
    except OSError:
        succeeded = False
    return time.perf_counter() - start, succeeded


def poll_health(port: int, control_port: int, over, results) -> None:
    """Polls health and its control every 100 ms, in a process of its own: another thread would hold the interpreter.

    With real-time priority, if permitted: else its own waiting for a processor, which wrk uses, would be measured.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except PermissionError:
        print("without real-time priority, health latencies contain the poller's own waiting")
    paths = ["/health/live", "/health/ready"]
    times, controls, failed = [], [], 0
    while not over.wait(0.1):
        seconds, succeeded = get(port, paths[len(times) % 2])
        times.append(seconds)
        failed += not succeeded
        controls.append(get(control_port, "/")[0])
    results.put((times, controls, failed))


class Watch:
    """Polls health every 100 ms and memory every 200 ms, and verifies renditions all the time.

    Renditions are fetched on a connection that exists before the load, because new ones compete with it.
    """

    def __init__(self, server: Server, renditions: list[str]):
        self.server = server
        self.renditions = renditions
        self.health: list[float] = []
        self.control: list[float] = []
        self.failed_health = 0
        self.health_over, self.health_results = multiprocessing.Event(), multiprocessing.Queue()
        listener = socket.create_server(("127.0.0.1", 0))
        self.control_server = multiprocessing.Process(
            target=answer_always, args=(listener,), daemon=True)
        self.control_server.start()
        self.poller = multiprocessing.Process(
            target=poll_health,
            args=(server.operations_port, listener.getsockname()[1], self.health_over,
                  self.health_results))
        self.poller.start()
        listener.close()
        self.memory: list[int] = []
        self.resident: list[int] = []
        self.workers: list[int] = []
        self.verified = self.refused = self.wrong = self.unanswered = 0
        self.over = threading.Event()
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self.connection.connect()
        self.threads = [threading.Thread(target=target)
                        for target in (self.poll_memory, self.verify)]
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        self.over.set()
        self.health_over.set()
        self.health, self.control, self.failed_health = self.health_results.get(timeout=30)
        self.poller.join()
        self.control_server.terminate()
        for thread in self.threads:
            thread.join()

    def poll_memory(self) -> None:
        pid = self.server.process.pid
        while not self.over.wait(0.2):
            self.memory.append(footprint(pid))
            self.resident.append(status(pid, "VmRSS"))
            self.workers.append(sum(map(footprint, self.server.processes())))

    def verify(self) -> None:
        count = 0
        while not self.over.wait(0.02):
            path = self.renditions[count % len(self.renditions)]
            count += 1
            try:
                self.connection.request("GET", path)
                response = self.connection.getresponse()
                body = response.read()
            except (OSError, http.client.HTTPException):
                self.unanswered += 1
                continue
            if response.status == 429:
                self.refused += 1
            elif hashlib.sha256(body).hexdigest() == path.rsplit("/", 1)[1].split(".")[0]:
                self.verified += 1
            else:
                self.wrong += 1


def prepare(server: Server, folder: pathlib.Path) -> list[str]:
    """Publishes the pictures, and writes the lists that the script of wrk reads."""
    renditions, identifiers = [], []
    for name in PICTURES:
        body = (ROOT / "Images" / name).read_bytes()
        answer = server.post("/v1/attachments", "application/octet-stream", body)
        renditions += answer["paths"].values()
        identifiers.append(answer["identifier"])
    payloads = []
    for number in range(200):
        path = str(ROOT / "Images" / PICTURES[number % len(PICTURES)])
        payloads.append(json.dumps(
            {"aps": {"alert": f"No. {number}"}, "attachment-url": path}))
    for name, values in [("renditions", renditions), ("identifiers", identifiers),
                         ("payloads", payloads)]:
        (folder / name).write_text("\n".join(values) + "\n")
    (folder / "picture").write_bytes((ROOT / "Images" / PICTURES[0]).read_bytes())
    return renditions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--connections", type=int, default=4096)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--report")
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:
        folder = pathlib.Path(name)
        server = Server(options.programs, folder, "--allow-root", str(ROOT / "Images"))
        try:
            renditions = prepare(server, folder)
            before = server.metrics()
            idle = footprint(server.process.pid)
            load_before = os.getloadavg()[0]
            watch = Watch(server, renditions)
            wrk = subprocess.run(
                ["wrk", "-t", "2", "-c", str(options.connections), "-d", f"{options.seconds}s",
                 "--timeout", "30s", "-s", str(ROOT / "bench/server/mix.lua"), server.url, "--",
                 str(folder)], capture_output=True, text=True)
            load = os.getloadavg()[0]
            watch.stop()
            time.sleep(2)
            after = server.metrics()
            settled = footprint(server.process.pid)
        finally:
            code = server.end()
        report(options, wrk.stdout, watch, before, after, idle, settled, load_before, load, code)


def report(options, output, watch, before, after, idle, settled, load_before, load, code) -> None:
    statuses = {int(c): int(n) for c, n in re.findall(r"^status (\d+) (\d+)", output, re.M)}
    errors = dict(re.findall(r"(connect|read|write|timeout)=(\d+)", output))
    latency = dict(re.findall(r"(p50|p99|max)=([\d.]+)", output))
    total = sum(statuses.values())
    health, control = sorted(watch.health), sorted(watch.control)
    done = {name: after.get(name, 0) - before.get(name, 0) for name in after}
    # Answers to wrk, and answers that wrk's connections never read.
    served = sum(n for c, n in statuses.items() if 200 <= c < 300)
    rows = [
        ("requests answered", f"{total:,}, {total / options.seconds:,.0f} a second"),
        ("2xx", f"{served:,}"),
        ("429", f"{statuses.get(429, 0):,}"),
        ("other statuses", str({c: n for c, n in statuses.items()
                                if not 200 <= c < 300 and c != 429} or "none")),
        ("errors of wrk", ", ".join(f"{k} {v}" for k, v in errors.items())),
        ("latency of all answers", f"p50 {latency.get('p50')} ms, p99 {latency.get('p99')} ms"),
        ("attachments and payloads processed",
         f"{sum(v for k, v in done.items() if k.startswith('thimble_attachments_total')):,.0f}"),
        ("workers lost", f"{after['thimble_workers_lost_total']:.0f}"),
        ("server's footprint: idle, peak, two seconds later",
         f"{idle / 1e6:.1f}, {max(watch.memory) / 1e6:.1f}, {settled / 1e6:.1f} MB"),
        ("server's resident memory, program and libraries included: peak",
         f"{max(watch.resident) / 1e6:.1f} MB"),
        ("footprint of all workers: peak", f"{max(watch.workers) / 1e6:.1f} MB"),
        ("health", f"{len(health)} polls, {watch.failed_health} failed, p50 "
         f"{health[len(health) // 2] * 1e3:.1f} ms, p99 "
         f"{health[int(len(health) * 0.99)] * 1e3:.1f} ms, longest {health[-1] * 1e3:.1f} ms"),
        ("a server that only answers, polled with health",
         f"p50 {control[len(control) // 2] * 1e3:.1f} ms, p99 "
         f"{control[int(len(control) * 0.99)] * 1e3:.1f} ms, longest {control[-1] * 1e3:.1f} ms"),
        ("renditions verified meanwhile",
         f"{watch.verified} right, {watch.wrong} wrong, {watch.refused} answered with 429, "
         f"{watch.unanswered} unanswered"),
        ("exit code after SIGTERM", str(code)),
    ]
    faults = []
    if any(not 200 <= c < 300 and c != 429 for c in statuses):
        faults.append("answers besides 2xx and 429")
    # On a machine that is busy with other programs, every server waits for a processor.
    if health[-1] >= max(HEALTH_LIMIT, 2 * control[-1]) or watch.failed_health:
        faults.append("health")
    if max(watch.memory) >= MEMORY_LIMIT:
        faults.append("memory")
    if watch.wrong or not watch.verified:
        faults.append("renditions")
    if code:
        faults.append("exit code")
    if not served:
        faults.append("nothing was served")
    text = "\n".join([
        f"`make server-load CONNECTIONS={options.connections} LOAD_SECONDS={options.seconds}`, "
        f"{datetime.date.today()}, {machine()}, load average {load_before:.1f} before and "
        f"{load:.1f} at the end (wrk, the server and its workers share the cores with other "
        "programs of the machine).", "",
        "Half of the requests are for renditions, a fifth for manifests, a fifth are payloads, a "
        "tenth are uploads.", "", "| figure | value |", "|---|---|",
        *(f"| {name} | {value} |" for name, value in rows), ""])
    print(text)
    if options.report:
        write_section(options.report, "thimble-server", "Overload", text)
    if faults:
        raise SystemExit("over the limits: " + ", ".join(faults))


if __name__ == "__main__":
    main()
