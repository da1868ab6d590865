#!/usr/bin/env python3
"""Compares thimble-server with other services that resize pictures: nginx's image filter, and Thumbor.

All get the same photographs of 12 megapixels, one after the other in the same run, and make pictures that are
1,080 pixels wide. Then each gets one picture of 256 megapixels in less than a megabyte.
"""

import argparse
import concurrent.futures
import datetime
import io
import os
import pathlib
import shutil
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
WIDTH, CONNECTIONS, PROCESSES = 1080, 8, 2
HUGE = 16_000


def photographs(folder: pathlib.Path, count: int) -> list[pathlib.Path]:
    """Files with the same pixels and different bytes, so that nothing is answered from a cache."""
    data = io.BytesIO()
    with Image.open(ROOT / "Images/lake-baseline.jpg") as picture:
        picture.resize((4000, 3000), Image.Resampling.LANCZOS).save(data, "JPEG", quality=90)
    body = data.getvalue()
    files = []
    for number in range(count):
        note = b"%06d" % number
        file = folder / f"{number}.jpg"
        file.write_bytes(body[:2] + b"\xff\xfe" + struct.pack(">H", len(note) + 2) + note + body[2:])
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

    def resize(self, client: Client, file: pathlib.Path) -> tuple[int, bytes | None]:
        answer = client.request("GET", self.path(file))
        return answer.status, answer.body

    def path(self, file: pathlib.Path) -> str:
        raise NotImplementedError

    def memory(self) -> int:
        pid = self.process.pid
        return sum(map(server.footprint, [pid, *server.descendants(pid)]))

    def processor_time(self) -> float:
        """Seconds of all processes, and of workers that have exited."""
        pid, ticks = self.process.pid, 0
        for each in [pid, *server.descendants(pid)]:
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

    def __init__(self, folder: pathlib.Path, programs: str):
        self.server = server.Server(programs, folder, "--width", str(WIDTH / 3), "--scale", "3",
                                    "--quality", "80", "--jobs", str(PROCESSES))
        super().__init__(self.server.process, self.server.port)

    def resize(self, client: Client, file: pathlib.Path) -> tuple[int, bytes | None]:
        kind = "image/png" if file.suffix == ".png" else "image/jpeg"
        answer = client.request("POST", "/v1/attachments", {"Content-Type": kind}, file.read_bytes())
        if answer.status != 201:
            return answer.status, answer.body
        path = answer.body.split(b'"expanded":"/v1')[1].split(b'"')[0].decode()
        return answer.status, client.request("GET", "/v1" + path).body


class Nginx(Service):
    name = "nginx 1.22, image_filter (libgd)"
    note = "reads each photograph from its disk, stores nothing"

    def __init__(self, folder: pathlib.Path, unpacked: pathlib.Path):
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
        location / {{ image_filter resize {WIDTH} -; }}
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

    def __init__(self, folder: pathlib.Path, python: pathlib.Path):
        port = free_port()
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
        return f"/unsafe/{WIDTH}x0/{file.name}"


class Peak:
    """The highest footprint of a service, from samples every 5 ms."""

    def __init__(self, service: Service):
        self.service, self.bytes, self.over = service, service.memory(), threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while not self.over.wait(0.005):
            self.bytes = max(self.bytes, self.service.memory())

    def stop(self) -> int:
        self.over.set()
        self.thread.join()
        return self.bytes


def measure(service: Service, files: list[pathlib.Path], huge: pathlib.Path) -> dict[str, str]:
    idle = service.memory()
    statuses: dict[int, int] = {}

    def work(own: list[pathlib.Path]) -> list[int]:
        client = Client(service.port, timeout=120)
        found = []
        for file in own:
            status, body = service.resize(client, file)
            if status in (200, 201):
                with Image.open(io.BytesIO(body)) as picture:
                    if picture.width != WIDTH:
                        raise SystemExit(f"{service.name}: {picture.size}")
            found.append(status)
        client.close()
        return found

    # The first request of a service loads its libraries.
    work(files[:1])
    peak, start, spent = Peak(service), time.monotonic(), service.processor_time()
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        for found in pool.map(work, [files[1 + index::CONNECTIONS] for index in range(CONNECTIONS)]):
            for status in found:
                statuses[status] = statuses.get(status, 0) + 1
    seconds = time.monotonic() - start
    spent = service.processor_time() - spent
    highest = peak.stop()
    done = sum(count for status, count in statuses.items() if status in (200, 201))
    others = {status: count for status, count in statuses.items() if status not in (200, 201)}
    peak, start = Peak(service), time.monotonic()
    try:
        status, _ = service.resize(Client(service.port, timeout=120), huge)
        outcome = str(status)
    except OSError as error:
        outcome = type(error).__name__
    outcome += f" in {time.monotonic() - start:.1f} s"
    return {"service": service.name, "rate": f"{done / seconds:.1f} a second",
            "time": f"{spent / max(1, done) * 1e3:.0f} ms",
            "others": str(others or "none"), "idle": f"{idle / 1e6:.0f} MB",
            "peak": f"{highest / 1e6:.0f} MB", "huge": outcome,
            "huge peak": f"{peak.stop() / 1e6:.0f} MB", "note": service.note}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--peers", default=".build/server-peers", type=pathlib.Path)
    parser.add_argument("--photographs", type=int, default=200)
    parser.add_argument("--report")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:
        folder = pathlib.Path(name)
        files = photographs(folder, options.photographs + 1)
        huge = folder / "huge.png"
        huge_picture(huge)
        size = f"{huge.stat().st_size / 1e3:,.0f} kB"
        rows = []
        peers = options.peers.resolve()
        makers = [lambda: Thimble(folder, options.programs)]
        if (peers / "root/usr/sbin/nginx").exists():
            makers.append(lambda: Nginx(folder, peers / "root"))
        if (peers / "python/bin/thumbor").exists():
            makers.append(lambda: Thumbor(folder, peers / "python/bin/python"))
        for make in makers:
            service = make()
            try:
                service.wait()
                rows.append(measure(service, files, huge))
                print(rows[-1], flush=True)
            finally:
                service.end()
            shutil.rmtree(folder / "container", ignore_errors=True)
    columns = {"service": "service", "rate": "photographs", "time": "processor time each",
               "others": "other statuses",
               "idle": "idle", "peak": "peak of all processes", "huge": f"256 MP in {size}",
               "huge peak": "its peak"}
    text = "\n".join([
        f"`make server-peers PHOTOGRAPHS={options.photographs}`, {datetime.date.today()}, "
        f"{server.machine()}, load average {os.getloadavg()[0]:.1f} at the end (shared with "
        "other programs).", "",
        f"JPEG of 12 megapixels to {WIDTH} pixels, {CONNECTIONS} connections, {PROCESSES} workers "
        "each, one service after the other. Memory is anonymous, shared and swapped memory of all "
        "processes of the service.", "",
        "| " + " | ".join(columns.values()) + " |", "|" + "---|" * len(columns),
        *("| " + " | ".join(row[key] for key in columns) + " |" for row in rows), "",
        *(f"- {row['service']}: {row['note']}." for row in rows), ""])
    print(text)
    if options.report:
        write_section(options.report, "thimble-server", "Beside other services", text)


if __name__ == "__main__":
    main()
