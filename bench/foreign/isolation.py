"""Runs work in processes of its own: other decoders crash, hang and take all memory, too."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import resource

# Most memory of a judgement, in bytes, and its time, in seconds.
MEMORY = 8 << 30
PATIENCE = 300

_fork = multiprocessing.get_context("fork")


class Lost(Exception):
    """The process ended without a result."""


def _serve(pipe, function, arguments) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        pipe.send((function(*arguments), None))
    except Exception as fault:  # Whatever it is belongs to the caller.
        pipe.send((None, f"{type(fault).__name__}: {fault}"))


def isolated(function, arguments):
    """The result of a call in a process of its own; `Lost` if there is none."""
    receiver, sender = _fork.Pipe(duplex=False)
    process = _fork.Process(target=_serve, args=(sender, function, arguments), daemon=False)
    process.start()
    sender.close()
    try:
        if not receiver.poll(PATIENCE):
            raise Lost(f"no result in {PATIENCE} s")
        result, fault = receiver.recv()
    except EOFError as end:
        process.join()
        raise Lost(f"its process ended with code {process.exitcode}") from end
    finally:
        process.kill()
        process.join()
        receiver.close()
    if fault:
        raise Lost(fault)
    return result


def all_isolated(work, jobs: int):
    """Yields index and future of each call `(function, arguments)` as it completes."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = {
            pool.submit(isolated, function, arguments): index
            for index, (function, arguments) in enumerate(work)}
        for future in concurrent.futures.as_completed(futures):
            yield futures[future], future
