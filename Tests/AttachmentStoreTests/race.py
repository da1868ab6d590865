#!/usr/bin/env python3
"""Two `thimble stage` with one container and one store, and prunings: race.py PORT SECONDS.

Fails unless every URL answers at once, objects were removed meanwhile, and they were published again.
"""
import json, pathlib, random, re, subprocess, sys, threading, time, urllib.request

port, end = sys.argv[1], time.monotonic() + float(sys.argv[2])
GRACE = 2.0
# A use is recorded at most half a second before the URL is given out.
CERTAIN = GRACE - 0.6
STORE = ["--container", "C"]
ACCESS = ["--s3-endpoint", f"http://127.0.0.1:{port}", "--s3-region", "us-east-1"]
PICTURES = ["lake-baseline.jpg", "still-life-ready.jpg", "thimble-alpha.png"]
counts = {"checked": 0, "removed": 0, "failures": []}
lock = threading.Lock()


def publish(seed):
    chance = random.Random(seed)
    stage = subprocess.Popen(
        ["thimble", "stage", *STORE, "--allow-root", "Images", "--publish", "s3://renditions/p", *ACCESS],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    while time.monotonic() < end:
        start = time.monotonic()
        payload = {"aps": {"alert": "x"}, "attachment": f"Images/{chance.choice(PICTURES)}"}
        stage.stdin.write(json.dumps(payload).encode() + b"\n")
        stage.stdin.flush()
        location = json.loads(stage.stdout.readline())["attachment"]
        try:
            urllib.request.urlopen(location).read()
            failure = None
        except (OSError, ValueError) as error:
            failure = f"{location}: {error}"
        with lock:
            if not location.startswith("http") or time.monotonic() - start < CERTAIN:
                counts["checked"] += 1
                counts["failures"] += [failure] if failure else []
        time.sleep(chance.choice([0.01, 0.05, GRACE + 0.2]))
    stage.stdin.close()
    if stage.wait() != 0:
        counts["failures"].append(f"thimble stage: {stage.returncode}")


def prune():
    # The first publication creates the container, its format last.
    while not pathlib.Path("C/thimble.json").exists() and time.monotonic() < end:
        time.sleep(0.01)
    while time.monotonic() < end:
        run = subprocess.run(
            ["thimble", "container", "prune", "--published", *STORE, *ACCESS, "--keep-published", "0", "--grace",
             str(int(GRACE))], capture_output=True, text=True)
        if run.returncode:
            counts["failures"].append(run.stderr)
        counts["removed"] += int(re.search(r"(\d+) of \d+ object", run.stdout).group(1))


threads = [threading.Thread(target=publish, args=(1,)), threading.Thread(target=publish, args=(2,)),
           threading.Thread(target=prune)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
uploads = sum(line.startswith("PUT") for line in open("log"))
print(counts, "uploads", uploads)
passed = counts["checked"] > 8 and counts["removed"] > 0 and uploads > len(PICTURES) and not counts["failures"]
sys.exit(0 if passed else 1)
