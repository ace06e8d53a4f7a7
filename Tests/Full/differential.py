"""Services with one configuration, without a cache, with one, and two that share a Redis, give one client the same answers.

    python differential.py WEIR [REQUESTS]      default: 5000

The requests have values in headers, bodies, paths, parameters and enumerations that look alike and are not the same: K and the
Kelvin sign, Å in two spellings, letters in two cases, empty and absent ones. The upstream answers what it was asked. Each
request goes to all services at once, with some keys again and again, so that documents are kept, shared and found. The run
passes if no answer differs from that of the service without a cache, and if the caches gave answers.
"""

import asyncio
import collections
import json
import multiprocessing
import pathlib
import random
import subprocess
import sys
import tempfile
import urllib.parse

from service import Service, end, free_ports

WEIR = sys.argv[1]
REQUESTS = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
CLIENTS = 16
ALIKE = ["K", "\u212a", "k", "\u00c5", "A\u030a", "\u212b", "a\u030a", "\ufb01", "fi", "e\u0301", "\u00e9", "I", "\u0131", "i",
         "\u0130", "s", "\u017f", "1", "\u0661", "", " ", "a b", "a+b", "%", "%41", "A", "a;b", "a,b", "\u1100\u1161", "\uac00",
         "\U0001f600", "\u00df", "ss", "\u200bK", "K\u200b"]


async def read(reader):
    """Returns the lines of a head, and the body."""
    head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
    length = next((int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length:")), 0)
    return head, await reader.readexactly(length)


async def echo(port):
    async def answer(reader, writer):
        try:
            while True:
                head, body = await read(reader)
                fields = [line.decode() for line in head[1:] if line.lower().startswith((b"accept-language", b"x-"))]
                text = json.dumps({"line": head[0].decode(), "fields": sorted(fields), "body": body.decode()}).encode()
                missing = b"/gone" in head[0]
                status, seconds = (b"404 Not Found", 30) if missing else (b"200 OK", 60)
                if missing:
                    text = json.dumps({"error": text.decode()}).encode()
                writer.write(
                    b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nCache-Control: max-age=%d\r\nContent-Length: %d\r\n\r\n%s"
                    % (status, seconds, len(text), text))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", port) as server:
        await server.serve_forever()


def configuration(upstream, redis=None, cache=True):
    choice = {"enum": [word for word in ALIKE if word.strip()]}
    route = {"cache": {"defaultSeconds": 60}, "edit": {"keys": "keep"}}
    up = {"upstream": "echo"}
    return {
        "shards": 2, "server": {"accessLog": {"format": "none"}},
        "cache": {} if cache else {"maximumBytes": 0},
        "upstreams": [{"name": "echo", "baseURL": f"http://127.0.0.1:{upstream}", "retryPercent": 0, "maximumConcurrent": 256}],
        **({"shared": {"redis": f"redis://127.0.0.1:{redis}/0"}} if redis else {}),
        "routes": [
            {**route, "path": "/header", "parameters": {"language": {"header": "Accept-Language"}, "tenant": {"header": "X-Tenant"}},
             "fetch": {**up, "path": "/header", "headers": {"Accept-Language": "{language}", "X-Tenant": "{tenant}"}}},
            {**route, "path": "/body", "parameters": {"q": {}, "r": {}},
             "fetch": {**up, "path": "/body", "body": {"q": "{q}", "r": "{r}"}}},
            {**route, "path": "/path/{word}", "parameters": {"word": {}}, "fetch": {**up, "path": "/path/{word}"}},
            {**route, "path": "/query", "parameters": {"a": {}, "b": {}}, "fetch": {**up, "path": "/query", "query": {"a": "{a}", "b": "{b}"}}},
            {**route, "path": "/choice", "parameters": {"c": choice}, "fetch": {**up, "path": "/choice", "query": {"c": "{c}"}}},
            {**route, "path": "/shape", "parameters": {"c": {}}, "fetch": {**up, "path": "/shape"},
             "answer": {"properties": {"line": "line", "c": "$c"}}} | {"edit": None},
            {**route, "path": "/gone", "parameters": {"c": {}}, "fetch": {**up, "path": "/gone", "query": {"c": "{c}"}}, "error": "error"},
            {**route, "path": "/gone/other", "parameters": {"c": {}}, "fetch": {**up, "path": "/gone", "query": {"c": "{c}"}}},
        ],
    }


def request(choose):
    def words(*names):
        return "&".join(f"{name}={urllib.parse.quote(word)}" for name in names if (word := choose.choice(ALIKE + [None])) is not None)

    kind = choose.choice(["header", "body", "path", "query", "choice", "shape", "gone", "gone/other"])
    fields = b""
    if kind == "header":
        target = "/header"
        for name in ("Accept-Language", "X-Tenant"):
            if choose.random() < 0.8:
                fields += f"{name}: {choose.choice(ALIKE)}\r\n".encode()
    elif kind == "path":
        target = "/path/" + urllib.parse.quote(choose.choice(ALIKE), safe="")
    else:
        target = f"/{kind}?" + words(*{"body": "qr", "query": "ab"}.get(kind, "c"))
    return b"GET " + target.encode() + b" HTTP/1.1\r\nHost: a\r\n" + fields + b"\r\n"


async def compare(addresses):
    choose = random.Random(1)
    left, differences = REQUESTS, []
    found, statuses = collections.Counter(), collections.Counter()

    async def client():
        nonlocal left
        links = [await asyncio.open_connection(*address.rsplit(":", 1)) for address in addresses.values()]
        while left > 0:
            left -= 1
            text = request(choose)
            for _, writer in links:
                writer.write(text)
            answers = [await read(reader) for reader, _ in links]
            plain, *others = [(head[0], body) for head, body in answers]
            statuses[plain[0].split(b" ")[1].decode()] += 1
            for name, (head, _), other in zip(list(addresses)[1:], answers[1:], others):
                if any(b"; hit" in line for line in head if line.lower().startswith(b"cache-status")):
                    found[name] += 1
                if other != plain:
                    differences.append((name, text, plain, other))
        for _, writer in links:
            writer.close()

    await asyncio.gather(*[client() for _ in range(CLIENTS)])
    return differences, found, statuses


def main():
    upstream, redis = free_ports(2)
    process = multiprocessing.Process(target=lambda: asyncio.run(echo(upstream)), daemon=True)
    process.start()
    with tempfile.TemporaryDirectory() as folder:
        store = subprocess.Popen(
            ["redis-server", "--port", str(redis), "--bind", "127.0.0.1", "--save", "", "--dir", folder], stdout=subprocess.DEVNULL)
        services = {}
        try:
            for name, more in [("plain", {"cache": False}), ("cache", {}), ("first", {"redis": redis}), ("second", {"redis": redis})]:
                path = pathlib.Path(folder) / f"{name}.json"
                text = configuration(upstream, **more)
                for route in text["routes"]:
                    if route.get("edit", "") is None:
                        del route["edit"]
                path.write_text(json.dumps(text))
                services[name] = Service(WEIR, "--config", str(path)).__enter__()
            differences, found, statuses = asyncio.run(compare({name: each.address for name, each in services.items()}))
        finally:
            for service in services.values():
                service.__exit__()
            end(store)
    process.terminate()
    print(f"{REQUESTS} requests, {dict(statuses)}, hits {dict(found)}, {len(differences)} differences")
    for difference in differences[:5]:
        print(*difference, sep="\n  ")
    if differences or len(found) < 3 or statuses["200"] < REQUESTS / 3:
        sys.exit("The answers differ, or the caches gave none.")


if __name__ == "__main__":
    main()
