"""Decoders of AVIF that must give the same pixels: libavif with libaom and with dav1d, and Chromium."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

# Pictures of one page: the DOM stays small.
PAGE = 40
# Largest difference of a sample that counts as alike: conversions from YCbCr may be rounded otherwise.
TOLERANCE = 3

# Images are part of the page, so that the event waits for them, and the DOM is printed after its handlers.
SCRIPT = """
function pixels(image) {
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext("2d", {willReadFrequently: true});
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
function compare(avif, png) {
  try {
    const one = pixels(avif), other = pixels(png);
    if (one.width !== other.width || one.height !== other.height) return {error: "size"};
    // A picture that is not decoded is transparent.
    if (one.data[3] !== 255 || other.data[3] !== 255) return {error: "blank"};
    let most = 0, sum = 0;
    for (let i = 0; i < one.data.length; i++) {
      const difference = Math.abs(one.data[i] - other.data[i]);
      most = Math.max(most, difference);
      sum += difference;
    }
    return {most, mean: sum / (one.data.length * 3 / 4)};
  } catch (error) {
    return {error: String(error)};
  }
}
window.addEventListener("load", () => {
  const images = document.images, results = [];
  for (let i = 0; i < images.length; i += 2) results.push(compare(images[i], images[i + 1]));
  document.body.textContent = "RESULTS" + JSON.stringify(results) + "END";
});
"""


@dataclass
class Difference:
    """The difference of Chromium's pixels from libavif's."""

    most: int = 0
    mean: float = 0
    error: str | None = None

    @property
    def is_alike(self) -> bool:
        return self.error is None and self.most <= TOLERANCE


def avifdec(codec: str, avif: Path, output: Path) -> None:
    """Decodes by libavif, with one of its decoders, into a PNG or into the planes of a Y4M."""
    subprocess.run(["avifdec", "--codec", codec, avif, output], check=True, capture_output=True)


def planes_are_equal(avif: Path, folder: Path) -> bool:
    """True if libaom and dav1d give the same planes."""
    files = [folder / f"{codec}.y4m" for codec in ("aom", "dav1d")]
    for codec, file in zip(("aom", "dav1d"), files):
        avifdec(codec, avif, file)
    return files[0].read_bytes() == files[1].read_bytes()


def uri(path: Path) -> str:
    return f"data:image/{path.suffix[1:]};base64,{base64.b64encode(path.read_bytes()).decode()}"


def chromium(pairs: list[tuple[Path, Path]]) -> list[Difference]:
    """Differences of AVIF files, as Chromium decodes them, from PNGs."""
    found: list[Difference] = []
    for start in range(0, len(pairs), PAGE):
        images = "".join(
            f'<img src="{uri(file)}">' for pair in pairs[start:start + PAGE] for file in pair)
        with tempfile.TemporaryDirectory(prefix="inline-") as folder:
            page = Path(folder) / "page.html"
            page.write_text(f"<!doctype html><script>{SCRIPT}</script><body>{images}")
            # The colours of the canvas are those of the files; a profile folder of its own.
            text = subprocess.run(
                ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb",
                 f"--user-data-dir={folder}/profile", "--dump-dom", page.as_uri()],
                check=True, capture_output=True, text=True, timeout=300).stdout
        results = re.search(r"RESULTS(\[.*\])END", text)
        if results is None:
            raise RuntimeError("Chromium gives no results")
        found += [Difference(**result) for result in json.loads(results[1])]
    return found


def versions() -> str:
    """The decoders with their versions."""
    first = subprocess.run(["avifdec", "--version"], capture_output=True, text=True).stdout
    last = subprocess.run(["chromium", "--version"], capture_output=True, text=True).stdout
    return f"{' '.join(first.split())}; {last.strip()}"
