#!/usr/bin/env python3
"""Measures campaigns of `thimble stage`: many payloads that name few pictures.

A second process writes the payloads to a pipe; this one reads the result, checks its order and its notes, and samples
the memory of the supervisor (`RssAnon`). The first pass ends with the payload that names the last picture for the first
time. Pictures lie in a folder, or on a server of this machine that allows caching.
"""

import argparse
import http.server
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = 1_000


def payload(number: int, pictures: int, place: str) -> str:
    """A payload of about 530 bytes, as a provider sends it."""
    return (
        f'{{"n":{number},"aps":{{"alert":{{"title":"Order {number}","body":"{"x" * 300}"}},"mutable-content":1,'
        f'"category":"daily"}},"gcm.message_id":"0:{number}%abc","google.c.a.e":"1",'
        f'"fcm_options":{{"image":"{place}{number % pictures}.jpg"}},"user":{{"id":{number}}}}}\n')


def generate(count: int, pictures: int, place: str) -> None:
    """Writes payloads to standard output."""
    for start in range(0, count, BLOCK):
        block = "".join(payload(n, pictures, place) for n in range(start, min(start + BLOCK, count)))
        sys.stdout.write(block)


def make_pictures(folder: pathlib.Path, count: int, distinct: bool) -> None:
    """Copies of one picture with different comments, and so with different digests.

    Distinct ones have other pixels too, by steps of the first quantisation table, and so renditions of their own.
    """
    picture = bytearray((ROOT / "Images/lake-baseline.jpg").read_bytes())
    table = picture.index(b"\xff\xdb") + 5
    steps = picture[table:table + 3]
    folder.mkdir()
    for number in range(count):
        if distinct:
            digits = number % 10, number // 10 % 10, number // 100
            picture[table:table + 3] = bytes(step + digit for step, digit in zip(steps, digits))
        text = str(number).encode()
        comment = b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text
        (folder / f"{number}.jpg").write_bytes(picture[:2] + comment + picture[2:])


class Origin(http.server.ThreadingHTTPServer):
    """A server for the pictures of a folder, which counts its answers."""

    daemon_threads = True

    def __init__(self, folder: pathlib.Path) -> None:
        self.answers = 0
        origin = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def __init__(self, *arguments: object) -> None:
                super().__init__(*arguments, directory=str(folder))

            def end_headers(self) -> None:
                self.send_header("Cache-Control", "max-age=3600")
                super().end_headers()

            def log_request(self, *_: object) -> None:
                origin.answers += 1

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def options(self) -> list[str]:
        """Options that allow this server."""
        return ["--allow-network", "127.0.0.0/8", "--allow-http", "--allow-port", str(self.server_port)]


class Memory(threading.Thread):
    """Samples of a process's anonymous memory, in megabytes."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.samples: list[float] = []
        self.passed = 0  # samples during the first pass

    def run(self) -> None:
        while True:
            try:
                status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
            except OSError:
                return
            for line in status.splitlines():
                if line.startswith("RssAnon"):
                    self.samples.append(int(line.split()[1]) / 1000)
            time.sleep(0.5)

    def summary(self) -> str:
        """Medians of the five fifths of the run after the first pass."""
        samples = self.samples[self.passed:] or self.samples
        fifth = max(len(samples) // 5, 1)
        parts = [samples[start:start + fifth] for start in range(0, len(samples), fifth)][:5]
        return ", ".join(f"{statistics.median(part):.1f}" for part in parts)


def processor_time(pid: int) -> float:
    """Seconds of CPU of a process without its children, which may already have exited."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check(lines: list[bytes], first: int, options: list[str]) -> None:
    for number, line in enumerate(lines, first):
        location = b'"image":"http' if "--publish" in options else b'"image":"'
        if not line.startswith(b'{"n":%d,' % number) or location not in line \
                or b'"outcome":"rendition"' not in line[-500:]:
            raise SystemExit(f"payload {number} is out of order, or has no rendition: {line[-300:]!r} {options}")


