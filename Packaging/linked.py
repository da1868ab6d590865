"""What built programs contain and link: packages of Swift with their licences, and packages of Debian."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path


def dependencies(built: Path) -> dict[str, dict]:
    """The packages of Swift that a build has fetched, by the folder of their checkout, as SwiftPM states them."""
    state = json.loads((built / "../../workspace-state.json").read_text())
    return {dependency["subpath"]: dependency for dependency in state["object"]["dependencies"]}


def checkouts(built: Path, program: str) -> set[str]:
    """Folders of the packages whose modules the linker got for a program."""
    objects = (built / f"{program}.product/Objects.LinkFileList").read_text()
    found = set()
    for module in set(re.findall(r"/([^/\n]+)\.build/", objects)):
        folder = built / f"{module}.build"
        # SwiftPM lists the sources of modules in Swift; the compiler lists those of an object in C.
        lists = [folder / "sources"] if (folder / "sources").exists() else folder.rglob("*.d")
        found.update(name for path in lists for name in re.findall(r"/checkouts/([^/]+)/", path.read_text()))
    return found


def libraries(program: Path) -> list[str]:
    """Packages of Debian with the libraries that a program links."""
    script = Path(__file__).resolve().parent.parent / "Examples/Server/packages.sh"
    return subprocess.run([script, program], check=True, capture_output=True, text=True).stdout.split()


def licence(folder: Path) -> tuple[str, str]:
    """The licence's name, and its text if Debian does not have it."""
    files = sorted(folder.glob("LICENSE*")) + sorted(folder.glob("COPYING*"))
    if not files:
        sys.exit(f"{folder} has no licence")
    text = files[0].read_text()
    if "Apache License" in text:
        return "Apache-2.0", ""
    if "Permission is hereby granted, free of charge" in text:
        return f"Expat-{folder.name}", text
    sys.exit(f"{files[0]}: the licence is unknown; add it to {Path(__file__).name}")
