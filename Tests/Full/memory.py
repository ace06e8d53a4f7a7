"""A service in a small container, with clients that do not read large answers and clients that ask for many parts.

    python memory.py WEIR [SECONDS]      default: 20

100 clients ask for answers of 8 MB and read none, again and again when they are cut. 16 clients ask for answers of 20 parts of
300 KB each. Others ask for small documents. The run passes if the process lives, all small answers are 200, or 503 with the
reason, and the parts are answered or refused by name. Where a cgroup can be made, it has 64 MB, or 96 MB for a debug build; elsewhere the memory that the
process has to itself stays below three times fetching.maximumBodyBytes (bodies, parts, and what reading takes) and 60 MB.
"""

import asyncio
import collections
import json
import multiprocessing
import pathlib
import re
import sys
import tempfile
import time

from service import Group, Service, free_ports

WEIR = sys.argv[1]
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 20
# A debug build has larger frames and keeps more copies.
LIMIT = (64 if "/release/" in WEIR else 96) << 20
ROW = json.dumps({"id": 1234567890123456789, "name": "a" * 80}).encode()


def rows(size):
    return b'{"rows":[' + b",".join([ROW] * (size // (len(ROW) + 1))) + b"]}"


async def serve(port):
    answers = {"big": rows(8_000_000), "part": rows(300_000), "small": rows(1000)}

    async def answer(reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                body = answers[head.split(b" ")[1].decode().split("/")[1]]
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", port) as server:
        await server.serve_forever()


def configuration(port):
    return {
        "shards": 2, "cache": {"maximumBytes": 0}, "server": {"accessLog": {"format": "none"}},
        "upstreams": [{"name": "up", "baseURL": f"http://127.0.0.1:{port}", "maximumBytes": 9_000_000, "retryPercent": 0}],
        "routes": [
            {"path": "/big/{n}", "fetch": {"upstream": "up", "path": "/big/{n}"}, "parameters": {"n": {"type": "integer"}}},
            {"path": "/small/{n}", "fetch": {"upstream": "up", "path": "/small/{n}"}, "parameters": {"n": {"type": "integer"}}},
            {"path": "/parts/{n}", "parameters": {"n": {"type": "integer"}},
             "parts": {f"p{n}": {"upstream": "up", "path": f"/part/{n}/{{n}}"} for n in range(20)}},
        ],
    }


def own_memory(pid):
    """The memory of a process that it shares with no file; 0 if it has ended."""
    found = re.search(r"RssAnon:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) << 10 if found else 0


async def request(address, target, reads=True):
    host, port = address.rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 16)
    try:
        writer.write(f"GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        if not reads:
            # The kernel tells of the end although nothing is read.
            writer.transport.pause_reading()
            for _ in range(int(SECONDS)):
                await asyncio.sleep(1)
                if writer.transport.is_closing():
                    break
            return None, b""
        answer = await asyncio.wait_for(reader.read(-1), 30)
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split(b" ")[1]) if head else None, body
    finally:
        writer.transport.abort()


async def attack(address, pid):
    end = time.monotonic() + SECONDS
    outcomes, peak = collections.Counter(), 0

    async def client(kind, number):
        while time.monotonic() < end:
            number += 1000
            try:
                status, body = await request(address, f"/{kind}/{number}", reads=kind != "big")
            except (OSError, asyncio.TimeoutError) as error:
                outcomes[kind, type(error).__name__] += 1
                await asyncio.sleep(0.05)
                continue
            if kind != "big":
                reason = json.loads(body).get("type", "") if status and status != 200 else ""
                outcomes[kind, status, reason] += 1
                await asyncio.sleep(0.02)

    async def watch():
        nonlocal peak
        while time.monotonic() < end:
            peak = max(peak, own_memory(pid))
            await asyncio.sleep(0.05)

    clients = [client("big", n) for n in range(100)] + [client("parts", n) for n in range(16)]
    await asyncio.gather(watch(), *clients, *[client("small", n) for n in range(4)])
    return outcomes, peak


def main():
    [port] = free_ports(1)
    upstream = multiprocessing.Process(target=lambda: asyncio.run(serve(port)), daemon=True)
    upstream.start()
    group = Group(LIMIT)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "weir.json"
        text = configuration(port)
        if not group.path:
            text["fetching"] = {"maximumBodyBytes": 32 << 20}
        path.write_text(json.dumps(text))
        with Service(WEIR, "--config", str(path), prepare=group.take if group.path else None) as service:
            outcomes, peak = asyncio.run(attack(service.address, service.process.pid))
            lives = service.process.poll() is None
            after = service.get("/small/1").status if lives else None
            figures = service.get("/metrics").body.decode() if lives else ""
    upstream.terminate()
    group.end()
    for (kind, *outcome), count in sorted(outcomes.items(), key=str):
        print(kind, *outcome, count)
    print(f"own memory {peak / 1e6:.0f} MB, cgroup {f'of {LIMIT >> 20} MB' if group.path else 'none'}, after the attack {after}")
    print(*[line for line in figures.splitlines() if "refus" in line and not line.startswith("#") and not line.endswith(" 0")], sep="\n")
    faults = [] if lives and after == 200 else ["the process has ended"]
    for (kind, *outcome), count in outcomes.items():
        if kind != "big" and outcome[0] not in (200, 503, 504):
            faults.append(f"{kind} {outcome}")
    if not outcomes["small", 200, ""] or not outcomes["parts", 200, ""]:
        faults.append("no small answer, or no answer of parts")
    if not group.path and peak > 3 * (32 << 20) + 60_000_000:
        faults.append("the memory exceeds the budget")
    sys.exit("\n".join(faults) or None)


if __name__ == "__main__":
    main()
