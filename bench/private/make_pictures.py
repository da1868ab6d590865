#!/usr/bin/python3
"""Makes the pictures of `make private`: a HEIC of 12 megapixels like a phone's, and a JPEG of 108 megapixels.

The JPEG has the highest quality at which its ciphertext, with tag and padding, is at most 50 MB, the service
extension's limit. It gets more grain than the files of the other benchmarks, which would be shorter at quality 99.
Existing files are kept.

Needs Debian's libvips-tools, libheif-examples, python3-pil and python3-numpy.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
sys.path.append(str(PACKAGE / "bench/corpus"))
sys.dont_write_bytecode = True
import make_corpus  # noqa: E402

# Bytes; initial vector, padding and authentication code take up to 64 more.
LIMIT = 50_000_000 - 64


def longest_jpeg(sources: make_corpus.Sources, path: Path) -> None:
    """The JPEG of the highest quality within the limit, found by bisection."""
    ppm = sources.rgb(108)
    # The same noise once more, so twice as strong.
    make_corpus.add_grain(ppm, *make_corpus.SIZES[108])
    draft = path.with_suffix(".draft.jpg")
    low, high = 90, 101
    while high - low > 1:
        quality = (low + high) // 2
        make_corpus.run("vips", "jpegsave", ppm, draft, "--Q", quality, "--subsample-mode", "on")
        if draft.stat().st_size <= LIMIT:
            low = quality
            draft.replace(path)
        else:
            high = quality
            draft.unlink()


def main() -> int:
    """Makes missing pictures in the folder that the argument names."""
    folder = Path(sys.argv[1])
    work = folder.with_name(folder.name + "-work")
    files = {
        "heic-12mp.heic": lambda sources, path: make_corpus.heic_grid(sources, path, 12),
        "jpeg-108mp.jpg": longest_jpeg,
    }
    missing = {name: make for name, make in files.items() if not (folder / name).exists()}
    if not missing:
        return 0
    print(f"Making {', '.join(missing)} (a minute)")
    work.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, make in missing.items():
            make(make_corpus.Sources([PACKAGE / "Images/lake-baseline.jpg"], work), work / name)
            (work / name).rename(folder / name)
    finally:
        shutil.rmtree(work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
