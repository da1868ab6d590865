"""Sends transactional jobs to a fleet, and measures the time until their answers.

It shares nothing with thimble but the schema of jobs, `Sources/Server/Fleet/job.schema.json`.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import time

import pika

QUEUE = "thimble.transactional"


def job_number(identifier: str, source: dict[str, str], settings: dict[str, object]) -> str:
    """SHA-256 of sorted JSON without white space, as the schema describes."""
    values = {"identifier": identifier, "settings": settings, "source": source}
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def message(identifier: str, source: dict[str, str], reply_to: str) -> dict[str, object]:
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "version": 1, "job": job_number(identifier, source, {}), "identifier": identifier, "source": source,
        "settings": {}, "enqueuedAt": now, "replyTo": reply_to}


def send(url: str, keys: list[str], rate: float) -> list[float]:
    """Submits a job for each object of the store at a steady rate; seconds until the answers."""
    connection = pika.BlockingConnection(pika.URLParameters(url))
    channel = connection.channel()
    channel.confirm_delivery()
    answers = channel.queue_declare("", exclusive=True, auto_delete=True).method.queue
    sent: dict[str, float] = {}
    times: dict[str, float] = {}

    def receive(_channel: object, _method: object, _properties: object, body: bytes) -> None:
        result = json.loads(body)
        if result.get("failure"):
            raise SystemExit(f"a transactional job failed: {result['failure']}")
        times[result["job"]] = time.monotonic() - sent[result["job"]]

    channel.basic_consume(answers, receive, auto_ack=True)
    begun = time.monotonic()
    for number, key in enumerate(keys):
        while (left := begun + number / rate - time.monotonic()) > 0:
            connection.process_data_events(left)
        job = message(f"transaction-{number}", {"object": key}, answers)
        sent[job["job"]] = time.monotonic()
        channel.basic_publish(
            "", QUEUE, json.dumps(job).encode(),
            pika.BasicProperties(content_type="application/json", delivery_mode=2, message_id=job["job"]),
            mandatory=True)
    deadline = time.monotonic() + 60
    while len(times) < len(sent) and time.monotonic() < deadline:
        connection.process_data_events(1)
    connection.close()
    if len(times) < len(sent):
        raise SystemExit(f"{len(sent) - len(times)} transactional jobs have no answer after a minute")
    return sorted(times.values())
