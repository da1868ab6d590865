"""Hooks of schemathesis: bodies that are pictures, streams of payloads, and paths that exist.

`api.py` passes the paths of published renditions and attachments in the environment.
"""

import json
import os
import pathlib

import schemathesis
from hypothesis import strategies

IMAGES = pathlib.Path(__file__).resolve().parents[2] / "Images"
PUBLISHED = json.loads(os.environ["THIMBLE_PUBLISHED"])


def pictures(*suffixes: str) -> strategies.SearchStrategy[bytes]:
    """Pictures, damaged ones and noise, about a third each."""
    files = [file.read_bytes() for file in sorted(IMAGES.iterdir())
             if file.suffix in suffixes and file.stat().st_size < 300_000]
    known = strategies.sampled_from(files)
    damaged = strategies.builds(
        lambda body, part: body[:int(len(body) * part)], known,
        strategies.floats(0.01, 0.99))
    return strategies.one_of(known, damaged, strategies.binary(max_size=1000))


ANY = pictures(".jpg", ".png", ".webp", ".heic", ".gif", ".wav", ".avi")
schemathesis.openapi.media_type("application/octet-stream", ANY)
schemathesis.openapi.media_type("image/jpeg", pictures(".jpg"))
schemathesis.openapi.media_type("image/png", pictures(".png"))
schemathesis.openapi.media_type("audio/wav", pictures(".wav"))
schemathesis.openapi.media_type("video/x-msvideo", pictures(".avi"))

LINES = strategies.one_of(
    strategies.just(b'{"aps":{"alert":"New"}}'),
    strategies.just(b'{"aps":{"alert":"New"},"attachment":"/nowhere.jpg"}'),
    strategies.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")))
schemathesis.openapi.media_type(
    "application/x-ndjson", strategies.lists(LINES, max_size=8).map(b"\n".join))


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Replaces two of three valid names by published ones."""
    if not path_parameters or hash(json.dumps(path_parameters, sort_keys=True, default=str)) % 3 == 0:
        return path_parameters
    number = hash(json.dumps(path_parameters, sort_keys=True, default=str)) // 3
    if "file" in path_parameters:
        path = PUBLISHED["renditions"][number % len(PUBLISHED["renditions"])]
        folder, file = path.split("/")[-2:]
        return {"folder": folder, "file": file}
    if "id" in path_parameters:
        names = PUBLISHED["attachments"]
        return {"id": names[number % len(names)]}
    return path_parameters


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops one false alarm: an object in place of a form's text field is valid text once it is sent."""
    return not (case.media_type == "multipart/form-data"
                and type(failure).__name__ == "AcceptedNegativeData" and "in body" in failure.message)
