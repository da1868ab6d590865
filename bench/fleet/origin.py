#!/usr/bin/env python3
"""A server for poison: a request for /poison/NUMBER gets no answer, and its client's address is printed.

    origin.py ADDRESS PORT

Whoever reads the output kills the worker at that address. A line is `ADDRESS NUMBER`.
"""

import http.server
import os
import sys
import time

# The client is killed long before.
SILENCE = 600


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        folder, _, number = self.path.lstrip("/").partition("/")
        if folder != "poison" or not number.isdigit():
            self.send_error(404)
            return
        # One write: other threads print too.
        os.write(1, f"{self.client_address[0]} {number}\n".encode())
        self.connection.settimeout(SILENCE)
        end = time.monotonic() + SILENCE
        try:
            # Nothing follows the request but the end of the connection.
            while time.monotonic() < end and self.connection.recv(4096):
                pass
        except OSError:
            pass
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    Server((sys.argv[1], int(sys.argv[2])), Handler).serve_forever()
