"""Stand-in of APNs for tests on a loopback address, which counts the bytes of payloads.

Prints its port, and answers POST /3/device/TOKEN as APNs does (Apple, "Handling notification responses
from APNs"): 413 with PayloadTooLarge above 4,096 bytes, or 5,120 with apns-push-type: voip; 400 with
PayloadEmpty or BadPath; 200 otherwise, and one line with the number of bytes. By HTTP/1.1, since only the
payload is of interest. Standard library only; ends when standard input ends.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAXIMUM = 4096
MAXIMUM_VOIP = 5120
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, reason=None):
        body = b"" if reason is None else json.dumps({"reason": reason}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        # The bytes that arrive count, not those that a field announces.
        payload = self.rfile.read(int(self.headers["Content-Length"] or 0))
        isVoIP = self.headers["apns-push-type"] == "voip"
        if not self.path.startswith("/3/device/"):
            self.answer(400, "BadPath")
        elif len(payload) > (MAXIMUM_VOIP if isVoIP else MAXIMUM):
            self.answer(413, "PayloadTooLarge")
        elif not payload or "aps" not in json.loads(payload):
            self.answer(400, "PayloadEmpty")
        else:
            with lock:
                print(len(payload), flush=True)
            self.answer(200)


def end_with_input():
    sys.stdin.read()
    os._exit(0)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
threading.Thread(target=end_with_input, daemon=True).start()
server.serve_forever()
