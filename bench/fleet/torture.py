#!/usr/bin/env python3
"""Kills and suspends parts of a fleet at random while it works, and checks that every job ends once.

RabbitMQ of three nodes and OpenStack Swift run as plain processes, with several `thimble-server work`. Workers, nodes
of the broker and the store are killed or suspended for a while, by turns drawn with the seed. In the end every job has
exactly one result, which is a manifest whose objects are all there and verify, or a typed failure.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BROKER = ROOT / "Examples/Fleet/broker.sh"
STORES = ROOT / "Tests/AttachmentStoreTests/stores.sh"
NODES = 3


class Fleet:
    """Broker, store and workers."""

    def __init__(self, folder: pathlib.Path, programs: pathlib.Path, workers: int) -> None:
        self.folder, self.programs = folder, programs
        self.broker, self.store = folder / "broker", folder / "store"
        urls = self.run(BROKER, "up", str(NODES), str(self.broker))
        endpoint = self.run(STORES, "up", "swift", str(self.store))
        self.environment = os.environ | {
            "THIMBLE_SERVER_BROKER": urls, "THIMBLE_SERVER_S3_ENDPOINT": endpoint,
            "THIMBLE_SERVER_PUBLISH": "s3://renditions/r", "THIMBLE_SERVER_S3_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "test:tester", "AWS_SECRET_ACCESS_KEY": "testing"}
        self.endpoint = endpoint
        self.workers = [self.start_worker(number) for number in range(workers)]

    @staticmethod
    def run(*command: object) -> str:
        return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def start_worker(self, number: int) -> subprocess.Popen[bytes]:
        with open(self.folder / f"worker-{number}.log", "ab") as log:
            return subprocess.Popen(
                [str(self.programs / "thimble-server"), "work", "--container", str(self.folder / f"worker-{number}"),
                 "--operations-port", "0", "--jobs", "1", "--width", "100"],
                env=self.environment, stderr=log, stdin=subprocess.DEVNULL)

    def submit(self, folder: pathlib.Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [str(self.programs / "thimble-server"), "submit", str(folder), "--record", str(self.folder / "submitted")],
            env=self.environment, stderr=open(self.folder / "submit.log", "ab"))

    def harm(self, chance: random.Random) -> str:
        """Does one thing to one part, and undoes it after a while."""
        kind = chance.choice(["kill worker", "kill worker", "suspend worker", "kill node", "suspend node", "kill store"])
        pause = chance.uniform(1, 8)
        number = chance.randrange(len(self.workers))
        if kind == "kill worker":
            self.workers[number].kill()
            self.workers[number].wait()
            self.workers[number] = self.start_worker(number)
        elif kind == "suspend worker":
            self.suspend(self.workers[number].pid, pause)
        elif kind == "kill node":
            node = chance.randrange(NODES) + 1
            self.run(BROKER, "kill", str(node), self.broker)
            time.sleep(pause)
            # The script's child must not keep its output open.
            subprocess.run([str(BROKER), "start", str(node), str(self.broker)], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        elif kind == "suspend node":
            node = chance.randrange(NODES) + 1
            self.suspend(int((self.broker / str(node) / "pid").read_text()), pause)
        else:
            subprocess.run([str(STORES), "down", str(self.store)], check=True,
                           env=os.environ | {"STORE_SIGNAL": "-KILL"})
            time.sleep(pause)
            self.run(STORES, "up", "swift", str(self.store))
        return f"{kind}, {pause:.1f} s"

    @staticmethod
    def suspend(process: int, pause: float) -> None:
        os.kill(process, signal.SIGSTOP)
        time.sleep(pause)
        os.kill(process, signal.SIGCONT)

    def end(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()
        subprocess.run([str(BROKER), "down", str(self.broker)], check=False)
        subprocess.run([str(STORES), "down", str(self.store)], check=False)


def make_pictures(folder: pathlib.Path, count: int, broken: float, chance: random.Random) -> int:
    """Small JPEGs with comments of their own, some of them cut; returns the number of those."""
    picture = (ROOT / "Images/still-life-ready.jpg").read_bytes()
    cut = 0
    for number in range(count):
        text = str(number).encode()
        body = picture[:2] + b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text + picture[2:]
        if chance.random() < broken:
            cut += 1
            body = body[:len(body) // 2]
        place = folder / f"{number // 1000}"
        place.mkdir(exist_ok=True)
        (place / f"{number}.jpg").write_bytes(body)
    return cut


def check(fleet: Fleet, expected: int, cut: int) -> collections.Counter[str]:
    """Verifies results and objects; the numbers of outcomes."""
    import boto3
    from botocore.config import Config

    store = boto3.client(
        "s3", endpoint_url=fleet.endpoint, region_name="us-east-1", aws_access_key_id="test:tester",
        aws_secret_access_key="testing", config=Config(s3={"addressing_style": "path"}))

    def keys(prefix: str) -> list[str]:
        pages = store.get_paginator("list_objects_v2").paginate(Bucket="renditions", Prefix=prefix)
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def body(key: str) -> bytes:
        return store.get_object(Bucket="renditions", Key=key)["Body"].read()

    deadline = time.monotonic() + 600
    while len(found := keys("r/results/")) < expected and time.monotonic() < deadline:
        time.sleep(1)
    outcomes: collections.Counter[str] = collections.Counter()
    verified: set[str] = set()
    identifiers: collections.Counter[str] = collections.Counter()
    for key in found:
        result = json.loads(body(key))
        identifiers[result["identifier"]] += 1
        if failure := result.get("failure"):
            outcomes[failure["code"]] += 1
            continue
        outcomes["renditions"] += 1
        for rendition in result["manifest"]["renditions"]:
            if rendition["file"] in verified:
                continue
            if hashlib.sha256(body(f"r/{rendition['file']}")).hexdigest() != rendition["sha256"]:
                raise SystemExit(f"{rendition['file']} is not what its manifest names")
            verified.add(rendition["file"])
    if len(found) != expected or len(identifiers) != expected:
        raise SystemExit(f"{len(found)} results of {len(identifiers)} notifications for {expected} jobs")
    if outcomes["renditions"] != expected - cut:
        raise SystemExit(f"{outcomes} for {cut} broken pictures of {expected}")
    return outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=1200, help="time of the harm")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as name:
        folder = pathlib.Path(name)
        pictures = folder / "pictures"
        pictures.mkdir()
        cut = make_pictures(pictures, options.jobs, 0.05, chance)
        fleet = Fleet(folder, options.programs, options.workers)
        harm: collections.Counter[str] = collections.Counter()
        try:
            start = time.monotonic()
            submission = fleet.submit(pictures)
            while time.monotonic() - start < options.seconds:
                time.sleep(chance.uniform(0.5, 4))
                done = fleet.harm(chance)
                harm[done.split(",")[0]] += 1
                print(f"{time.monotonic() - start:.0f} s: {done}", flush=True)
            while submission.poll() is None:
                time.sleep(0.5)
            # Attachments that could not be uploaded in time are submitted again.
            for _ in range(5):
                if submission.returncode == 0:
                    break
                submission = fleet.submit(pictures)
                submission.wait()
            if submission.returncode:
                raise SystemExit((folder / "submit.log").read_text()[-2000:])
            outcomes = check(fleet, options.jobs, cut)
            print(f"{options.jobs} jobs in {time.monotonic() - start:.0f} s: {dict(outcomes)}; harm: {dict(harm)}")
            lines = sum(len((folder / f"worker-{number}.log").read_text().splitlines())
                        for number in range(options.workers))
            print(f"{lines} lines in the workers' logs")
        finally:
            fleet.end()


if __name__ == "__main__":
    main()
