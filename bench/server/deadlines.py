#!/usr/bin/env python3
"""Sends millions of requests with deadlines to thimble-server, and watches its memory.

Each request names one of many URLs whose pictures are known, so that it waits for a fetch, for a place in the
queue and for the worker's result, each until its deadline of 25 seconds, and is answered within milliseconds.
Fails if the server's footprint grows by 2 MB or more from the end of the first tenth to the end of the last.
"""

import argparse
import datetime
import http.server
import json
import multiprocessing
import os
import pathlib
import tempfile
import time

from client import Client
from server import Server, footprint, machine

PARTS = 10
GROWTH = 2_000_000
# More than the fetcher keeps open, so that requests wait for the cache on disk.
URLS = 4_000
PICTURE = pathlib.Path(__file__).resolve().parents[2] / "Images" / "still-life-ready.jpg"


class Origin(http.server.BaseHTTPRequestHandler):
    """Serves one picture under every path."""
    body = PICTURE.read_bytes()
    protocol_version = "HTTP/1.1"
    # Head and body in one segment: a second one waits for the acknowledgement of the first.
    wbufsize = 1 << 20

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Content-Length", str(len(self.body)))
        self.send_header("Cache-Control", "max-age=86400")
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_) -> None:
        pass


def serve(ports) -> None:
    origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
    ports.put(origin.server_port)
    origin.serve_forever()


def send(port: int, origin: int, first: int, count: int, results) -> None:
    """Sends requests on one connection; puts the number of wrong answers."""
    client, wrong = Client(port), 0
    for number in range(first, first + count):
        body = json.dumps({"url": f"http://127.0.0.1:{origin}/{number % URLS}"}).encode()
        try:
            answer = client.request("POST", "/v1/attachments", {
                "Content-Type": "application/json", "Thimble-Deadline": "25"}, body)
            wrong += answer.status not in (200, 201)
        except OSError:
            wrong += 1
            client.close()
    client.close()
    results.put(wrong)


def part(server: Server, origin: int, number: int, count: int, clients: int) -> int:
    results = multiprocessing.Queue()
    share = count // clients
    processes = [
        multiprocessing.Process(
            target=send,
            args=(server.port, origin, (number * clients + index) * share, share, results))
        for index in range(clients)]
    for process in processes:
        process.start()
    wrong = sum(results.get() for _ in processes)
    for process in processes:
        process.join()
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--requests", type=int, default=2_000_000)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--report")
    options = parser.parse_args()
    ports = multiprocessing.Queue()
    origin = multiprocessing.Process(target=serve, args=(ports,), daemon=True)
    origin.start()
    port = ports.get(timeout=20)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:
        server = Server(
            options.programs, pathlib.Path(name), "--allow-http",
            "--allow-network", "127.0.0.0/8", "--allow-port", str(port), "--deadline", "25")
        rests, wrong = [], 0
        try:
            # All URLs are in the cache afterwards.
            wrong += part(server, port, 0, URLS, 1)
            start = time.monotonic()
            for number in range(PARTS):
                wrong += part(server, port, number, options.requests // PARTS, options.clients)
                # Less than a deadline: what a cancelled wait leaves behind is still there.
                time.sleep(1)
                rests.append(footprint(server.process.pid))
                print(f"{(number + 1) * (options.requests // PARTS):,} requests, "
                      f"{time.monotonic() - start:.0f} s, {rests[-1] / 1e6:.1f} MB", flush=True)
            seconds = time.monotonic() - start - PARTS
        finally:
            code = server.end()
    growth = rests[-1] - rests[0]
    faults = []
    if growth >= GROWTH:
        faults.append(f"the footprint grew by {growth:,} bytes")
    if wrong:
        faults.append(f"{wrong:,} wrong answers")
    if code:
        faults.append(f"exit code {code}")
    lines = [
        "# Memory of deadlines in thimble-server", "",
        f"`make server-deadlines REQUESTS={options.requests}`, {datetime.date.today()}, "
        f"{machine()}. {options.clients} clients share the cores with the server.", "",
        f"{options.requests:,} requests with a deadline of 25 s in {seconds:.0f} s "
        f"({options.requests / seconds:,.0f} a second), {wrong:,} wrong answers.", "",
        "| after | footprint of the server |", "|---|---|",
        *(f"| {(index + 1) * (options.requests // PARTS):,} requests | {rest / 1e6:.1f} MB |"
          for index, rest in enumerate(rests)), "",
        f"Growth from the first tenth to the last: {growth / 1e6:.2f} MB, at most "
        f"{GROWTH / 1e6:.0f} MB.", ""]
    print("\n".join(lines))
    if options.report:
        pathlib.Path(options.report).write_text("\n".join(lines))
    if faults:
        raise SystemExit("\n".join(["faults:", *faults]))


if __name__ == "__main__":
    main()
