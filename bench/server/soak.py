#!/usr/bin/env python3
"""Sends millions of mixed requests to thimble-server, and watches its memory, descriptors and processes.

The load is divided into twenty parts. After each part all clients are gone, and after two quiet seconds the
footprint of the server and of its workers, its open descriptors and its processes are counted. Fails if one of
them grows from the first quarter to the last one, or if an answer is wrong.
"""

import argparse
import datetime
import multiprocessing
import os
import pathlib
import statistics
import tempfile
import threading
import time

import traffic
from server import Server, footprint, machine

PARTS = 20
# Growth that is no leak: the allocator's fragmentation, and metrics of routes and codes that came later.
MEMORY_SLACK = 4_000_000
# A worker that starts between two counts has nine.
DESCRIPTOR_SLACK = 10
# Event loops and pools that start with the first requests.
THREAD_SLACK = 16


class Sampler:
    """Figures of the server during the load, every half second."""

    def __init__(self, server: Server):
        self.server = server
        self.over = threading.Event()
        self.samples: list[dict[str, int]] = []
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while not self.over.wait(0.5):
            self.samples.append(figures(self.server))

    def stop(self) -> None:
        self.over.set()
        self.thread.join()

    def most(self, name: str) -> int:
        return max((sample[name] for sample in self.samples), default=0)


def figures(server: Server) -> dict[str, int]:
    workers = server.processes()
    prints = [footprint(pid) for pid in workers]
    return {"server": footprint(server.process.pid), "workers": sum(prints),
            "worker": max(prints, default=0), "processes": len(workers),
            "descriptors": server.descriptors(),
            "threads": len(os.listdir(f"/proc/{server.process.pid}/task"))}


