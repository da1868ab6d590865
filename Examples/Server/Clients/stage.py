"""Passes a payload through thimble-server before it is sent, and on as it is if anything goes wrong.

    payload = stage(payload)

As a program: reads a payload from standard input and writes it to standard output. Standard library only.
"""

import json
import os
import sys
import threading
import urllib.request

URL = os.environ.get("THIMBLE_URL", "http://127.0.0.1:8080")
TOKEN = os.environ.get("THIMBLE_TOKEN")
# Seconds. The client waits a little longer than the service may take, which answers by the deadline with what it has.
DEADLINE = float(os.environ.get("THIMBLE_DEADLINE", "10"))


def stage(payload: dict) -> dict:
    """The payload with its picture made ready, or the same one."""
    answers = []
    # A time limit of urllib is for each read only. A daemon does not keep the program.
    thread = threading.Thread(target=lambda: answers.append(request(payload)), daemon=True)
    thread.start()
    thread.join(DEADLINE + 1)
    staged, reason = answers[0] if answers else (None, "late")
    if staged is None:
        print(f"not staged: {reason}", file=sys.stderr)
        return payload
    return staged


def request(payload: dict) -> tuple[dict | None, str]:
    """The staged payload, or the reason why there is none."""
    try:
        message = urllib.request.Request(
            f"{URL}/v1/stage", data=json.dumps(payload).encode(),
            headers={"Content-Type": "application/json", "Thimble-Deadline": str(DEADLINE)})
        if TOKEN:
            message.add_header("Authorization", f"Bearer {TOKEN}")
        with urllib.request.urlopen(message, timeout=DEADLINE + 1) as response:
            staged = json.loads(response.read())
        # A proxy may answer in place of the service.
        if not isinstance(staged, dict) or "Thimble-Outcome" not in response.headers:
            return None, f"status {response.status}"
        return staged, ""
    except Exception as error:
        return None, str(error)


if __name__ == "__main__":
    json.dump(stage(json.load(sys.stdin)), sys.stdout)
