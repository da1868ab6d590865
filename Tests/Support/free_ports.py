#!/usr/bin/env python3
"""Prints the first of COUNT successive free ports on loopback."""

import random
import socket
import sys


def main() -> None:
    count = int(sys.argv[1])
    while True:
        # Below those that the system gives to clients.
        first = random.randrange(21000, 32000)
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
        except OSError:
            continue
        print(first)
        return


main()