class Store:
    """The S3 server of the tests, with its objects in a folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder / "objects"
        self.server = subprocess.Popen(
            [sys.executable, ROOT / "Tests/AttachmentStoreTests/s3_stub.py", self.folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = self.server.stdout.readline().strip()
        # Its reports of requests.
        threading.Thread(target=lambda: [None for _ in self.server.stdout], daemon=True).start()

    @property
    def options(self) -> list[str]:
        return ["--publish", "s3://renditions/p", "--s3-endpoint", f"http://127.0.0.1:{self.port}",
                "--s3-region", "us-east-1"]

    def close(self) -> int:
        """Ends the server; the number of its objects."""
        self.server.stdin.close()
        self.server.wait()
        return len(list(self.folder.glob("renditions*")))


def run(thimble: str, count: int, pictures: int, options: list[str], is_remote: bool) -> list[str]:
    """One row of the table; with the option `STORE`, renditions are published to a server."""
    if options == ["STORE"]:
        with tempfile.TemporaryDirectory(dir=".build") as name:
            store = Store(pathlib.Path(name))
            try:
                row = run(thimble, count, pictures, store.options, is_remote)
            finally:
                objects = store.close()
            if objects != pictures:
                raise SystemExit(f"{objects} objects for {pictures} pictures")
            return row
    with tempfile.TemporaryDirectory(dir=".build") as name:
        folder = pathlib.Path(name)
        make_pictures(folder / "pictures", pictures, "--s3-endpoint" in options)
        origin = Origin(folder / "pictures") if is_remote else None
        place = f"http://127.0.0.1:{origin.server_port}/" if origin else "pictures/"
        if origin:
            options = options + origin.options
        source = subprocess.Popen(
            [sys.executable, __file__, "--generate", str(count), str(pictures), place], stdout=subprocess.PIPE)
        start = time.monotonic()
        stage = subprocess.Popen(
            [os.path.abspath(thimble), "stage", "--container", "container", "--allow-root", "pictures", *options],
            cwd=folder, stdin=source.stdout, stdout=subprocess.PIPE,
            env={**os.environ, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"})
        memory = Memory(stage.pid)
        memory.start()
        seen, rest, first_pass = 0, b"", None
        while part := os.read(stage.stdout.fileno(), 1 << 20):
            *lines, rest = (rest + part).split(b"\n")
            check(lines, seen, options)
            seen += len(lines)
            if first_pass is None and seen >= pictures:
                first_pass, at_first_pass = time.monotonic() - start, seen
                spent = processor_time(stage.pid)
                memory.passed = len(memory.samples)
        elapsed = time.monotonic() - start
        spent = processor_time(stage.pid) - spent
        status = stage.wait()
        if status != 0 or seen != count:
            raise SystemExit(f"thimble stage: status {status}, {seen} of {count} payloads")
        fetches = "-"
        if origin:
            fetches = f"{origin.answers:,}"
            origin.shutdown()
            origin.server_close()
    steady = (count - at_first_pass) / max(elapsed - first_pass, 0.001)
    processor = spent / max(count - at_first_pass, 1) * 1e6
    return [
        f"{count:,}", f"{pictures:,}", fetches, f"{first_pass:.1f}", f"{steady:,.0f}", f"{processor:,.0f}",
        memory.summary()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thimble", default=".build/release/thimble")
    parser.add_argument("--lines", type=int, default=500_000, help="payloads for one picture and for 1,000")
    parser.add_argument("--soak", type=int, default=0, help="payloads of another run, for its memory")
    parser.add_argument("--former", type=int, default=3_000, help="payloads with a manifest each")
    parser.add_argument("--before", help="an earlier thimble to measure too")
    parser.add_argument("--only", help="measure only rows whose name contains this")
    parser.add_argument("--report", help="file for the table")
    parser.add_argument("--generate", nargs=3, metavar=("COUNT", "PICTURES", "PLACE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.generate:
        count, pictures, place = options.generate
        return generate(int(count), int(pictures), place)
    rows = []

    def measure(
            title: str, thimble: str, count: int, pictures: int, *arguments: str, is_remote: bool = False) -> None:
        if options.only and options.only not in title:
            return
        rows.append([title, *run(thimble, count, pictures, list(arguments), is_remote)])
        print("| " + " | ".join(rows[-1]) + " |", flush=True)

    if options.before:
        measure("an earlier thimble", options.before, options.former, 1)
    measure("`--manifest-per-notification`", options.thimble, options.former, 1, "--manifest-per-notification")
    measure("one picture", options.thimble, options.lines, 1)
    measure("one picture, published", options.thimble, options.lines, 1, "--publish-url", "https://cdn.example/r")
    measure("one picture, in a folder", options.thimble, options.lines, 1,
            "--publish", "served", "--publish-url", "https://cdn.example/r")
    measure("one picture, in an S3 store", options.thimble, options.lines, 1, "STORE")
    measure("1,000 pictures in rotation", options.thimble, options.lines, 1_000)
    measure("one URL", options.thimble, options.lines, 1, is_remote=True)
    # All pictures are more than the container keeps by default.
    measure(
        "1,000 URLs in rotation", options.thimble, options.lines, 1_000, "--max-fetch-cache", "2GB", is_remote=True)
    measure("1,000 pictures in rotation, in an S3 store", options.thimble, options.lines, 1_000, "STORE")
    if options.soak:
        measure("one picture, long", options.thimble, options.soak, 1)
        measure("1,000 pictures in rotation, long", options.thimble, options.soak, 1_000)
    if options.report:
        write(options, rows)


def write(options: argparse.Namespace, rows: list[list[str]]) -> None:
    version = subprocess.run([options.thimble, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    arguments = " ".join(
        f"--{name} {value}" for name, value in vars(options).items()
        if value and name in ("lines", "soak", "former", "before", "only"))
    heads = ["stream", "payloads", "pictures", "fetches", "first pass, s", "payloads a second, then", "CPU, µs a payload",
             "RssAnon, MB"]
    text = "# Campaigns\n\n`python3 bench/payloads/campaign.py " + arguments + "`\n\n"
    text += "| " + " | ".join(heads) + " |\n|" + "---|" * len(heads) + "\n"
    text += "".join("| " + " | ".join(row) + " |\n" for row in rows)
    text += ("\nPayloads of about 530 bytes from a pipe, JPEGs of 12 megapixels and 1.1 MB. The rate is that of the "
             "payloads after the first pass; CPU and memory are those of the supervisor, without workers: the "
             "medians of the five fifths of the run after the first pass. URLs name a server on this machine, "
             "which allows caching for an hour. Order and notes of all payloads were checked.\n\n"
             f"{version}; {platform.system()} {platform.release()}, {os.cpu_count()} cores.\n")
    pathlib.Path(options.report).write_text(text)


if __name__ == "__main__":
    main()
