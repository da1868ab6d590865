#!/usr/bin/python3
"""Prints the Debian packages or Python requirements of the peers, for `make bench-peers`."""

import json
import sys
from pathlib import Path

FIELDS = ("packages", "requirements")

if len(sys.argv) != 2 or sys.argv[1] not in FIELDS:
    sys.exit(f"usage: needs.py {'|'.join(FIELDS)}")
peers = json.loads(Path(__file__).with_name("peers.json").read_text())["peers"]
print(" ".join(sorted({need for peer in peers for need in peer.get(sys.argv[1], [])})))
