"""The figures of `make target-score`: bars and table."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

TOLERANCE = 1.5
CAP = 12 << 20


@dataclass
class Row:
    """A picture: the width of its rendition, its score, its quality by the note, and the peak in bytes."""

    name: str
    width: int
    score: float
    quality: int | None
    peak: int


@dataclass
class Bar:
    """A figure with its bound."""

    name: str
    value: float
    bound: float
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        """True if the figure keeps the bound."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound


def is_close(row: Row, target: float) -> bool:
    """True within the tolerance, as it is printed."""
    return round(abs(row.score - target), 1) <= TOLERANCE


def bars(rows: list[Row], target: float, milliseconds: float) -> list[Bar]:
    """What was promised, with what was measured."""
    share = 100 * sum(is_close(row, target) for row in rows) / len(rows)
    return [Bar(f"pictures within {TOLERANCE} points, %", share, 95, at_least=True),
            Bar("processor time added at 1320 px, ms", milliseconds, 120),
            Bar("highest peak, MiB", max(row.peak for row in rows) / (1 << 20), CAP / (1 << 20))]


def markdown(rows: list[Row], target: float, milliseconds: float, version: str) -> str:
    """Bars, the spread of scores and qualities, and every picture beyond the tolerance."""
    scores = sorted(row.score for row in rows)
    qualities = sorted(row.quality for row in rows if row.quality is not None)
    lines = [
        f"`--target-score {target}` of {version} under a cap of 12 MiB: {len(rows)} pictures, those "
        "of `make bytes` and of the corpus, whole and in quarters. Scores by the Python package "
        "ssimulacra2 against the reduction as PNG.", "",
        "| figure | measured | bar | |", "|---|---:|---:|---|"]
    for bar in bars(rows, target, milliseconds):
        lines.append(f"| {bar.name} | {bar.value:.1f} | {'≥' if bar.at_least else '≤'} "
                     f"{bar.bound:g} | {'met' if bar.is_met else '**missed**'} |")
    lines += ["", f"Scores from {scores[0]:.1f} to {scores[-1]:.1f}, median "
              f"{statistics.median(scores):.1f}."]
    if qualities:
        lines[-1] += (f" Qualities from {qualities[0]} to {qualities[-1]}, median "
                      f"{statistics.median(qualities):.0f}: no one quality gives the score.")
    if beyond := [row for row in rows if not is_close(row, target)]:
        lines += ["", f"Beyond {TOLERANCE} points:", "",
                  "| picture | width | score | quality |", "|---|---:|---:|---:|"]
        lines += [f"| {row.name} | {row.width} | {row.score:.1f} | "
                  f"{'none' if row.quality is None else row.quality} |" for row in beyond]
    return "\n".join(lines)
