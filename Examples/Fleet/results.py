#!/usr/bin/env python3
"""Waits for results of a fleet, prints them, and checks every object that a manifest names.

    results.py COUNT    COUNT is the number of results; the store is that of THIMBLE_SERVER_PUBLISH
"""

import hashlib
import json
import os
import sys
import time

import boto3
from botocore.config import Config


def main() -> None:
    count = int(sys.argv[1])
    bucket, _, prefix = os.environ["THIMBLE_SERVER_PUBLISH"].removeprefix("s3://").partition("/")
    store = boto3.client(
        "s3", endpoint_url=os.environ["THIMBLE_SERVER_S3_ENDPOINT"], region_name="us-east-1",
        config=Config(s3={"addressing_style": "path"}))

    def keys() -> list[str]:
        pages = store.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=f"{prefix}/results/")
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def body(key: str) -> bytes:
        return store.get_object(Bucket=bucket, Key=key)["Body"].read()

    deadline = time.monotonic() + 120
    while len(found := keys()) < count:
        if time.monotonic() > deadline:
            raise SystemExit(f"{len(found)} of {count} results after two minutes")
        time.sleep(0.3)
    objects = 0
    for result in sorted((json.loads(body(key)) for key in found), key=lambda result: result["identifier"]):
        if failure := result.get("failure"):
            print(f"{result['identifier']}: without picture [{failure['code']}]: {failure['reason']}")
            continue
        for rendition in result["manifest"]["renditions"]:
            digest = hashlib.sha256(body(f"{prefix}/{rendition['file']}")).hexdigest()
            if digest != rendition["sha256"]:
                raise SystemExit(f"{rendition['file']} is not what its manifest names")
            objects += 1
        size = result["manifest"]["renditions"][0].get("size", {})
        urls = result["urls"]
        print(f"{result['identifier']}: {size['width']} x {size['height']}, {urls.get('expanded') or urls['media']}")
    print(f"{len(found)} results for {count} jobs; {objects} objects verified")
    if len(found) != count:
        raise SystemExit("a job has several results")


main()
