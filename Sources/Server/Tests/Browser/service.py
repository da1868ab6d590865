"""thimble-server and its page, for tests in headless Chromium."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import page_window

parser = argparse.ArgumentParser()
parser.add_argument("products", type=pathlib.Path)
parser.add_argument("images", type=pathlib.Path)
parser.add_argument("--pictures", type=pathlib.Path)
parser.add_argument("--large", type=pathlib.Path, help="a picture of 48 megapixels")
parser.add_argument("--patience", type=float, default=1, help="factor of times, for a busy machine")
parser.add_argument("--only", default="", help="run tests whose names contain this")
options = parser.parse_args()
options.products = options.products.resolve()


class Server:
    """`thimble-server try` on a free port, with a container whose files the tests see.

    `programs` is a folder of programs that come before the system's.
    """

    def __init__(self, *arguments, before=(), folder=None, programs=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="thimble-page-", dir=folder))
        self.container = self.folder / "container"
        self.process = subprocess.Popen(
            [*before, options.products / "thimble-server", "try", "--max-upload-bytes", "100MB",
             "--container", self.container, *([] if programs else ["--no-open"]), *arguments],
            env={**os.environ, "PATH": f"{programs or '/usr/bin'}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+/", line)
        if not found:
            reason = self.process.stderr.read()
            self.end()
            raise RuntimeError(f"not serving: {line}{reason}")
        self.address = found.group()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.end()

    def end(self):
        self.process.terminate()
        self.process.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def left(self):
        """Files of trials and uploads in the container."""
        found = [self.container / "trials", self.container / "incoming", self.container / "renditions"]
        return [path for folder in found for path in folder.rglob("*") if path.is_file()]


class Page(page_window.Window):
    """The page of the service."""

    def ready(self, name):
        self.until(lambda: name in self.text("#status") and "is-busy" not in
                   self.find("#status").get_attribute("class"), f"no result for {name}")

    def choose(self, path):
        self.find("#files").send_keys(str(path.resolve()))
        self.ready(path.name)

    def drag(self, path, x, y, kinds=("dragEnter", "dragOver", "drop")):
        """Drags a file from the desktop and drops it, through the browser's own input."""
        for kind in kinds:
            if kind == "drop":
                # Before the page has taken the drag, the browser takes a drop for a pointer that left.
                self.until(lambda: self.all("html.is-dragging"), "the page did not take the drag")
            self.driver.execute_cdp_cmd("Input.dispatchDragEvent", {
                "type": kind, "x": x, "y": y,
                "data": {"items": [], "files": [str(path.resolve())], "dragOperationsMask": 1}})

    def check(self, name):
        super().check(name, options.pictures)
