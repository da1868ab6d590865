#!/usr/bin/python3
"""Collects strangers' pictures for `make foreign`: test data of Debian's and PyPI's packages.

Packages are downloaded and unpacked, never installed or run. Files are recognised by their first bytes,
and equal ones are kept once. No file of others enters the repository.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

# First bytes of the formats that Thimble reads; `?` is any byte.
SIGNATURES = (
    b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF8", b"RIFF????WEBP", b"????ftypavif", b"????ftypavis",
    b"????ftyphei?", b"????ftyphev?", b"????ftypmif1", b"????ftypmsf1", b"II*\0", b"MM\0*", b"II+\0",
    b"MM\0+", b"BM", b"\xff\x0a", b"\0\0\0\x0cJXL ",
)

# Longest file, in bytes: the product's own limit on a file is larger, the campaign's time is not.
LONGEST = 32 << 20


def is_picture(data: bytes) -> bool:
    """True if the first bytes belong to a supported picture format."""
    return any(
        len(data) >= len(signature)
        and all(wanted in (ord("?"), byte) for wanted, byte in zip(signature, data))
        for signature in SIGNATURES)


def members(package: Path):
    """Names and contents of the files of a downloaded package."""
    if package.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(package) as archive:
            for entry in archive.infolist():
                if not entry.is_dir() and entry.file_size <= LONGEST:
                    yield entry.filename, archive.read(entry)
        return
    if package.suffix == ".deb":
        content = subprocess.run(
            ["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.seek(0)
            yield from tar_members(tarfile.open(fileobj=file))
        return
    yield from tar_members(tarfile.open(package))


def tar_members(archive: tarfile.TarFile):
    """Names and contents of the regular files of an archive."""
    with archive:
        for entry in archive:
            if entry.isfile() and entry.size <= LONGEST:
                stream = archive.extractfile(entry)
                if stream is not None:
                    yield entry.name, stream.read()


def download(source: str, package: str, version: str, folder: Path) -> Path | None:
    """Downloads a package; None if it is not available."""
    if source == "debian":
        command = ["apt-get", "download", "-qq", package]
    else:
        # Source packages contain the tests; a wheel does not.
        command = [
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
            "--no-deps", "--no-binary", ":all:", f"{package}=={version}"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300)
    except subprocess.TimeoutExpired:
        return None
    files = [path for path in folder.iterdir() if path.is_file()]
    return files[0] if done.returncode == 0 and len(files) == 1 else None


def unpack(package: Path, target: Path, known: set[bytes]) -> int:
    """Writes the new pictures of a package into a folder, and returns their number."""
    count = 0
    for name, data in members(package):
        digest = hashlib.sha256(data).digest()
        if digest in known or not is_picture(data):
            continue
        known.add(digest)
        target.mkdir(parents=True, exist_ok=True)
        flat = "__".join(Path(name).parts[-2:]).encode("ascii", "replace").decode().replace("?", "_")
        (target / f"{count:04}-{flat[-100:]}").write_bytes(data)
        count += 1
    return count


def main() -> int:
    """Collects the packages that the folder does not have yet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--packages", type=Path, default=Path(__file__).parent / "packages.tsv")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    known = {
        hashlib.sha256(path.read_bytes()).digest()
        for path in options.folder.rglob("*") if path.is_file()}
    with options.packages.open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        target = options.folder / row["package"]
        if target.exists():
            continue
        with tempfile.TemporaryDirectory(prefix="foreign-") as folder:
            package = download(row["source"], row["package"], row["version"], Path(folder))
            if package is None:
                print(f"{row['package']} is not available; it is left out")
                continue
            print(f"{row['package']}: {unpack(package, target, known)} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
