"""Renditions of a photograph, by thimble and by other tools."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

QUALITY = 80
THIMBLE = "thimble"
VIPSTHUMBNAIL = "vipsthumbnail"

RESIZE = Path(__file__).resolve().parents[1] / "throughput/resize.py"


@dataclass(frozen=True)
class Task:
    """A photograph to be reduced to a width, into a folder."""

    source: Path
    width: int
    folder: Path


Tool = Callable[[Task], Path]


def thimble(program: Path) -> Tool:
    """The expanded rendition."""
    def render(task: Task) -> Path:
        container = task.folder / f"container-{task.width}"
        run(program, "process", task.source, "--id", "a", "--container", container,
            "--cap", "4GiB", "--width", task.width, "--scale", 1, "--quality", QUALITY,
            "--banner-side", 32, "--render-budget", "1GiB")
        manifest = json.loads(next((container / "notifications").glob("*.json")).read_text())
        expanded = next(r for r in manifest["renditions"] if r["role"] == "expanded")
        return container / "renditions" / expanded["file"]
    return render


def vipsthumbnail(task: Task) -> Path:
    """The same size with libvips, converted to sRGB if there is a profile."""
    target = task.folder / "vipsthumbnail.jpg"
    tagged = subprocess.run(
        ["vipsheader", "-f", "icc-profile-data", task.source], capture_output=True).returncode == 0
    # Without a profile this option darkens the picture (libvips 8.14).
    conversion = ["--export-profile", "srgb"] if tagged else []
    run("vipsthumbnail", task.source, "-s", f"{task.width}x", *conversion,
        "-o", f"{target}[Q={QUALITY},strip]")
    return target


def library(name: str) -> Tool:
    """The same size with a Python library, as `make throughput` measures it."""
    def render(task: Task) -> Path:
        run(sys.executable, RESIZE, name, task.width, QUALITY, task.folder, ".jpg", task.source)
        return task.folder / task.source.with_suffix(".jpg").name
    return render


def ffmpeg(task: Task) -> Path:
    """The same size with ffmpeg, as `make throughput` measures it."""
    target = task.folder / "ffmpeg.jpg"
    run("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", task.source,
        "-vf", f"scale={task.width}:-1:flags=lanczos", "-q:v", 3, target)
    return target


NEWEST_LIBVIPS = "libvips of PyPI"
PEERS: dict[str, Tool] = {
    NEWEST_LIBVIPS: library("pyvips"),
    "OpenCV, reduced decode": library("opencv-reduced"),
    "OpenCV": library("opencv"),
    "Pillow, draft": library("pillow-draft"),
    "Pillow": library("pillow"),
    "ffmpeg": ffmpeg,
}


def versions(program: Path) -> dict[str, str]:
    """The name and version of each tool, by the library that runs; none of a tool that is missing."""
    commands: dict[str, list[object]] = {
        THIMBLE: [program, "--version"], VIPSTHUMBNAIL: ["vips", "--version"],
        "ffmpeg": ["ffmpeg", "-version"]}
    for peer, name in {NEWEST_LIBVIPS: "pyvips", "OpenCV": "opencv", "Pillow": "pillow"}.items():
        commands[peer] = [sys.executable, RESIZE, name]
    found = {}
    for tool, command in commands.items():
        try:
            output = subprocess.run(
                [str(word) for word in command], check=True, capture_output=True, text=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        # ffmpeg's line goes on with its authors.
        found[tool] = output.splitlines()[0].partition(" Copyright")[0]
    return found


def run(*command: object) -> None:
    """Runs a program quietly."""
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
