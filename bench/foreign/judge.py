"""Verdicts about one file: silently different, refused though others decode it, grown."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

import decoders  # First, because it makes the modules of `fidelity` importable.
import measure
from colour import to_srgb
from decode import decode, nearest_frame
from reduce import reduce

# A rendition with less, in dB, shows something else than its source; quality alone does not do that.
DIFFERENT = 30.0

# Most length of a rendition at its source's size, relative to the source. Types that the system does not
# attach must be encoded, mostly less compactly.
ATTACHABLE = {"jpeg", "png", "gif"}
MOST_OF_ATTACHABLE, MOST_OF_OTHERS = 1.0, 2.0
# Bytes of a JPEG of one pixel: its tables (T.81, annex K), which other types do not have or do not need.
JPEG_TABLES = 631
# Bytes of a JPEG XL up to which it can only be a drawing of splines and rules (ISO/IEC 18181-1).
DRAWING = 150


@dataclass
class Verdict:
    """What is wrong with the rendition of a file; empty if nothing is."""

    file: str
    kind: str
    reason: str
    figures: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Likeness:
    """A rendition beside what one decoder shows."""

    decibels: float
    fault: str | None


def likeness(truth, rendition_path: Path) -> Likeness:
    """Compares a rendition with a decoded source, which gets the rendition's JPEG loss."""
    rendition = to_srgb(decode(rendition_path))
    if not measure.is_right_size(truth.size, rendition.size):
        return Likeness(0, f"size {rendition.size} of {truth.size}")
    reference = reduce(to_srgb(truth), rendition.size)
    shown = reduce(rendition, rendition.size)
    if (reference.alpha is None) != (shown.alpha is None):
        lost = "gained" if reference.alpha is None else "lost"
        return Likeness(0, f"transparency {lost}")
    with Image.open(rendition_path) as image:
        if image.format == "JPEG" and reference.alpha is None:
            reference = measure.encoded_like(reference, image)
    figures = [
        measure.psnr(reference.over(ground), shown.over(ground))
        for ground in (measure.BLACK, measure.WHITE)]
    if reference.alpha is not None:
        figures.append(measure.psnr(reference.alpha, shown.alpha))
    decibels = min(figures)
    if decibels < DIFFERENT and not measure.is_upright(reference, shown):
        return Likeness(decibels, "turned")
    return Likeness(decibels, None)


def most_similar_frame(source: Path, rendition: Path) -> int:
    """Index of the frame that a rendition shows; the first one where Pillow cannot tell."""
    try:
        return nearest_frame(source, rendition)
    except Exception:  # Pillow reads the frames of some files only up to a damaged one.
        return 0


def agree(one, other) -> bool:
    """True if two decoders show the same picture."""
    if one.size != other.size or (one.alpha is None) != (other.alpha is None):
        return False
    first, second = to_srgb(one), to_srgb(other)
    first, second = reduce(first, first.size), reduce(second, second.size)
    return all(
        measure.psnr(first.over(ground), second.over(ground)) >= DIFFERENT
        for ground in (measure.BLACK, measure.WHITE))


def difference(source: Path, rendition: Path, manifest: dict) -> Verdict | None:
    """A rendition that agrees with no decoder.

    Where decoders all disagree with each other too, as about damaged files, nobody knows what is right.
    """
    moves = manifest["source"].get("frames", 1) > 1 and decoders.format_of(source) in (
        "gif", "png", "webp")
    frame = most_similar_frame(source, rendition) if moves else 0
    found: dict[str, Likeness] = {}
    pictures = []
    for answer in decoders.answers(source, frame):
        if answer.picture is None or (frame and answer.decoder != "Pillow"):
            continue
        found[answer.decoder] = one = likeness(answer.picture, rendition)
        if one.fault is None and one.decibels >= DIFFERENT:
            return None
        pictures.append(answer.picture)
    if not found:
        return None
    is_wrong = len(pictures) == 1 or any(
        agree(one, other) for one, other in itertools.combinations(pictures, 2))
    reasons = ", ".join(
        f"{decoder}: {one.fault or f'{one.decibels:.1f} dB'}" for decoder, one in found.items())
    notes = manifest.get("notes", [])
    kind = "silently different" if is_wrong else "different where decoders disagree"
    return Verdict(
        manifest["identifier"], "different with a note" if notes else kind,
        reasons + (f" ({'; '.join(notes)})" if notes else ""),
        {decoder: one.decibels for decoder, one in found.items()})


def growth(manifest: dict, expanded: dict) -> Verdict | None:
    """A rendition at its source's size that is longer than allowed."""
    source = manifest["source"]
    sides = source["size"]["width"], source["size"]["height"]
    if source.get("orientation", 1) >= 5:
        sides = sides[::-1]
    if (expanded["size"]["width"], expanded["size"]["height"]) != sides or source.get("frames", 1) > 1:
        # A still of an animation is not its source.
        return None
    most = MOST_OF_ATTACHABLE if source["format"] in ATTACHABLE else MOST_OF_OTHERS
    ratio = expanded["bytes"] / source["bytes"]
    if ratio <= most:
        return None
    has_tables = most == MOST_OF_OTHERS and expanded["bytes"] <= most * source["bytes"] + JPEG_TABLES
    is_drawing = source["format"] == "jxl" and source["bytes"] <= DRAWING
    return Verdict(
        manifest["identifier"], "grown from almost nothing" if has_tables or is_drawing else "grown",
        f"{source['format']} of {source['bytes']} bytes became {expanded['type']} of "
        f"{expanded['bytes']}: {ratio:.2f} of its length, {most:.0f} allowed", {"ratio": ratio})


@dataclass(frozen=True)
class Kind:
    """A kind of refusals that is right although others decode the file."""

    code: str
    pattern: re.Pattern
    why: str


@dataclass(frozen=True)
class Misreading:
    """Files that other decoders read wrongly, by the end of their path."""

    pattern: re.Pattern
    why: str


def excused(verdict: Verdict, misreadings: list[Misreading]) -> Verdict:
    """The verdict, of a list of its own if other decoders are known to read the file wrongly."""
    if verdict.kind != "silently different":
        return verdict
    listed = next((m for m in misreadings if m.pattern.search(verdict.file)), None)
    if listed is None:
        return verdict
    return Verdict(
        verdict.file, "misread by other decoders", f"{verdict.reason}; {listed.why}", verdict.figures)


def refusal(source: Path, failure: dict, kinds: list[Kind]) -> Verdict | None:
    """A refusal of a file that two independent decoders take without a warning."""
    takers = [answer.decoder for answer in decoders.answers(source) if answer.picture is not None]
    if len(takers) < 2:
        return None
    code, reason = failure["error"], failure["reason"]
    listed = next((k for k in kinds if k.code == code and k.pattern.search(reason)), None)
    said = f"{code}: {reason}; decoded by {', '.join(takers)}"
    if listed:
        return Verdict(failure["file"], "refused by a listed kind", f"{said}; {listed.why}")
    return Verdict(failure["file"], "refused though others decode it", said)
