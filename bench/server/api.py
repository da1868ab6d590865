#!/usr/bin/env python3
"""Checks a running thimble-server against its own /openapi.json with schemathesis.

Schemathesis draws valid and invalid requests, follows the links, and checks statuses, content types, fields and
bodies of the answers against the document. The service requires a token.
"""

import argparse
import json
import os
import pathlib
import secrets
import subprocess
import sys
import tempfile

from client import Client
from server import Server

HERE = pathlib.Path(__file__).resolve().parent
IMAGES = HERE.parents[1] / "Images"
PICTURES = ["still-life-ready.jpg", "gerbera-palette.png", "aurora-animated.gif", "chime.wav"]


def publish(server: Server, token: str) -> dict[str, list[str]]:
    client = Client(server.port)
    found: dict[str, list[str]] = {"renditions": [], "attachments": []}
    for name in PICTURES:
        answer = client.request(
            "POST", "/v1/attachments",
            {"Content-Type": "application/octet-stream", "Authorization": f"Bearer {token}"},
            (IMAGES / name).read_bytes())
        document = json.loads(answer.body)
        found["renditions"] += document["paths"].values()
        found["attachments"].append(document["identifier"])
    client.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:
        folder = pathlib.Path(name)
        token = secrets.token_hex(32)
        tokens = folder / "tokens"
        tokens.touch(0o600)
        tokens.write_text(token + "\n")
        server = Server(options.programs, folder, "--tokens", str(tokens), "--allow-root", str(IMAGES))
        try:
            environment = os.environ | {
                "SCHEMATHESIS_HOOKS": str(HERE / "api_hooks.py"), "PYTHONHASHSEED": "0",
                "PYTHONDONTWRITEBYTECODE": "1",
                "THIMBLE_PUBLISHED": json.dumps(publish(server, token))}
            code = subprocess.run(
                [os.path.join(os.path.dirname(sys.executable), "schemathesis"), "--no-color",
                 "--config-file", str(HERE / "schemathesis.toml"), "run",
                 server.url + "/openapi.json", "--checks", "all",
                 "--header", f"Authorization: Bearer {token}",
                 "--max-examples", str(options.examples), "--seed", str(options.seed),
                 "--request-timeout", "60", *rest],
                cwd=folder, env=environment).returncode
            if server.process.poll() is not None:
                raise SystemExit(f"the server ended: {server.log.read_text()[-2000:]}")
        finally:
            end = server.end()
    if code or end:
        raise SystemExit(f"schemathesis: {code}, server: {end}")


if __name__ == "__main__":
    main()
