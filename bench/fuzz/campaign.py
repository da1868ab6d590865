#!/usr/bin/python3
"""Fuzzes every parser for a given time and prints the results.

Each parser starts with the seeds of its formats and the corpus of earlier runs. Inputs that make a parser
trap, hang or use too much memory are kept, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Time for one small input that counts as a hang. Generous: under load, an input that needs a third of
# a second of processor time was seen to take ten seconds.
TIMEOUT_SECONDS = 60
# Limits on one allocation of a parser, and on the whole process with the fuzzer's tables.
ALLOCATION_MEBIBYTES = 64
PROCESS_MEBIBYTES = 3072
# Sufficient for all structures of all formats; longer inputs are slower.
LENGTH = 16_384


@dataclass
class Formats:
    """Seeds of a parser."""

    seeds: list[str]
    dictionary: str | None = None
    length: int = LENGTH


PICTURES = ["jpeg", "png", "webp", "gif", "tiff", "heif", "bmp", "jxl", "avif-sequence", "heic-sequence"]
FORMATS = {
    "probe": Formats(PICTURES + ["media"], "media"),
    "progressive-jpeg": Formats(["jpeg"], "jpeg"),
    "turned-jpeg": Formats(["jpeg"], "jpeg"),
    "interlaced-png": Formats(["png"], "png"),
    "stripped-jpeg": Formats(["jpeg"], "jpeg"),
    "stripped-png": Formats(["png"], "png"),
    "lossless-webp": Formats(["webp"], "webp"),
    "lossy-webp": Formats(["webp"], "webp"),
    "lossy-webp-planes": Formats(["webp"], "webp"),
    "webp-alpha": Formats(["webp"], "webp"),
    "gif": Formats(["gif"], "gif"),
    "heif": Formats(["heif"], "heif"),
    "tiff": Formats(["tiff"], "tiff"),
    "bmp": Formats(["bmp"], "bmp"),
    "jpeg-xl": Formats(["jxl"]),
    "png-rows": Formats(["png"], "png"),
    "inflater": Formats(["inflater"], None, 4096),
    "resampler": Formats(["resampler"], None, 512),
    "quantiser": Formats(["quantiser"], None, 512),
    "jpeg-encoder": Formats(["jpeg-encoder"], None, 512),
    "similarity": Formats(["similarity"], None, 512),
    "jpeg-planes": Formats(["jpeg"], "jpeg"),
    "jpeg-coefficients": Formats(["jpeg"], "jpeg"),
    "jpeg-groups": Formats(["jpeg"], "jpeg"),
    "ink-rows": Formats(["ink-jpeg"], "jpeg"),
    "gif-animation": Formats(["gif"], "gif"),
    "webp-animation": Formats(["webp"], "webp"),
    "png-animation": Formats(["png"], "png"),
    "avif-animation": Formats(["avif-sequence"], "heif"),
    "heic-animation": Formats(["heic-sequence"], "heif"),
    "animation-conversion": Formats(["gif", "webp", "png", "avif-sequence", "heic-sequence"]),
    "payload": Formats(["payload"], "json", 4096),
    "payload-stream": Formats(["payload", "payload-stream"], "json", 4096),
    "payload-style": Formats([], "json", 2048),
    "inline-picture": Formats(["inline-picture"], None, 8192),
    "inline-picture-rows": Formats(["inline-picture"], None, 4096),
    "inline-picture-unit": Formats([], None, 8192),
    "property-list-xml": Formats(["property-list-xml"], "property-list", 4096),
    "property-list-binary": Formats(["property-list-binary"], "property-list", 4096),
    "display-options": Formats(["display-options", "property-list-xml"], "json", 4096),
    "worker-protocol": Formats(["worker-protocol"], "json", 4096),
    "manifest": Formats(["manifest"], "json", 8192),
    "url": Formats([], "url", 1024),
    "response-head": Formats([], "http", 4096),
    "cached-response": Formats([], "json", 4096),
    "fetch-headers": Formats([], "json", 2048),
    "addresses": Formats([], "url", 256),
    "transfer-protocol": Formats([], "json", 4096),
    "s3-answer": Formats([], "http", 2048),
    "aws-profiles": Formats([], "http", 2048),
    "store-destination": Formats([], "json", 1024),
    "thumbhash": Formats(["thumbhash"], None, 64),
    "zip-archive": Formats([], "zip"),
    # A fat program's parts begin on pages of 16 KiB.
    "mach-o": Formats([], "mach-o", 40_960),
    "code-signature": Formats([], "mach-o", 4096),
    "sources": Formats([], "sources", 4096),
}


@dataclass
class Result:
    """The result of fuzzing one parser."""

    parser: str
    executions: int
    edges: int
    seconds: float
    findings: list[Path]

    def row(self) -> str:
        """The figures as a table row."""
        return (f"| {self.parser} | {self.executions:,} | {self.edges:,} | {self.seconds:.0f} s "
                f"| {len(self.findings)} |")


def inputs(folder: Path) -> list[Path]:
    """The files of a folder."""
    return sorted(path for path in folder.glob("*") if path.is_file())


def fuzz(parser: str, arguments: argparse.Namespace) -> Result:
    """Fuzzes one parser for the given time, or for the given number of inputs."""
    formats = FORMATS[parser]
    corpus = arguments.work / "corpus" / parser
    findings = arguments.work / "findings" / parser
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    seeds = [arguments.seeds / kind for kind in formats.seeds]
    seeds = [folder for folder in seeds if folder.is_dir()]
    own = arguments.work / "seeds" / parser
    own.mkdir(parents=True, exist_ok=True)
    subprocess.run([arguments.program, "seeds", parser, own], check=True)
    command = [
        str(arguments.program), f"--parser={parser}",
        f"-runs={arguments.runs}" if arguments.runs else f"-max_total_time={arguments.seconds}",
        f"-timeout={TIMEOUT_SECONDS}", f"-malloc_limit_mb={ALLOCATION_MEBIBYTES}",
        f"-rss_limit_mb={PROCESS_MEBIBYTES}", f"-max_len={formats.length}",
        f"-artifact_prefix={findings}/", "-print_final_stats=1",
    ]
    if formats.dictionary:
        command.append(f"-dict={HERE / 'dictionaries' / formats.dictionary}.dict")
    command += [str(folder) for folder in (corpus, own, *seeds)]
    before = set(inputs(findings))
    # Symbolising a backtrace takes minutes in a program with sanitizers.
    environment = os.environ | {"SWIFT_BACKTRACE": "enable=no"}
    log = arguments.work / f"{parser}.log"
    start = time.monotonic()
    with log.open("w") as output:
        code = subprocess.run(command, env=environment, stdout=output,
                              stderr=subprocess.STDOUT).returncode
    seconds = time.monotonic() - start
    text = log.read_text(errors="replace")
    found = sorted(set(inputs(findings)) - before)
    executions = re.findall(r"number_of_executed_units: (\d+)", text)
    count = int(executions[-1]) if executions else 0
    # A failure without an input, such as a program that does not start.
    if (code != 0 or count < arguments.runs) and not found:
        found = [log]
    edges = re.findall(r"cov: (\d+)", text)
    return Result(parser, count, int(edges[-1]) if edges else 0, seconds, found)


def chosen(targets: str, program: Path) -> list[str]:
    """The selected parsers, checked against the program's list."""
    there = subprocess.run([program, "list"], check=True, capture_output=True,
                           text=True).stdout.split()
    if set(there) != set(FORMATS):
        sys.exit(f"fuzz and campaign.py list different parsers: {set(there) ^ set(FORMATS)}")
    if targets == "all":
        return there
    names = targets.replace(",", " ").split()
    if unknown := [name for name in names if name not in FORMATS]:
        sys.exit(f"no parser {unknown[0]}; there are {', '.join(there)}")
    return names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help="the built fuzz")
    parser.add_argument("--seeds", type=Path, required=True, help="what make_seeds.py made")
    parser.add_argument("--work", type=Path, required=True, help="the folder for corpora and findings")
    parser.add_argument("--seconds", type=int, default=60, help="seconds per parser")
    parser.add_argument("--runs", type=int, default=0, help="inputs per parser, in place of a time")
    parser.add_argument("--targets", default="all", help="names of parsers, or all")
    arguments = parser.parse_args()
    names = chosen(arguments.targets, arguments.program)
    results = []
    print("| parser | executions | edges covered | time | findings |\n|---|---:|---:|---:|---:|")
    for name in names:
        results.append(fuzz(name, arguments))
        print(results[-1].row(), flush=True)
    findings = [path for result in results for path in result.findings]
    total = sum(result.seconds for result in results)
    print(f"\n{sum(result.executions for result in results):,} executions in {total / 60:.1f} min, "
          f"{len(findings)} findings")
    for path in findings:
        print(f"finding: {path}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
