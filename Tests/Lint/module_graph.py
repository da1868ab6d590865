"""Modules of the packages that users get, their rooms, and the imports between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from manifests import ROOT, dump, packages

# Rooms from the bottom: a module imports modules of its own room and of those before.
#
# Container is before Attachments, whose vocabulary has its identifiers.
ROOMS = [
    "C", "Basics", "Container", "Attachments", "Workers", "Network", "Notifications", "Check", "Options",
    "Programs", "Server",
]

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    name: str
    folder: Path
    declared: frozenset[str]

    @property
    def is_c(self) -> bool:
        return re.match(r"C[A-Z]", self.name) is not None

    @property
    def room(self) -> str:
        """The first folder below Sources."""
        if self.is_c:
            return "C"
        folder = self.folder.relative_to(ROOT / "Sources").parts[0]
        if folder not in ROOMS:
            raise SystemExit(f"{self.name} is in Sources/{folder}, which is no room: {', '.join(ROOMS)}")
        return folder

    def imported(self) -> set[str]:
        """Names that its sources import; of C, what the manifest declares, since headers include by file."""
        if self.is_c:
            return set(self.declared)
        names: set[str] = set()
        # Templates are resources.
        for source in self.folder.rglob("*.swift"):
            if "Templates" in source.parts:
                continue
            names.update(IMPORT.findall(source.read_text()))
        return names


def modules() -> dict[str, Module]:
    """Modules of all packages with sources in Sources, by their names as imported, without tests."""
    found = {}
    for package in packages():
        for target in dump(package)["targets"]:
            folder = ROOT / package / target.get("path", f"Sources/{target['name']}")
            if target["type"] == "test" or not folder.is_relative_to(ROOT / "Sources"):
                continue
            name = target["name"].replace("-", "_")
            declared = frozenset(dependency.replace("-", "_") for dependency in named(target["dependencies"]))
            found[name] = Module(target["name"], folder, declared)
    return found


def named(dependencies: list[dict]) -> Iterator[str]:
    for dependency in dependencies:
        for kind in ("byName", "target", "product"):
            if kind in dependency:
                yield dependency[kind][0]


def arrows(modules: dict[str, Module]) -> dict[str, set[str]]:
    """Modules that each module imports."""
    return {
        name: (module.imported() & modules.keys()) - {name}
        for name, module in sorted(modules.items())}


def faults(modules: dict[str, Module], arrows: dict[str, set[str]]) -> Iterator[str]:
    """Sentences about imports from a lower room to a higher one."""
    rank = {name: ROOMS.index(module.room) for name, module in modules.items()}
    for name, others in arrows.items():
        for other in sorted(others):
            if rank[name] < rank[other]:
                yield f"{name} ({modules[name].room}) imports {other} of the higher room {modules[other].room}"
