#!/usr/bin/env python3
"""Proxy of TCP connections on loopback that is slow, breaks connections, or ends TLS.

Usage: proxy.py PORT [--rate BYTES] [--cut BYTES] [--tls CERTIFICATE KEY]

Prints its port, and connects to PORT. `--rate` limits each direction of a connection, in bytes a second.
With `--cut` every second connection is closed after so many bytes from the client. It ends with its
standard input.
"""
import argparse, asyncio, itertools, ssl, sys

parser = argparse.ArgumentParser()
parser.add_argument("port", type=int)
parser.add_argument("--rate", type=int)
parser.add_argument("--cut", type=int)
parser.add_argument("--tls", nargs=2)
options = parser.parse_args()
numbers = itertools.count(1)


async def copy(reader, writer, limit):
    # Small blocks, so that a slow connection does not stand still between them.
    while block := await reader.read(min(options.rate // 10, 1 << 16) if options.rate else 1 << 16):
        writer.write(block if limit is None else block[:limit])
        await writer.drain()
        if limit is not None and (limit := limit - len(block)) <= 0:
            raise ConnectionError
        if options.rate:
            await asyncio.sleep(len(block) / options.rate)
    if writer.can_write_eof():
        writer.write_eof()


async def connect(reader, writer):
    limit = options.cut if next(numbers) % 2 else None
    server = None
    try:
        from_server, server = await asyncio.open_connection("127.0.0.1", options.port)
        await asyncio.gather(copy(reader, server, limit), copy(from_server, writer, None))
    except OSError:
        pass
    for end in (writer, server):
        if end:
            end.close()


async def main():
    context = None
    if options.tls:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*options.tls)
    server = await asyncio.start_server(connect, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
