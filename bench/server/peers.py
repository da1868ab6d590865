#!/usr/bin/env python3
"""Compares thimble-server with other services that resize pictures: nginx's image filter, Thumbor, and today's libvips.

All get the same pictures, each different, one service after the other in the same run: photographs of 2,040 pixels to
512 and of 12 megapixels to 1,080, in four formats, by 8 and by 64 connections. Then each gets one picture of 256
megapixels in less than a megabyte.
"""

import argparse
import concurrent.futures
import datetime
import io
import os
import pathlib
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import zlib

from PIL import Image

import server
from client import Client
from sections import write_section

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROCESSES = 2
# Pictures before those that count, sent at once, so that each process of a service has loaded its libraries.
FIRST = 2 * PROCESSES
CONNECTIONS = [8, 64]
# Size of the sources, and width of the pictures made of them.
SIZES = [((2040, 1530), 512), ((4000, 3000), 1080)]
FORMATS = {"JPEG": "jpg", "PNG": "png", "WebP": "webp", "AVIF": "avif"}
TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "avif": "image/avif"}
HUGE = 16_000
# Where a peer takes less processor time. Debian's libvips 8.14 takes what thimble takes for the same files.
REASONS = [
    "libvips of PyPI has zlib-ng in it, and a newer libwebp than Debian 12: PNG and WebP of thimble-server are decoded "
    "by Debian's libraries.",
    "Thumbor and nginx answer from memory; thimble-server stores two pictures of each photograph, with fsync.",
]


