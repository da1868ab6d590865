"""Verdicts by threshold and exceptions, and their output."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Result:
    """The result of one rendition. Decibels are None if nothing could be measured."""

    file: str
    format: str
    orientation: int
    width: int
    height: int
    quality: int | str | None = None
    over_black: float | None = None
    over_white: float | None = None
    ssimulacra2: float | None = None
    loss: float | None = None
    upright: bool | None = None
    right_size: bool | None = None
    fault: str | None = None

    @property
    def psnr(self) -> float | None:
        """The figure for the threshold: the worse of the two backgrounds."""
        return None if self.over_black is None else min(self.over_black, self.over_white)


@dataclass(frozen=True)
class Allowance:
    """An exception from the threshold: minimum and reason."""

    minimum: float | None
    reason: str


def read_exceptions(path: Path) -> dict[str, Allowance]:
    """Reads the exceptions: file, minimum dB (`-` if nothing can be measured), reason."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {
            row["file"]: Allowance(
                None if row["minimum"] == "-" else float(row["minimum"]), row["reason"])
            for row in csv.DictReader(file, delimiter="\t")
        }


def verdict(result: Result, threshold: float, exception: Allowance | None) -> str:
    """`ok`, `exception: …` for an allowed file, or `FAIL: …`."""
    if result.right_size is False:
        return "FAIL: wrong size"
    if result.psnr is None:
        if exception and exception.minimum is None:
            return f"exception: {exception.reason}"
        return f"FAIL: not measured: {result.fault}"
    if result.psnr >= threshold:
        return "FAIL: stale exception, remove it" if exception else "ok"
    if exception and exception.minimum is not None and result.psnr >= exception.minimum:
        return f"exception: {exception.reason}"
    return f"FAIL: below {exception.minimum if exception and exception.minimum else threshold} dB"


def json_lines(results: list[Result], verdicts: list[str]) -> str:
    """One JSON object per line."""
    return "\n".join(
        json.dumps(asdict(result) | {"psnr": result.psnr, "verdict": verdict})
        for result, verdict in zip(results, verdicts))


def markdown(results: list[Result], verdicts: list[str], unrendered: list[str]) -> str:
    """A table, worst first, followed by the sources without a rendition."""
    lines = [
        "| file | format | orientation | rendition | quality | dB | over black | over white "
        "| SSIMULACRA2 | loss | upright | size | verdict |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    by_quality = sorted(
        zip(results, verdicts), key=lambda pair: -1 if pair[0].psnr is None else pair[0].psnr)
    for result, found in by_quality:
        opaque = result.over_black == result.over_white
        cells = [
            result.file, result.format, result.orientation, f"{result.width}×{result.height}",
            result.quality or "lossless", decimal(result.psnr),
            "" if opaque else decimal(result.over_black),
            "" if opaque else decimal(result.over_white),
            decimal(result.ssimulacra2), decimal(result.loss),
            yes_no(result.upright), yes_no(result.right_size), found,
        ]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    failed = sum(verdict.startswith("FAIL") for verdict in verdicts)
    excepted = sum(verdict.startswith("exception") for verdict in verdicts)
    lines += ["", f"{len(results)} renditions, {failed} failed, {excepted} by exception."]
    if unrendered:
        lines += ["", f"Sources without a rendition: {', '.join(unrendered)}"]
    return "\n".join(lines)


def decimal(value: float | None) -> str:
    """One decimal; empty without a value."""
    return "" if value is None else f"{value:.1f}"


def yes_no(value: bool | None) -> str:
    """A truth value as a word."""
    return "" if value is None else "yes" if value else "NO"
