"""The scores of renditions, their table and verdict."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path

from candidates import NEWEST_LIBVIPS, PEERS, THIMBLE, VIPSTHUMBNAIL

EXCEPTIONS = Path(__file__).with_name("exceptions.tsv")


@dataclass
class Score:
    """SSIMULACRA2, and PSNR in dB, of one rendition against the truth."""

    ssimulacra2: float
    psnr: float


@dataclass
class Row:
    """The scores of one photograph at one width: of the references, and by tool."""

    photograph: str
    width: int
    # Encoded by libjpeg, and by thimble's encoder.
    reference: Score
    own_reference: Score
    scores: dict[str, Score]

    def loss(self, tool: str) -> float:
        """Points of SSIMULACRA2 below the reference of the tool's encoder."""
        reference = self.own_reference if tool == THIMBLE else self.reference
        return reference.ssimulacra2 - self.scores[tool].ssimulacra2


def read_exceptions() -> dict[str, str]:
    """Reasons by the names of photographs."""
    lines = EXCEPTIONS.read_text().splitlines()[1:]
    return dict(line.split("\t", 1) for line in lines if line)


def failures(results: list[Row], exceptions: dict[str, str], limit: float) -> list[str]:
    """Losses above the limit, stale exceptions, and a median above vipsthumbnail's."""
    above = [row for row in results if row.loss(THIMBLE) > limit]
    found = [f"{row.photograph} at {row.width} px: {row.loss(THIMBLE):.2f}"
             for row in above if row.photograph not in exceptions]
    stale = set(exceptions) & {row.photograph for row in results}
    found += [f"{name}: stale exception, remove it"
              for name in sorted(stale - {row.photograph for row in above})]
    medians = {tool: statistics.median(row.loss(tool) for row in results)
               for tool in (THIMBLE, VIPSTHUMBNAIL)}
    if medians[THIMBLE] > medians[VIPSTHUMBNAIL]:
        found.append(f"the median loss is above that of vipsthumbnail: {medians}")
    return found


def markdown(
        results: list[Row], exceptions: dict[str, str], limit: float,
        versions: dict[str, str]) -> str:
    """Loss by photograph, by tool with its version, and the exceptions."""
    widths = sorted({row.width for row in results})
    lines = [
        "Loss of SSIMULACRA2 against a full decode, Lanczos 3 and the same encoder (quality 80, "
        "4:2:0): thimble's for thimble, libjpeg's for the others and for the score beside the name, "
        f"at {len(widths)} widths from {widths[0]} to {widths[-1]} px: median, and the worst "
        "with its width. PSNR is the median of the rendition against the unencoded truth, in dB.", "",
        "| photograph | reference | thimble: median | worst | PSNR | vipsthumbnail: median | worst "
        "| PSNR |",
        "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for name in sorted({row.photograph for row in results}):
        own = [row for row in results if row.photograph == name]
        cells = [name, f"{statistics.median(row.reference.ssimulacra2 for row in own):.1f}"]
        for tool in (THIMBLE, VIPSTHUMBNAIL):
            cells += figures(own, tool)
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "All photographs; of libvips of PyPI, upright JPEGs in sRGB:", "",
              *by_tool(results, [THIMBLE, VIPSTHUMBNAIL, NEWEST_LIBVIPS], limit, versions)]
    if shared := [row for row in results if len(row.scores) > 3]:
        lines += [
            "", "The tools of `make throughput`, for upright JPEGs in sRGB to "
            f"{shared[0].width} px:", "",
            *by_tool(shared, [THIMBLE, VIPSTHUMBNAIL, *PEERS], limit, versions)]
    listed = {name: reason for name, reason in exceptions.items()
              if any(row.photograph == name for row in results)}
    if listed:
        lines += ["", f"Losses above {limit} for these reasons:", ""]
        lines += [f"- {name}: {reason}" for name, reason in sorted(listed.items())]
    return "\n".join(lines)


def figures(rows: list[Row], tool: str) -> list[str]:
    """Median and worst loss with its width, and median PSNR."""
    worst = max(rows, key=lambda row: row.loss(tool))
    return [f"{statistics.median(row.loss(tool) for row in rows):.2f}",
            f"{worst.loss(tool):.2f} at {worst.width}",
            f"{statistics.median(row.scores[tool].psnr for row in rows):.1f}"]


def by_tool(
        results: list[Row], tools: list[str], limit: float, versions: dict[str, str]) -> list[str]:
    """One line per tool; tools that are not installed are missing."""
    lines = [f"| tool | median | worst | PSNR | above {limit} |", "|---|---:|---:|---:|---:|"]
    for tool in tools:
        rows = [row for row in results if tool in row.scores]
        if rows:
            above = sum(row.loss(tool) > limit for row in rows)
            lines.append("| " + " | ".join(
                [labelled(tool, versions), *figures(rows, tool), f"{above} of {len(rows)}"]) + " |")
    return lines


def labelled(tool: str, versions: dict[str, str]) -> str:
    """The tool with the version of its library; a second way of a library has its version too."""
    version = versions.get(tool) or versions.get(tool.partition(",")[0])
    return f"{tool} ({version})" if version else tool
