"""Resizes pictures with a Python library, in one thread: LIBRARY WIDTH QUALITY FOLDER SUFFIX FILE…

SUFFIX is .jpg, or .png with pyvips.

Without files, prints the library's version.
"""

from __future__ import annotations

import sys
from pathlib import Path


def pillow(file: Path, target: Path, width: int, quality: int, *, draft: bool) -> None:
    """Lanczos of the full decode, or of the smallest by libjpeg that is large enough."""
    from PIL import Image

    with Image.open(file) as image:
        size = width, round(image.height * width / image.width)
        if draft:
            image.draft(None, size)
        resized = image.resize(size, Image.Resampling.LANCZOS)
        resized.save(target, quality=quality, subsampling="4:2:0")


def opencv(file: Path, target: Path, width: int, quality: int, *, reduced: bool) -> None:
    """Area averages of the full decode, or of the smallest by libjpeg that is wide enough."""
    import cv2

    cv2.setNumThreads(1)
    flags = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4,
             8: cv2.IMREAD_REDUCED_COLOR_8}
    divisor = 1
    if reduced:
        # OpenCV does not tell the size before it decodes.
        from PIL import Image

        with Image.open(file) as header:
            divisor = max(step for step in flags if header.width // step >= width or step == 1)
    image = cv2.imread(str(file), flags[divisor])
    height = round(image.shape[0] * width / image.shape[1])
    image = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(target), image, [cv2.IMWRITE_JPEG_QUALITY, quality])


def pyvips(file: Path, target: Path, width: int, quality: int) -> None:
    """As vipsthumbnail does."""
    import pyvips as vips

    header = vips.Image.new_from_file(str(file))
    # Inks become sRGB in any case.
    has_profile = header.bands >= 3 and header.interpretation != "cmyk" and (
        header.get_typeof("icc-profile-data") != 0)
    options = {"export_profile": "srgb"} if has_profile else {}
    image = vips.Image.thumbnail(str(file), width, height=10_000_000, **options)
    if target.suffix == ".png":
        image.pngsave(str(target), keep="none")
    else:
        image.jpegsave(str(target), Q=quality, keep="none")


def pyvips_animation(file: Path, target: Path, width: int, quality: int) -> None:
    """All frames, as one tall picture, to a GIF; the quality is not used."""
    import pyvips as vips

    vips.Image.thumbnail(f"{file}[n=-1]", width, height=10_000_000).write_to_file(
        str(target.with_suffix(".gif")))


def version(library: str) -> str:
    """The library's name and version."""
    if library.startswith("pillow"):
        import PIL

        return f"Pillow {PIL.__version__}"
    if library.startswith("opencv"):
        import cv2

        return f"OpenCV {cv2.__version__}"
    import pyvips as vips

    return "libvips " + ".".join(str(vips.version(part)) for part in range(3))


LIBRARIES = {
    "pillow": lambda *task: pillow(*task, draft=False),
    "pillow-draft": lambda *task: pillow(*task, draft=True),
    "opencv": lambda *task: opencv(*task, reduced=False),
    "opencv-reduced": lambda *task: opencv(*task, reduced=True),
    "pyvips": pyvips,
    "pyvips-animation": pyvips_animation,
}


def main() -> None:
    """Resizes every file, or prints the version."""
    library, *rest = sys.argv[1:]
    if not rest:
        print(version(library))
        return
    width, quality, folder, suffix, *files = rest
    for file in map(Path, files):
        target = Path(folder) / file.with_suffix(suffix).name
        LIBRARIES[library](file, target, int(width), int(quality))


if __name__ == "__main__":
    main()
