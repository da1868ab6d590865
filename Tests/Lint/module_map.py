#!/usr/bin/python3
"""Draws the modules and their imports: module_map.py FILE.svg, or --check FILE.svg.

Fails if a module imports one of a higher room, and with --check if the file is not what would be drawn. Of the
arrows, only those that do not follow from others are drawn: not A → C where A → B → C is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import count
from pathlib import Path

from module_graph import ROOMS, Module, arrows, faults, modules

WIDTH = 1060
# Columns: names of rooms, then modules.
LEFT, RIGHT = 132, WIDTH - 16
CHIP, GAP = 30, 34
# The advance of a character of the font, at most, and the space around a name.
CHARACTER, PADDING = 7.4, 12
# Passes over all rows that move modules above what they import.
SWEEPS = 24

STYLE = """
    text { font: 12.5px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #24292f; }
    .name { text-anchor: middle; }
    .room { font-weight: 600; fill: #57606a; }
    .band { fill: #f6f8fa; stroke: #d8dee4; }
    .module { fill: #ffffff; stroke: #8c959f; }
    .arrow { fill: none; stroke: #6e7781; stroke-width: 1.2; }
    .head { fill: #6e7781; }
    .upward { stroke: #cf222e; stroke-dasharray: 4 3; }
    .upward-head { fill: #cf222e; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .room { fill: #9198a1; }
      .band { fill: #161b22; stroke: #30363d; }
      .module { fill: #0d1117; stroke: #6e7681; }
      .arrow { stroke: #8b949e; }
      .head { fill: #8b949e; }
      .upward { stroke: #ff7b72; }
      .upward-head { fill: #ff7b72; }
    }
"""


class Node:
    """A box, or a bend of an arrow that passes a row."""

    def __init__(self, key: str, label: str, width: float, row: int) -> None:
        self.key, self.label, self.width, self.row = key, label, width, row
        self.x = (LEFT + RIGHT) / 2
        self.neighbours: list[Node] = []


def grouped(modules: dict[str, Module], arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """The same arrows with one node, C, for all modules in C."""
    def group(name: str) -> str:
        return "C" if modules[name].is_c else name
    graph: dict[str, set[str]] = {}
    for name, others in arrows.items():
        graph.setdefault(group(name), set()).update(map(group, others))
    return {name: others - {name} for name, others in graph.items()}


def reduced(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The arrows that do not follow from others."""
    @cache
    def below(name: str) -> frozenset[str]:
        return frozenset(graph[name].union(*(below(other) for other in graph[name])))
    return {
        name: {other for other in others if not any(other in below(step) for step in others - {other})}
        for name, others in graph.items()}


def heights(graph: dict[str, set[str]]) -> dict[str, int]:
    """The longest path from each node to the bottom."""
    @cache
    def height(name: str) -> int:
        return 1 + max(map(height, graph[name]), default=-1)
    return {name: height(name) for name in graph}


class Map:
    """Rooms as bands above each other, in each its modules in rows."""

    def __init__(self, modules: dict[str, Module], arrows: dict[str, set[str]]) -> None:
        self.graph = grouped(modules, arrows)
        rooms = {name: "C" if name == "C" else modules[name].room for name in self.graph}
        inner = heights({
            name: {other for other in others if rooms[other] == rooms[name]}
            for name, others in self.graph.items()})
        # A room is above all that it uses.
        uses: dict[str, set[str]] = {room: set() for room in rooms.values()}
        for name, others in self.graph.items():
            uses[rooms[name]] |= {rooms[other] for other in others} - {rooms[name]}
        level = heights(uses)
        self.bands: list[tuple[str, int, int]] = []
        rows: dict[str, int] = {}
        first = 0
        for room in sorted(uses, key=lambda room: (level[room], ROOMS.index(room))):
            members = [name for name in self.graph if rooms[name] == room]
            rows |= {name: first + inner[name] for name in members}
            last = max(rows[name] for name in members)
            self.bands.append((room, first, last))
            first = last + 1
        self.labels = self.wrapped([module.name for module in modules.values() if module.is_c])
        self.nodes: dict[str, Node] = {}
        for name in self.graph:
            label = name if name == "C" else modules[name].name
            texts = self.labels if name == "C" else [label]
            width = max(map(len, texts)) * CHARACTER + 2 * PADDING
            self.nodes[name] = Node(name, label, width, rows[name])
        self.rows: list[list[Node]] = [[] for _ in range(first)]
        for node in self.nodes.values():
            self.rows[node.row].append(node)
        self.paths = [
            self.path(name, other) for name, others in sorted(reduced(self.graph).items())
            for other in sorted(others)]
        self.arrange()

    @staticmethod
    def wrapped(names: list[str]) -> list[str]:
        lines = [""]
        for name in sorted(names):
            if (len(lines[-1]) + len(name) + 2) * CHARACTER > (RIGHT - LEFT) * 0.8:
                lines.append("")
            lines[-1] += f"  {name}" if lines[-1] else name
        return lines

    def path(self, name: str, other: str) -> list[Node]:
        """The nodes of an arrow: both ends, and a bend in each row between."""
        path = [self.nodes[name]]
        step = -1 if self.nodes[other].row < path[0].row else 1
        for row in range(path[0].row + step, self.nodes[other].row, step):
            path.append(Node(f"{name}>{other}", "", 8, row))
            self.rows[row].append(path[-1])
        path.append(self.nodes[other])
        for before, after in zip(path, path[1:]):
            before.neighbours.append(after)
            after.neighbours.append(before)
        return path

    def arrange(self) -> None:
        """Orders each row by the middle of what its nodes are connected with, and moves them there."""
        for row in self.rows:
            row.sort(key=lambda node: node.key)
            self.place(row, [LEFT + (RIGHT - LEFT) * (i + 0.5) / len(row) for i in range(len(row))])
        for sweep in range(SWEEPS):
            for row in self.rows if sweep % 2 == 0 else reversed(self.rows):
                wanted = {}
                for node in row:
                    side = [
                        other.x for other in node.neighbours
                        if sweep >= SWEEPS - 4 or (other.row < node.row) == (sweep % 2 == 0)]
                    wanted[id(node)] = sum(side) / len(side) if side else node.x
                row.sort(key=lambda node: (round(wanted[id(node)], 3), node.key))
                self.place(row, [wanted[id(node)] for node in row])

    @staticmethod
    def place(row: list[Node], wanted: list[float]) -> None:
        """Moves nodes in their order as near as possible to where they should be, without overlap."""
        def packed(nodes: list[Node], places: list[float], start: float, end: float) -> list[float]:
            # From the left; then back from the right end as far as necessary.
            result, limit = [], start
            for node, place in zip(nodes, places):
                result.append(max(place, limit + node.width / 2))
                limit = result[-1] + node.width / 2 + 12
            limit = end
            for i in reversed(range(len(nodes))):
                result[i] = min(result[i], limit - nodes[i].width / 2)
                limit = result[i] - nodes[i].width / 2 - 12
            return result
        left = packed(row, wanted, LEFT, RIGHT)
        mirrored = packed(row[::-1], [-place for place in wanted[::-1]], -RIGHT, -LEFT)
        right = [-place for place in mirrored[::-1]]
        for node, a, b in zip(row, left, right):
            node.x = (a + b) / 2

    def middle(self, row: int) -> float:
        """The y of a row, counted from below."""
        above = sum(1 for _, first, _ in self.bands if first > row)
        return 40 + (len(self.rows) - 1 - row) * (CHIP + GAP) + above * 10

    def half(self, node: Node) -> float:
        """Half the height of a node."""
        lines = len(self.labels) if node.key == "C" else 1
        return (CHIP + 17 * (lines - 1)) / 2

    def svg(self) -> Iterator[str]:
        # The row of C, the lowest, grows downwards with its lines.
        extra = 2 * self.half(self.nodes["C"]) - CHIP
        height = self.middle(0) + CHIP / 2 + extra + 26
        yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" '
               f'height="{height:g}" role="img" aria-labelledby="title description">')
        yield '<title id="title">Modules of Thimble by room</title>'
        yield ('<desc id="description">Drawn by make map from the imports of the sources. Arrows point to what is '
               'imported; those that follow from others are left out.</desc>')
        yield f"<style>{STYLE}</style>"
        for room, first, last in self.bands:
            top, bottom = self.middle(last) - CHIP / 2 - 14, self.middle(first) + CHIP / 2 + 14
            bottom += extra if room == "C" else 0
            yield (f'<rect class="band" x="8" y="{top:g}" width="{WIDTH - 16}" height="{bottom - top:g}" rx="8"/>')
            yield f'<text class="room" x="20" y="{top + 22:g}">{escape(room)}</text>'
        for path in self.paths:
            yield from self.arrow(path)
        for node in sorted(self.nodes.values(), key=lambda node: node.key):
            yield from self.box(node, extra)
        yield "</svg>"

    def arrow(self, path: list[Node]) -> Iterator[str]:
        upward = path[-1].row > path[0].row
        sign = -1 if upward else 1
        start = (path[0].x, self.middle(path[0].row) + sign * CHIP / 2)
        target = path[-1]
        # The box of C is wide: arrows end where they arrive.
        x = target.x
        if target.key == "C":
            margin = target.width / 2 - 16
            x = min(max(path[-2].x, target.x - margin), target.x + margin)
        end = (x, self.middle(target.row) - sign * (CHIP / 2 + 6))
        bends = [(node.x, self.middle(node.row)) for node in path[1:-1]]
        line = f"M{start[0]:.1f} {start[1]:.1f}"
        at = start
        for place in [*bends, end]:
            # A bend passes its row straight, so that it does not touch the modules beside it.
            into = place[1] - (sign * CHIP / 2 if place is not end else 0)
            half = (into - at[1]) / 2
            line += f"C{at[0]:.1f} {at[1] + half:.1f} {place[0]:.1f} {into - half:.1f} {place[0]:.1f} {into:.1f}"
            at = (place[0], into)
            if place is not end:
                at = (place[0], place[1] + sign * CHIP / 2)
                line += f"V{at[1]:.1f}"
        yield f'<path class="arrow{" upward" if upward else ""}" d="{line}"/>'
        tip = end[1] + sign * 6
        yield (f'<path class="{"upward-head" if upward else "head"}" d="M{end[0]:.1f} {tip:.1f}'
               f'l-4 {-sign * 7}h8z"/>')

    def box(self, node: Node, extra: float) -> Iterator[str]:
        top = self.middle(node.row) - CHIP / 2
        height = CHIP + (extra if node.key == "C" else 0)
        yield (f'<rect class="module" x="{node.x - node.width / 2:.1f}" y="{top:g}" width="{node.width:.1f}" '
               f'height="{height:g}" rx="6"/>')
        for number, text in zip(count(), self.labels if node.key == "C" else [node.label]):
            yield f'<text class="name" x="{node.x:.1f}" y="{top + 19.5 + 17 * number:g}">{escape(text)}</text>'


def main() -> int:
    parser = argparse.ArgumentParser(description="Draws the modules and their imports.")
    parser.add_argument("file", type=Path, help="the picture")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the picture differs")
    options = parser.parse_args()
    print(
        "Checking that no module imports one of a higher room, and that the map is current" if options.check
        else "Drawing the modules", flush=True)
    found = modules()
    imports = arrows(found)
    wrong = list(faults(found, imports))
    drawn = "\n".join(Map(found, imports).svg()) + "\n" if not wrong else ""
    if not wrong and options.check and (not options.file.is_file() or options.file.read_text() != drawn):
        wrong = [f"{options.file} is not what the imports are: make map"]
    for sentence in wrong:
        print(sentence)
    if not wrong and not options.check:
        options.file.write_text(drawn)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