def photographs(folder: pathlib.Path, size: tuple[int, int], ending: str, count: int) -> list[pathlib.Path]:
    """Different parts of one photograph, so that nothing is answered from a cache."""
    with Image.open(ROOT / "Images/lake-baseline.jpg") as picture:
        source = picture.convert("RGB")
    files = []
    for number in range(count):
        step = source.width // 5 * number // count
        part = source.crop((step, step * source.height // source.width,
                            step + source.width * 4 // 5,
                            step * source.height // source.width + source.height * 4 // 5))
        reduced = part.resize(size, Image.Resampling.BICUBIC)
        file = folder / f"{size[0]}-{number}.{ending}"
        if ending == "avif":
            plain = file.with_suffix(".y.png")
            reduced.save(plain, compress_level=1)
            subprocess.run(["avifenc", "-s", "9", "-j", "all", "--min", "20", "--max", "28", plain, file],
                           check=True, capture_output=True)
            plain.unlink()
        else:
            reduced.save(file, quality=90, method=0, compress_level=3)
        files.append(file)
    return files


def huge_picture(file: pathlib.Path) -> None:
    """A PNG of one colour, 16,000 pixels wide and high."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    packer = zlib.compressobj(9)
    row = b"\0" + b"\x30\x60\x90" * HUGE
    data = b"".join(packer.compress(row) for _ in range(HUGE)) + packer.flush()
    header = struct.pack(">IIBBBBB", HUGE, HUGE, 8, 2, 0, 0, 0)
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Service:
    """A running service, and the footprint of all its processes."""

    name = ""
    note = ""

    def __init__(self, process: subprocess.Popen, port: int):
        self.process = process
        self.port = port

    def wait(self) -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"{self.name} does not start")

    def prepare(self, files: list[pathlib.Path]) -> None:
        """Does the client's work before the measurement."""

    def resize(self, client: Client, file: pathlib.Path) -> tuple[int, bytes | None]:
        answer = client.request("GET", self.path(file))
        return answer.status, answer.body

    def path(self, file: pathlib.Path) -> str:
        raise NotImplementedError

    def processes(self) -> list[int]:
        return [self.process.pid, *server.descendants(self.process.pid)]

    def memory(self) -> int:
        return sum(map(server.footprint, self.processes()))

    def processor_time(self) -> float:
        """Seconds of all processes, and of workers that have exited."""
        ticks = 0
        for each in self.processes():
            try:
                fields = open(f"/proc/{each}/stat").read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        # Thumbor's first process leaves the others behind.
        children = server.descendants(self.process.pid)
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass


class Thimble(Service):
    name = "thimble-server"
    note = "receives each photograph as an upload; makes a banner beside it and stores both, with fsync"

    def __init__(self, folder: pathlib.Path, width: int, programs: str):
        # A container of its own, which is removed after all runs: ext4 without a journal avoids inodes that were
        # deleted in the last minutes, and looks at each of them before it creates a file.
        folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.server = server.Server(programs, folder, "--width", str(width / 2), "--scale", "2",
                                    "--quality", "80", "--jobs", str(PROCESSES))
        super().__init__(self.server.process, self.server.port)
        self.bodies: dict[pathlib.Path, bytes] = {}

    def prepare(self, files: list[pathlib.Path]) -> None:
        self.bodies = {file: file.read_bytes() for file in files}

    def resize(self, client: Client, file: pathlib.Path) -> tuple[int, bytes | None]:
        kind = {"Content-Type": TYPES[file.suffix[1:]]}
        answer = client.request("POST", "/v1/attachments", kind, self.bodies[file])
        if answer.status != 201:
            return answer.status, answer.body
        path = answer.body.split(b'"expanded":"/v1')[1].split(b'"')[0].decode()
        return answer.status, client.request("GET", "/v1" + path).body


class Nginx(Service):
    name = "nginx 1.22, image_filter (libgd)"
    note = "reads each photograph from its disk, stores nothing"

    def __init__(self, folder: pathlib.Path, width: int, unpacked: pathlib.Path):
        port = free_port()
        (folder / "nginx.conf").write_text(f"""
load_module {unpacked}/usr/lib/nginx/modules/ngx_http_image_filter_module.so;
daemon off; worker_processes {PROCESSES}; pid {folder}/pid; error_log {folder}/error.log;
{"user root;" if os.getuid() == 0 else ""}
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {folder};
        image_filter_buffer 64M; image_filter_jpeg_quality 80;
        location / {{ image_filter resize {width} -; }}
    }}
}}
""")
        process = subprocess.Popen(
            [unpacked / "usr/sbin/nginx", "-p", folder, "-e", folder / "error.log",
             "-c", folder / "nginx.conf"], stdin=subprocess.DEVNULL)
        super().__init__(process, port)

    def path(self, file: pathlib.Path) -> str:
        return f"/{file.name}"


class Thumbor(Service):
    name = "Thumbor 7.8 (Pillow)"
    note = "reads each photograph from its disk, stores nothing; libjpeg's scaled decoding"

    def __init__(self, folder: pathlib.Path, width: int, python: pathlib.Path):
        port = free_port()
        self.width = width
        (folder / "thumbor.conf").write_text(
            f"LOADER = 'thumbor.loaders.file_loader'\nFILE_LOADER_ROOT_PATH = '{folder}'\n"
            "RESULT_STORAGE = None\nSTORAGE = 'thumbor.storages.no_storage'\nQUALITY = 80\n"
            "ALLOW_UNSAFE_URL = True\nHTTP_LOADER_VALIDATE_CERTS = True\n")
        log = open(folder / "thumbor.log", "wb")
        process = subprocess.Popen(
            [python.with_name("thumbor"), "--ip", "127.0.0.1", "--port", str(port), "--conf",
             folder / "thumbor.conf", "--processes", str(PROCESSES)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        super().__init__(process, port)

    def path(self, file: pathlib.Path) -> str:
        return f"/unsafe/{self.width}x0/{file.name}"


class Vips(Service):
    note = "reads each picture from its disk, stores nothing; a Python service around `thumbnail`"

    def __init__(self, folder: pathlib.Path, width: int, python: pathlib.Path):
        port = free_port()
        process = subprocess.Popen(
            [python, pathlib.Path(__file__).with_name("vips_service.py"), folder, str(width), str(port),
             str(PROCESSES)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.name = f"libvips {process.stdout.readline().strip()} (pyvips)"
        super().__init__(process, port)

    def path(self, file: pathlib.Path) -> str:
        return f"/{file.name}"


class Peak:
    """The highest footprint of a service, from samples every 5 ms.

    Its processes are listed every 100 ms: a list for each sample takes a fifth of a core from the service.
    """

    def __init__(self, service: Service):
        self.service, self.bytes, self.over = service, service.memory(), threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        processes, listed = [], 0.0
        while not self.over.wait(0.005):
            if time.monotonic() - listed > 0.1:
                processes, listed = self.service.processes(), time.monotonic()
            self.bytes = max(self.bytes, sum(map(server.footprint, processes)))

    def stop(self) -> int:
        self.over.set()
        self.thread.join()
        return self.bytes


class Run:
    """The pictures of one list by a number of connections."""

    def __init__(self, service: Service, width: int, files: list[pathlib.Path], connections: int):
        self.service, self.width = service, width
        service.prepare(files)
        with concurrent.futures.ThreadPoolExecutor(FIRST) as pool:
            list(pool.map(self.work, [[file] for file in files[:FIRST]]))
        files = files[FIRST:]
        self.statuses: dict[int, int] = {}
        peak, start, spent = Peak(service), time.monotonic(), service.processor_time()
        with concurrent.futures.ThreadPoolExecutor(connections) as pool:
            for found in pool.map(self.work, [files[i::connections] for i in range(connections)]):
                for status in found:
                    self.statuses[status] = self.statuses.get(status, 0) + 1
        seconds = time.monotonic() - start
        spent = service.processor_time() - spent
        self.peak = peak.stop()
        self.done = sum(n for status, n in self.statuses.items() if status in (200, 201))
        self.rate, self.each = self.done / seconds, spent / max(1, self.done)

    def work(self, own: list[pathlib.Path]) -> list[int]:
        client = Client(self.service.port, timeout=120)
        found = []
        for file in own:
            try:
                status, body = self.service.resize(client, file)
            except OSError:
                # The service ended the connection before its answer.
                client.close()
                found.append(0)
                continue
            if status in (200, 201):
                with Image.open(io.BytesIO(body)) as picture:
                    if picture.width != self.width:
                        raise SystemExit(f"{self.service.name}: {file.name}: {picture.size}")
            found.append(status)
        client.close()
        return found

    def __str__(self) -> str:
        if not self.done:
            return ", ".join(f"{status or 'no answer'}" for status in self.statuses)
        others = {status or "no answer": n for status, n in self.statuses.items()
                  if status not in (200, 201)}
        return (f"{self.rate:.1f}, {self.each * 1e3:.0f} ms, {self.peak / 1e6:.0f} MB"
                + (f", others {others}" if others else ""))


def huge_answer(service: Service, huge: pathlib.Path) -> str:
    service.prepare([huge])
    peak, start = Peak(service), time.monotonic()
    try:
        status, _ = service.resize(Client(service.port, timeout=120), huge)
        outcome = str(status)
    except OSError as error:
        outcome = type(error).__name__
    seconds = time.monotonic() - start
    return f"{outcome} in {seconds:.1f} s, {peak.stop() / 1e6:.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--peers", default=".build/server-peers", type=pathlib.Path)
    parser.add_argument("--photographs", type=int, default=64, help="of each size and format")
    parser.add_argument("--report")
    options = parser.parse_args()
    peers = options.peers.resolve()
    makers = [lambda folder, width: Thimble(folder, width, options.programs)]
    if (peers / "root/usr/sbin/nginx").exists():
        makers.append(lambda folder, width: Nginx(folder, width, peers / "root"))
    if (peers / "python/bin/thumbor").exists():
        makers.append(lambda folder, width: Thumbor(folder, width, peers / "python/bin/python"))
    if (peers / "vips/bin/python").exists():
        makers.append(lambda folder, width: Vips(folder, width, peers / "vips/bin/python"))
    sections, huge_rows, notes = [], [], {}
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:
        folder = pathlib.Path(name)
        huge = folder / "huge.png"
        huge_picture(huge)
        for size, width in SIZES:
            files = {kind: photographs(folder, size, ending, options.photographs + FIRST)
                     for kind, ending in FORMATS.items()}
            rows = []
            for make in makers:
                for connections in CONNECTIONS:
                    service = make(folder, width)
                    try:
                        service.wait()
                        idle = service.memory()
                        cells = [str(Run(service, width, files[kind], connections)) for kind in FORMATS]
                        rows.append(f"| {service.name} | {connections} | {idle / 1e6:.0f} MB | "
                                    + " | ".join(cells) + " |")
                        print(rows[-1], flush=True)
                        if size == SIZES[-1][0] and connections == CONNECTIONS[0]:
                            notes[service.name] = service.note
                            huge_rows.append(f"| {service.name} | {huge_answer(service, huge)} |")
                            print(huge_rows[-1], flush=True)
                    finally:
                        service.end()
            sections += [
                f"Photographs of {size[0]} by {size[1]} to {width} pixels: a second, processor time each, "
                "peak of all processes.", "",
                "| service | connections | idle | " + " | ".join(FORMATS) + " |",
                "|---|---:|---:|" + "---|" * len(FORMATS), *rows, ""]
        size = f"{huge.stat().st_size / 1e3:,.0f} kB"
    text = "\n".join([
        f"`make server-peers PHOTOGRAPHS={options.photographs}`, {datetime.date.today()}, "
        f"{server.machine()}, load average {os.getloadavg()[0]:.1f} at the end (shared with "
        "other programs).", "",
        f"{options.photographs} pictures in each cell, all different; {PROCESSES} workers each, one service "
        "after the other. Memory is anonymous, shared and swapped memory of all processes of the service.", "",
        *sections, f"256 megapixels in {size}:", "", "| service | answer and peak |", "|---|---|",
        *huge_rows, "", *(f"- {service}: {note}." for service, note in notes.items()), "",
        "Where a peer is faster:", "", *(f"- {reason}" for reason in REASONS), ""])
    print(text)
    if options.report:
        write_section(options.report, "thimble-server", "Beside other services", text)


if __name__ == "__main__":
    main()