def part(server: Server, published: traffic.Published, number: int, count: int,
         clients: int) -> list[dict]:
    """Sends one part of the requests with processes of its own, which end with it."""
    results = multiprocessing.Queue()
    share = [count // clients + (index < count % clients) for index in range(clients)]
    processes = [
        multiprocessing.Process(
            target=traffic.run,
            args=(server.port, published, number * clients + index, share[index], results))
        for index in range(clients)]
    for process in processes:
        process.start()
    found = []
    while len(found) < clients:
        try:
            found.append(results.get(timeout=5))
        except Exception:  # queue.Empty
            if server.process.poll() is not None:
                raise SystemExit(f"the server ended: {server.log.read_text()[-2000:]}")
            if not any(process.is_alive() for process in processes) and results.empty():
                raise SystemExit("a client ended without a result")
    for process in processes:
        process.join()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--requests", type=int, default=2_000_000)
    parser.add_argument("--minutes", type=float, default=1e9, help="ends earlier after this time")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--report")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:
        server = Server(options.programs, pathlib.Path(name), "--allow-root", str(traffic.IMAGES))
        rests, totals = [], {"counts": dict.fromkeys(traffic.KINDS, 0), "refused": 0, "bytes": 0}
        faults: list[str] = []
        try:
            published = traffic.Published(server)
            before = figures(server)
            sampler = Sampler(server)
            start = time.monotonic()
            busy = 0.0
            for number in range(PARTS):
                begin = time.monotonic()
                for result in part(server, published, number, options.requests // PARTS,
                                   options.clients):
                    for kind, count in result["counts"].items():
                        totals["counts"][kind] += count
                    totals["refused"] += result["refused"]
                    totals["bytes"] += result["bytes"]
                    faults += result["faults"]
                busy += time.monotonic() - begin
                time.sleep(2)
                rests.append(figures(server))
                rest = rests[-1]
                print(f"{(number + 1) * (options.requests // PARTS):,} requests, "
                      f"{time.monotonic() - start:.0f} s, server {rest['server'] / 1e6:.1f} MB, "
                      f"workers {rest['workers'] / 1e6:.1f} MB, {rest['processes']} processes, "
                      f"{rest['descriptors']} descriptors", flush=True)
                late = time.monotonic() - start > options.minutes * 60
                if len(faults) > 100 or (late and number >= 8):
                    break
            sampler.stop()
            time.sleep(15)
            settled = figures(server)
            metrics = server.metrics()
            disk = sum(file.stat().st_blocks * 512 for file in server.container.rglob("*"))
            files = sum(1 for _ in server.container.rglob("*"))
            incoming = sum(1 for _ in (server.container / "incoming").glob("*"))
        finally:
            code = server.end()
    totals |= {"seconds": busy, "disk": disk, "files": files, "incoming": incoming,
               "threads": settled["threads"], "settled": settled["server"]}
    conclude(options, totals, before, rests, sampler, metrics, faults, code)


def conclude(options, totals, before, rests, sampler, metrics, faults, code) -> None:
    quarter = len(rests) // 4
    growth = {}
    for name in ("server", "workers", "descriptors", "processes", "threads"):
        # The first part warms up the allocator and the pools.
        first = statistics.median(rest[name] for rest in rests[1:quarter + 1])
        last = statistics.median(rest[name] for rest in rests[-quarter:])
        growth[name] = (first, last)
    slack = {"server": MEMORY_SLACK, "workers": MEMORY_SLACK, "descriptors": DESCRIPTOR_SLACK,
             "processes": 1}
    for name, (first, last) in growth.items():
        if name in slack and last > first + slack[name]:
            faults.append(f"{name} grew from {first:,.0f} to {last:,.0f}")
    # Dispatch's pool for file access grows with bursts, and ends idle threads after some seconds.
    if totals["threads"] > before["threads"] + THREAD_SLACK:
        faults.append(f"threads grew from {before['threads']} to {totals['threads']}")
    if code:
        faults.append(f"exit code {code}")
    text = page(options, totals, before, rests, sampler, metrics, growth, faults, code)
    print(text)
    if options.report:
        pathlib.Path(options.report).write_text(text)
    if faults:
        raise SystemExit("\n".join(["faults:", *faults[:30]]))


def page(options, totals, before, rests, sampler, metrics, growth, faults, code) -> str:
    count = sum(totals["counts"].values())
    megabytes = lambda value: f"{value / 1e6:.1f} MB"
    made = metrics.get('thimble_attachments_total{work="made"}', 0)
    plain = lambda value: f"{value:,.0f}"
    units = {"server": megabytes, "workers": megabytes, "descriptors": plain, "processes": plain,
             "threads": plain}
    labels = {"server": "footprint of the server", "workers": "footprint of all workers",
              "descriptors": "descriptors of the server", "processes": "worker processes",
              "threads": "threads of the server"}
    lines = [
        "# Soak of thimble-server", "",
        f"`make server-soak REQUESTS={options.requests}`, {datetime.date.today()}, "
        f"{machine()}. {options.clients} clients, the server, its workers and other programs share "
        "the cores.", "",
        f"{count:,} requests{' until the time was over,' if count < options.requests - PARTS else ''} "
        f"in {totals['seconds']:.0f} s of load "
        f"({count / totals['seconds']:,.0f} a second), {totals['bytes'] / 1e9:.1f} GB of answers, "
        f"{totals['refused']:,} answered with 429, "
        f"{len(faults)} faults, exit code {code} after SIGTERM.", "",
        "Figures at rest: after each twentieth of the load, all clients gone, two seconds later. "
        "The quarters are medians; the first twentieth is left out.", "",
        "| figure | before the load | first quarter | last quarter | most under load |",
        "|---|---|---|---|---|",
    ]
    for name, (first, last) in growth.items():
        unit = units[name]
        lines.append(f"| {labels[name]} | {unit(before[name])} | {unit(first)} | {unit(last)} | "
                     f"{unit(sampler.most(name))} |")
    lines += [
        "", f"15 seconds after the last request: {megabytes(totals['settled'])} and "
        f"{totals['threads']} threads. Largest footprint of one worker: "
        f"{megabytes(sampler.most('worker'))}. "
        f"{metrics['thimble_workers_started_total']:.0f} workers started, "
        f"{metrics['thimble_workers_lost_total']:.0f} lost. Attachments made: {made:,.0f}.", "",
        f"Container afterwards: {totals['files']:,} files and folders, "
        f"{totals['disk'] / 1e6:.1f} MB, {totals['incoming']} in `incoming`.", "",
        "Whole renditions, ranges and manifests were compared with the bytes first published.", "",
        "| kind of request | number |", "|---|---|",
        *(f"| {kind} | {number:,} |" for kind, number in totals["counts"].items()), "",
        "| part | server | workers | processes | descriptors |", "|---|---|---|---|---|",
        *(f"| {index + 1} | {megabytes(rest['server'])} | {megabytes(rest['workers'])} | "
          f"{rest['processes']} | {rest['descriptors']} |" for index, rest in enumerate(rests)), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
