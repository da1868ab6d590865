"""Descriptions of the packages of this repository, by `swift package dump-package`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def packages() -> list[str]:
    """Folders of the packages, relative to the repository."""
    found = []
    for folder, subfolders, files in os.walk(ROOT):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        if "Package.swift" in files:
            found.append(os.path.relpath(folder, ROOT))
    return sorted(found)


def dump(package: str, **environment: str) -> dict:
    """The description of a package, in a mode that the environment selects.

    The folder for the build is one of its own: another run of SwiftPM may hold the lock of the usual one.
    """
    command = [
        os.environ.get("SWIFT", "swift"), "package", "--package-path", package,
        "--scratch-path", ".build/manifests", "dump-package"]
    output = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, check=True).stdout
    return json.loads(output)
