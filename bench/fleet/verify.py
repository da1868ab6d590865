"""Verifies the end of a torture: one result for every job, and every object that a manifest names."""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import json
import pathlib
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

THREADS = 8


class Fault(Exception):
    """A promise that was not kept."""


@dataclasses.dataclass
class Outcome:
    """Counts of results, by kind of job and code."""

    results: collections.Counter[tuple[str, str]] = dataclasses.field(default_factory=collections.Counter)
    objects: int = 0
    lost: set[str] = dataclasses.field(default_factory=set)  # jobs with the code `consumer-lost`
    poison: set[str] = dataclasses.field(default_factory=set)  # jobs

    def describe(self) -> str:
        parts = [f"{count:,} {kind}: {code}" for (kind, code), count in sorted(self.results.items())]
        return "; ".join(parts)


class Results:
    """Results and objects of the store."""

    def __init__(self, endpoint: str) -> None:
        import boto3
        from botocore.config import Config

        config = Config(
            s3={"addressing_style": "path"}, max_pool_connections=THREADS, retries={"max_attempts": 10})
        self.client = boto3.client(
            "s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="test:tester",
            aws_secret_access_key="testing", config=config)

    def body(self, key: str) -> bytes | None:
        try:
            return self.client.get_object(Bucket="renditions", Key=key)["Body"].read()
        except self.client.exceptions.NoSuchKey:
            return None

    def listed(self) -> set[str]:
        """Jobs whose results are listed."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="renditions", Prefix="r/results/")
        return {pathlib.PurePath(entry["Key"]).stem for page in pages for entry in page.get("Contents", [])}


def read_results(store: Results, jobs: list[str], seconds: float) -> dict[str, dict]:
    """The result of each job; waits for missing ones."""
    found: dict[str, dict] = {}
    lock = threading.Lock()
    begun = last = time.monotonic()

    def read(job: str) -> None:
        nonlocal last
        body = store.body(f"r/results/{job[:2]}/{job}.json")
        if body is None:
            return
        result = json.loads(body)
        if result["job"] != job:
            raise Fault(f"the result of {job} is that of {result['job']}")
        # The manifest's other parts would take a lot of memory.
        renditions = [(part["file"], part["sha256"]) for part in (result.get("manifest") or {}).get("renditions", [])]
        with lock:
            found[job] = {
                "identifier": result["identifier"], "failure": result.get("failure"), "renditions": renditions}
            if time.monotonic() - last > 10:
                last = time.monotonic()
                left = (last - begun) / len(found) * (len(jobs) - len(found))
                print(f"{len(found):,} of {len(jobs):,} results read, {left:.0f} s left", flush=True)

    deadline = begun + seconds
    while True:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(read, [job for job in jobs if job not in found]))
        if len(found) == len(jobs):
            return found
        if time.monotonic() > deadline:
            missing = [job for job in jobs if job not in found]
            raise Fault(f"{len(missing)} of {len(jobs)} jobs have no result, such as {missing[0]}")
        time.sleep(2)


def verify(endpoint: str, record: pathlib.Path, kinds: dict[str, str], seconds: float = 300) -> Outcome:
    """`record` has the numbers of all jobs, as `thimble-server submit` wrote them."""
    # The last line of an interrupted submission is incomplete.
    jobs = sorted({line for line in record.read_text().splitlines() if len(line) == 64})
    if len(jobs) != len(kinds):
        raise Fault(f"{len(jobs)} jobs were submitted for {len(kinds)} attachments")
    store = Results(endpoint)
    found = read_results(store, jobs, seconds)
    outcome = Outcome()
    identifiers = {result["identifier"] for result in found.values()}
    if identifiers != kinds.keys():
        raise Fault(f"results have {len(identifiers)} identifiers, not those of {len(kinds)} attachments")
    objects: dict[str, str] = {}
    for job, result in found.items():
        kind, failure = kinds[result["identifier"]], result["failure"]
        code = failure["code"] if failure else "renditions"
        outcome.results[kind, code] += 1
        if kind == "poison":
            outcome.poison.add(job)
        if code == "consumer-lost":
            outcome.lost.add(job)
        if bool(failure) == bool(result["renditions"]):
            raise Fault(f"the result of {job} is neither a manifest nor a failure")
        # Healthy and broken ones may have lost too many workers by chance.
        expected = {"healthy": code in ("renditions", "consumer-lost"), "broken": failure is not None,
                    "poison": code == "consumer-lost"}
        if not expected[kind]:
            raise Fault(f"{job}, which is {kind}, ended with {code}")
        for file, digest in result["renditions"]:
            if objects.setdefault(file, digest) != digest:
                raise Fault(f"{file} has two digests")

    def check(entry: tuple[str, str]) -> None:
        file, digest = entry
        body = store.body(f"r/{file}")
        if body is None or hashlib.sha256(body).hexdigest() != digest:
            raise Fault(f"{file} is {'missing' if body is None else 'not what its manifest names'}")

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(check, objects.items()))
    outcome.objects = len(objects)
    # A listing may lack what was stored while the container's server was killed, but has nothing else.
    if unknown := store.listed() - set(jobs):
        raise Fault(f"{len(unknown)} results of no job, such as {min(unknown)}")
    return outcome


def dead_jobs(programs: pathlib.Path, environment: dict[str, str]) -> collections.Counter[str]:
    """First digits of the jobs that are kept for operators, and how often."""
    lines = subprocess.run(
        [programs / "thimble-server", "dead", "list"], check=True, env=environment, stdout=subprocess.PIPE,
        text=True).stdout.splitlines()
    return collections.Counter(line.split()[0] for line in lines)


def check_dead(outcome: Outcome, dead: collections.Counter[str]) -> None:
    missing = [job for job in outcome.lost if job[:16] not in dead]
    if missing:
        raise Fault(f"{len(missing)} jobs ended with consumer-lost, and are not in the queue `dead`")
