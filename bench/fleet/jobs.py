"""The jobs of a torture: small pictures, broken ones, and poison."""

from __future__ import annotations

import io
import pathlib
import random

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE = 400, 300


def draw(count: int, chance: random.Random) -> list[bytes]:
    """Different small JPEGs, cut from the sample pictures."""
    from PIL import Image

    sources = [Image.open(ROOT / "Images" / name).convert("RGB") for name in (
        "lake-baseline.jpg", "peak-orientation-6.jpg", "ridges-progressive.jpg", "still-life-ready.jpg")]
    pictures = []
    for number in range(count):
        source = sources[number % len(sources)]
        width = min(SIZE[0], source.width)
        height = min(SIZE[1], source.height)
        left, top = chance.randrange(source.width - width + 1), chance.randrange(source.height - height + 1)
        file = io.BytesIO()
        source.crop((left, top, left + width, top + height)).save(file, "JPEG", quality=75)
        pictures.append(file.getvalue())
    return pictures


def commented(picture: bytes, text: bytes) -> bytes:
    """The picture with a comment, and so with another digest."""
    return picture[:2] + b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text + picture[2:]


def make_jobs(
        folder: pathlib.Path, count: int, broken: float, poison: float, origin: str, different: int,
        chance: random.Random) -> dict[str, str]:
    """Writes the pictures and `list`, which `thimble-server submit` reads; the kind of each job by its identifier.

    Exact shares of the jobs, at least one of each, are broken pictures and URLs of poison, at places drawn by chance.
    """
    pictures = draw(min(different, count), chance)
    drawn = chance.sample(range(count), max(1, round(count * broken)) + max(1, round(count * poison)))
    poisonous = set(drawn[:max(1, round(count * poison))])
    cut = set(drawn) - poisonous
    kinds: dict[str, str] = {}
    for number in range(count):
        if number in poisonous:
            kinds[f"{origin}/poison/{number}"] = "poison"
            continue
        body = commented(pictures[number % len(pictures)], str(number).encode())
        place = folder / f"{number // 1000}"
        place.mkdir(parents=True, exist_ok=True)
        file = place / f"{number}.jpg"
        file.write_bytes(body[:len(body) // 2] if number in cut else body)
        kinds[str(file)] = "broken" if number in cut else "healthy"
    (folder / "list").write_text("".join(f"{identifier}\n" for identifier in kinds))
    return kinds
