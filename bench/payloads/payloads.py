#!/usr/bin/env python3
"""Measures the throughput of `thimble stage` for payloads without pictures and for invalid input.

Each stream is written to a file first. The time of a run on an empty stream, which also starts a worker, is
subtracted. Memory is the peak resident set of the process.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time


def payload(number: int) -> str:
    title = {"title": f"No. {number}", "body": "x" * 120}
    return json.dumps({"aps": {"alert": title, "mutable-content": 1}, "custom": {"n": number}}) + "\n"


def document(length: int) -> str:
    """One document of many lines."""
    member = json.dumps({"key": "y" * 300, "n": 1.5})
    members = ",\n".join(["  " + member] * (length // (len(member) + 4) - 1))
    return '{\n "aps": {"alert": "x"},\n "list": [\n' + members + "\n ]\n}\n"


STREAMS = {
    "3,000,000 short bad lines behind `}`": lambda: "}\n" + '{"a":x}\n' * 3_000_000,
    "8,000,000 lines `{`": lambda: "{\n" * 8_000_000,
    "200,000 payloads, one per line": lambda: "".join(map(payload, range(200_000))),
    "one document of 16 MB on many lines": lambda: document(16 << 20),
}


def run(thimble: str, folder: pathlib.Path, stream: pathlib.Path) -> tuple[float, float]:
    """Seconds and megabytes of one run. Its output must equal its input."""
    staged = folder / "staged"
    start = time.monotonic()
    with open(stream, "rb") as source, open(staged, "wb") as target:
        process = subprocess.Popen(
            [thimble, "stage", "--container", str(folder / "container"), "--jobs", "1"],
            stdin=source, stdout=target, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    elapsed = time.monotonic() - start
    if process.returncode not in (0, 3) or subprocess.call(["cmp", "-s", stream, staged]) != 0:
        raise SystemExit(f"{stream.name}: exit code {process.returncode}, or the output differs")
    return elapsed, usage.ru_maxrss / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thimble", default=".build/release/thimble")
    parser.add_argument("--runs", type=int, default=3, help="number of runs; the best one counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stream = folder / "stream"

        def best() -> tuple[float, float]:
            runs = [run(options.thimble, folder, stream) for _ in range(options.runs)]
            return min(seconds for seconds, _ in runs), max(peak for _, peak in runs)

        stream.write_text("")
        idle, peak = best()
        print("| stream | MB | MB/s | peak resident MB |\n|---|---|---|---|")
        print(f"| empty | 0 | | {peak:.0f} |")
        for title, make in STREAMS.items():
            stream.write_text(make())
            size = stream.stat().st_size / 1e6
            seconds, peak = best()
            rate = size / max(seconds - idle, 0.001)
            print(f"| {title} | {size:.0f} | {rate:.0f} | {peak:.0f} |")


if __name__ == "__main__":
    main()
