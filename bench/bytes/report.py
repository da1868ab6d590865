"""The figures of `make bytes`: bars, tables and verdict."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from names import BASE, BEST, DEFAULT, JPEGLI, MOZJPEG, QUALITY

PHOTOGRAPH = "photograph"
GROUPS = [PHOTOGRAPH, "screenshot", "graphic"]
ENCODERS = [DEFAULT, BEST, JPEGLI, MOZJPEG]


@dataclass
class Row:
    """A picture: bytes by libjpeg-turbo's at equal SSIMULACRA2 and at equal butteraugli, by encoder."""

    name: str
    kind: str
    size: tuple[int, int]
    base: int
    score: float
    ratios: dict[str, tuple[float, float]]
    # Of the banner at the same quality: bytes by libjpeg-turbo's, and points above its score.
    banner: float
    banner_gain: float
    cost: dict[str, float]


@dataclass
class Bar:
    """A figure with its bound."""

    name: str
    value: float
    bound: float
    at_least: bool = False
    digits: int = 3

    @property
    def is_met(self) -> bool:
        """True if the figure, as it is printed, keeps the bound."""
        value = round(self.value, self.digits)
        return value >= self.bound if self.at_least else value <= self.bound

    @property
    def text(self) -> str:
        """Figure and bound in words."""
        word = "at least" if self.at_least else "at most"
        return f"{self.name}: {self.value:.{self.digits}f}, {word} {self.bound:g}"


def ratios(rows: list[Row], encoder: str, metric: int = 0) -> list[float]:
    """Bytes at equal SSIMULACRA2 (0) or butteraugli (1)."""
    return [row.ratios[encoder][metric] for row in rows]


def times(rows: list[Row], key: str) -> float:
    """The median of an encoder's processor time by libjpeg's, from planes."""
    return statistics.median(row.cost[key] / row.cost["libjpeg"] for row in rows)


def bars(rows: list[Row]) -> list[Bar]:
    """What was promised, with what was measured."""
    photographs = [row for row in rows if row.kind == PHOTOGRAPH]
    own, best = ratios(photographs, DEFAULT), ratios(photographs, BEST)
    mean = statistics.mean
    found = [
        Bar("default, photographs, mean", mean(own), 0.86),
        Bar("default, photographs, worst", max(own), 0.92),
        Bar("default, photographs, at equal butteraugli", mean(ratios(photographs, DEFAULT, 1)),
            0.88),
        Bar("default, CPU by libjpeg-turbo's", times(rows, "standard"), 1.0, digits=2),
        Bar("best, photographs, mean", mean(best), 0.825),
        Bar("best, all pictures, mean", mean(ratios(rows, BEST)), 0.80),
        Bar("best, photographs, at equal butteraugli", mean(ratios(photographs, BEST, 1)), 0.85),
        Bar("best, CPU by libjpeg-turbo's", times(rows, "best"), 3.0, digits=2),
        Bar("best, memory in kB", max(row.cost["bestMemory"] for row in rows) / 1000, 450,
            digits=0),
        Bar("banners, mean", mean(row.banner for row in rows), 0.93),
        Bar("banners, mean points above libjpeg-turbo's", mean(row.banner_gain for row in rows), 0,
            at_least=True, digits=1),
    ]
    for name, values in ((DEFAULT, own), (BEST, best)):
        for peer in (JPEGLI, MOZJPEG):
            found.append(Bar(f"{name}, photographs, less the bytes of {peer}",
                             mean(values) - mean(ratios(photographs, peer)), 0))
    return found


def markdown(rows: list[Row], libraries: str) -> str:
    """The page: bars, encoders by kind of picture, and every picture."""
    kinds = ", ".join(f"{sum(row.kind == kind for row in rows)} {kind}s" for kind in GROUPS)
    lines = [
        f"Bytes by those of {BASE} at quality {QUALITY}, 4:2:0, at the same score of each picture; "
        f"{len(rows)} pictures at 1320 px: {kinds}. All encoders write baseline JPEG of 4:2:0. "
        f"Libraries: {libraries}.", "",
        "| figure | measured | bar | |", "|---|---:|---:|---|"]
    for bar in bars(rows):
        sign = "≥" if bar.at_least else "≤"
        lines.append(f"| {bar.name} | {bar.value:.{bar.digits}f} | {sign} {bar.bound:g} | "
                     f"{'met' if bar.is_met else '**missed**'} |")
    lines += ["", "Mean, median and worst at equal SSIMULACRA2, and the mean at equal butteraugli "
              "(3-norm):", "", "| encoder | " + " | ".join([f"{kind}s" for kind in GROUPS] + ["all"])
              + " |", "|---|" + "---|" * (len(GROUPS) + 1)]
    for encoder in ENCODERS:
        cells = [figures([row for row in rows if kind in (row.kind, "all")], encoder)
                 for kind in [*GROUPS, "all"]]
        lines.append("| " + " | ".join([encoder, *cells]) + " |")
    lines += ["", "Every picture at equal SSIMULACRA2; the banner's bytes at the same quality, and "
              "its points above libjpeg-turbo's:", "",
              "| picture | kind | kB | score | " + " | ".join(ENCODERS) + " | banner | points |",
              "|---|---|---:|---:|" + "---:|" * (len(ENCODERS) + 2)]
    for row in rows:
        cells = [row.name, row.kind, f"{row.base / 1000:.0f}", f"{row.score:.1f}"]
        cells += [f"{row.ratios[encoder][0]:.3f}" for encoder in ENCODERS]
        cells += [f"{row.banner:.3f}", f"{row.banner_gain:+.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def figures(rows: list[Row], encoder: str) -> str:
    """Mean, median and worst at equal SSIMULACRA2, and the mean at equal butteraugli."""
    if not rows:
        return "—"
    values = ratios(rows, encoder)
    return (f"{statistics.mean(values):.3f} / {statistics.median(values):.3f} / {max(values):.3f}, "
            f"{statistics.mean(ratios(rows, encoder, 1)):.3f}")
