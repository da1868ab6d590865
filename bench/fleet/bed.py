"""Broker, store and photographs for measurements of a fleet."""

from __future__ import annotations

import io
import json
import os
import pathlib
import subprocess
import tempfile
import time

from accesses import Accesses
from groups import ControlGroup
from jobs import commented
from parts import ACCESS, Broker, Store

# Smaller pictures would measure the queue, and larger ones the decoder.
MEGAPIXELS = 1, 25


def photographs(folder: pathlib.Path, programs: pathlib.Path) -> list[bytes]:
    """JPEGs of a folder that a phone could have taken, and that thimble processes."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None
    found = []
    for file in sorted(folder.rglob("*")):
        if file.suffix.lower() not in (".jpg", ".jpeg"):
            continue
        try:
            with Image.open(file) as picture:
                size = picture.width * picture.height / 1e6
                if picture.format == "JPEG" and picture.mode == "RGB" and MEGAPIXELS[0] <= size <= MEGAPIXELS[1]:
                    found.append(file.absolute())
        except OSError:
            continue
    with tempfile.TemporaryDirectory() as name:
        names = pathlib.Path(name, "list")
        names.write_text("".join(f"{file}\n" for file in found))
        lines = subprocess.run(
            [programs / "thimble", "batch", "--list", names, "--container", pathlib.Path(name, "container"), "--report",
             "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.splitlines()
    made = {line["file"] for line in map(json.loads, lines) if line.get("outcome") == "made"}
    found = [file for file in found if str(file) in made]
    if not found:
        raise SystemExit(f"{folder} has no JPEGs of {MEGAPIXELS[0]} to {MEGAPIXELS[1]} megapixels")
    return [file.read_bytes() for file in found]


def variation(picture: bytes, number: int) -> bytes:
    """The picture with other contrasts, and so with renditions of its own, which are published.

    The steps of the five lowest frequencies of its first quantisation table grow by 0 to 2 each: 243 variations.
    """
    table = picture.index(b"\xff\xdb") + 5
    changed = bytearray(picture)
    for place in range(1, 6):
        changed[table + place] = min(255, changed[table + place] + number % 3)
        number //= 3
    return bytes(changed)


def pixels(pictures: list[bytes]) -> float:
    """Mean number of megapixels."""
    from PIL import Image

    sizes = [Image.open(io.BytesIO(picture)).size for picture in pictures]
    return sum(width * height for width, height in sizes) / len(sizes) / 1e6


class Bed:
    """One node of the broker and the store, each in a control group that counts its CPU."""

    def __init__(self, folder: pathlib.Path, programs: pathlib.Path, pictures: list[bytes]) -> None:
        self.folder, self.programs, self.pictures = folder, programs, pictures
        self.groups = {name: ControlGroup(name) for name in ("broker", "store")}
        self.broker = Broker(folder / "broker", 1, wrapper=" ".join(self.groups["broker"].entering))
        self.store = Store(folder / "store", wrapper=" ".join(self.groups["store"].entering))
        self.environment = os.environ | ACCESS | {
            "THIMBLE_SERVER_BROKER": self.broker.up(), "THIMBLE_SERVER_S3_ENDPOINT": self.store.up()}
        self.accesses = Accesses(self.store.folder / "object.log")
        self.runs = 0

    def files(self, count: int) -> list[pathlib.Path]:
        """Pictures with digests of their own, in which the photographs take turns, with other contrasts each turn."""
        folder = self.folder / "photographs"
        folder.mkdir(exist_ok=True)
        files = [folder / f"{number:06}.jpg" for number in range(count)]
        for number, file in enumerate(files):
            if not file.exists():
                turn, place = divmod(number, len(self.pictures))
                file.write_bytes(commented(variation(self.pictures[place], turn), str(number).encode()))
        return files

    def new_names(self, count: int) -> pathlib.Path:
        """A folder of the pictures under new names, which make new jobs of them."""
        self.runs += 1
        folder = self.folder / f"run-{self.runs}"
        folder.mkdir()
        for file in self.files(count):
            os.link(file, folder / file.name)
        return folder

    def submit(self, count: int) -> None:
        folder = self.new_names(count)
        names = self.folder / "list"
        names.write_text("".join(f"{file}\n" for file in sorted(folder.iterdir())))
        with open(self.folder / "submit.log", "ab") as log:
            subprocess.run([self.programs / "thimble-server", "submit", "--list", names], check=True,
                           env=self.environment, stderr=log, stdin=subprocess.DEVNULL)

    def start_worker(self, number: int, group: ControlGroup | None, *options: str) -> subprocess.Popen[bytes]:
        name = f"container-{self.runs}-{number}"
        with open(self.folder / "worker.log", "ab") as log:
            return subprocess.Popen(
                [*(group.entering if group else []), str(self.programs / "thimble-server"), "work", "--container",
                 str(self.folder / name), "--operations-port", "0", *options],
                env=self.environment, stderr=log, stdin=subprocess.DEVNULL)

    def waiting(self) -> int:
        """Jobs in the queue of the campaign."""
        text = subprocess.run(
            [self.programs / "thimble-server", "status", "--json", "--interval", "0.1"], check=True,
            env=self.environment, stdout=subprocess.PIPE).stdout
        return next(line["ready"] for line in json.loads(text)["queues"] if line["queue"] == "campaign")

    def finished(self) -> int:
        self.accesses.read()
        return len(self.accesses.finished)

    def wait_for(self, finished: int, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self.finished() < finished:
            if time.monotonic() > deadline:
                raise SystemExit(f"{self.finished()} of {finished} results after {seconds:.0f} s")
            time.sleep(0.05)

    def end(self) -> None:
        self.broker.down()
        self.store.down()
        for group in self.groups.values():
            group.remove()


def stop(workers: list[subprocess.Popen[bytes]]) -> None:
    for worker in workers:
        worker.terminate()
    for worker in workers:
        try:
            worker.wait(40)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
