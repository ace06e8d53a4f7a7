"""Three replicas of Weir that share a Redis, which fails in every way in turn.

    python shared.py WEIR [SECONDS]      default: 10, the time of each load

200 clients ask for documents by Zipf's law. The run passes if
- three replicas ask the upstream at most 1.05 times as often as one replica does;
- 1,000 clients of one cold document make one request to the upstream, also if the upstream takes longer than a lease;
- a replica that starts cold serves what the others have without a request to the upstream;
- while Redis is killed, stopped, slow, full, failed over, locked by another password or empty, each answer is a 200 with the
  document that was asked for, and the 99th percentiles of hits and of other answers are at most 1.5 times the usual ones;
- each replica has its connection again within a second after Redis is back;
- a quota is never exceeded by more than the allotments that docs/scaling.md names;
- no key, no value and no command in Redis has a secret, except for the password that opens a connection.
"""

import asyncio
import bisect
import collections
import itertools
import json
import multiprocessing
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from service import Service, end, free_ports

WEIR = sys.argv[1]
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 10
CLIENTS, RATE, DOCUMENTS = 200, 600, 2000
# The upstream takes so long that a time-out of Redis is less than half of an answer.
DELAY = 0.1
KEY, PASSWORD = "the-key-of-the-upstream", "the-password-of-redis"
WEIGHTS = list(itertools.accumulate(1 / (rank + 1) for rank in range(DOCUMENTS)))
checks = []


def check(name, passes, figures=""):
    checks.append(passes)
    print(f"shared: {'pass' if passes else 'FAIL'}: {name}{': ' if figures else ''}{figures}", flush=True)


class Upstream:
    """Documents that are fresh for 3 seconds or an hour, or are slow; counts its requests; runs in a process of its own."""

    def __init__(self, port):
        self.calls, self.wrong = multiprocessing.Value("i", 0), multiprocessing.Value("i", 0)
        self.process = multiprocessing.Process(target=lambda: asyncio.run(self.run(port)), daemon=True)
        self.process.start()

    async def run(self, port):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        server = await asyncio.start_server(self.connected, "127.0.0.1", port, backlog=1024)
        await server.serve_forever()

    async def connected(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                _, kind, number = head.split(" ", 2)[1].split("/")
                with self.calls.get_lock():
                    self.calls.value += 1
                if f"authorization: bearer {KEY}" not in head.lower():
                    self.wrong.value += 1
                await asyncio.sleep(25 * DELAY if kind == "slow" else DELAY)
                body = json.dumps({"kind": kind, "id": int(number), "text": f"document {number} " * 100})
                writer.write(
                    f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                    f"Cache-Control: max-age={3 if kind == 'short' else 3600}\r\n\r\n{body}".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


class Redis:
    """A redis-server, or with `kind` a redis-sentinel, on loopback."""

    def __init__(self, folder, port, *options, kind="redis-server"):
        self.port, self.kind = port, kind
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.command = [kind, "--port", str(port), "--bind", "127.0.0.1", "--dir", self.folder, *map(str, options)]
        if kind == "redis-server":
            self.command += ["--save", "", "--requirepass", PASSWORD, "--masterauth", PASSWORD]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while "PONG" not in self.cli("PING"):
            if self.process.poll() is not None:
                sys.exit(f"{self.kind} does not start")

    def cli(self, *arguments, password=PASSWORD):
        options = ["--no-auth-warning", "-a", password] if self.kind == "redis-server" else []
        return subprocess.run(
            ["redis-cli", "-p", str(self.port), *options, *map(str, arguments)], capture_output=True, text=True, errors="replace").stdout

    def kill(self):
        self.process.kill()
        self.process.wait()


class SlowLink:
    """A way to Redis whose bytes can be delayed; runs in a process of its own, so that the clients' work does not."""

    def __init__(self, port, target):
        self.delay = multiprocessing.Value("d", 0)
        self.target = target
        listener = socket.create_server(("127.0.0.1", port))
        self.process = multiprocessing.Process(target=self.accept, args=[listener], daemon=True)
        self.process.start()
        listener.close()

    def accept(self, listener):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            client, _ = listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            for source, sink in [(client, server), (server, client)]:
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    def pump(self, source, sink):
        try:
            while data := source.recv(1 << 16):
                if self.delay.value:
                    time.sleep(self.delay.value)
                sink.sendall(data)
        except OSError:
            pass
        for each in (source, sink):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Replicas:
    """Several services with one configuration, whose ports for operators are known."""

    def __init__(self, folder, count, upstream, shared, quota=None):
        configuration = {
            "shards": 1, "server": {"accessLog": {"format": "none"}},
            "upstreams": [{
                "name": "documents", "baseURL": f"http://127.0.0.1:{upstream}", "maximumConcurrent": 256,
                "authorization": "bearer", "key": {"environment": "WEIR_KEY"}, **({"quota": quota} if quota else {})}],
            "routes": [{
                "path": "/{kind}/{id}", "name": "document", "parameters": {"kind": {}, "id": {"type": "integer"}},
                "fetch": {"upstream": "documents", "path": "/{kind}/{id}"},
                "edit": {"keys": "keep"}}],
            **({"shared": shared} if shared else {})}
        self.file = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "weir.json"
        self.file.write_text(json.dumps(configuration))
        self.services = []
        for _ in range(count):
            self.add()

    def add(self):
        environment = {"WEIR_KEY": KEY, "WEIR_REDIS_PASSWORD": PASSWORD}
        self.services.append(Service(WEIR, "--config", str(self.file), environment=environment).__enter__())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for service in self.services:
            service.__exit__()

    def wait_until_connected(self, seconds=10):
        """Returns the time until each replica has its connection, or None."""
        begin = time.time()
        while time.time() - begin < seconds:
            if all(b"\nweir_shared_connected 1" in service.get("/metrics").body for service in self.services):
                return time.time() - begin
        return None


class Load:
    """Clients who ask for documents by Zipf's law at a steady rate, and check each answer."""

    def __init__(self, replicas, seconds, kind="short", seed=1, choose=None):
        self.ports = [int(service.address.rsplit(":", 1)[1]) for service in replicas.services]
        self.kind, self.choose, self.rng = kind, choose, random.Random(seed)
        self.times, self.faults, self.statuses = collections.defaultdict(list), [], collections.Counter()
        self.end = time.time() + seconds
        asyncio.run(self.run())

    async def run(self):
        await asyncio.gather(*(self.client(number) for number in range(CLIENTS)))

    async def client(self, number):
        connections = {}
        await asyncio.sleep(number / RATE)
        while time.time() < self.end:
            begin = time.time()
            port, document = self.rng.choice(self.ports), bisect.bisect(WEIGHTS, self.rng.random() * WEIGHTS[-1])
            if self.choose:
                document = self.choose()
            if port not in connections:
                connections[port] = await asyncio.open_connection("127.0.0.1", port)
            await self.ask(*connections[port], document)
            await asyncio.sleep(max(0, CLIENTS / RATE - (time.time() - begin)))
        for _, writer in connections.values():
            writer.close()

    async def ask(self, reader, writer, document):
        begin = time.perf_counter()
        writer.write(f"GET /{self.kind}/{document} HTTP/1.1\r\nHost: weir\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        body = await reader.readexactly(int(re.search(r"(?i)content-length: (\d+)", head).group(1)))
        status = int(head.split(" ", 2)[1])
        self.statuses[status] += 1
        hit = re.search(r"(?i)cache-status: \S+ hit", head) is not None
        self.times[hit].append(time.perf_counter() - begin)
        if status == 200:
            answer = json.loads(body)
            if (answer["kind"], answer["id"]) != (self.kind, document):
                self.faults.append(f"{self.kind} {document}: {body[:100]}")
        elif len(self.faults) < 5 and not self.choose:
            self.faults.append(f"{status}: {body[:200]}")

    def percentile(self, hit, part=0.99):
        times = sorted(self.times[hit])
        return times[min(len(times) - 1, int(part * len(times)))] if times else 0

    @property
    def summary(self):
        return (f"{dict(self.statuses)}, p99 of hits {1000 * self.percentile(True):.1f} ms, "
                f"of others {1000 * self.percentile(False):.0f} ms {' '.join(self.faults[:3])}")


def asked(upstream, act):
    """Returns how often the upstream was asked while `act` ran, and its result."""
    before = upstream.calls.value
    result = act()
    return upstream.calls.value - before, result


def one_flight(replicas):
    async def ask(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /long/999999 HTTP/1.1\r\nHost: weir\r\nConnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
        return b"200 OK" in answer[:20] and b'"id":999999' in answer

    async def all_clients():
        ports = [int(service.address.rsplit(":", 1)[1]) for service in replicas.services]
        return await asyncio.gather(*(ask(ports[number % len(ports)]) for number in range(1000)))

    return asyncio.run(all_clients())


def slow_documents(replicas):
    """Asks all replicas for five documents, one replica after the other; returns whether each answer was a 200."""
    answers = []

    def ask(service, number):
        answers.append(service.get(f"/slow/{number}").status == 200)

    threads = [threading.Thread(target=ask, args=(service, number)) for number in range(5) for service in replicas.services]
    for thread in threads:
        thread.start()
        time.sleep(0.02)
    for thread in threads:
        thread.join()
    return answers


def shares(folder, upstream, port, settings, redis):
    with Replicas(folder, 1, port, None) as one:
        alone, load = asked(upstream, lambda: Load(one, SECONDS))
        print(f"shared: one replica: {alone} requests to the upstream, {load.summary}")
    redis.cli("FLUSHALL")
    with Replicas(folder, 3, port, settings) as replicas:
        check("each replica has a connection", replicas.wait_until_connected() is not None)
        together, load = asked(upstream, lambda: Load(replicas, SECONDS))
        check("three replicas ask at most 1.05 times as often", together <= 1.05 * alone and not load.faults,
              f"{together} of {alone}, {together / alone:.3f}; {load.summary}")
        calls, answers = asked(upstream, lambda: one_flight(replicas))
        check("1,000 clients of a cold document make one request", calls == 1 and all(answers), f"{calls}")
        calls, answers = asked(upstream, lambda: slow_documents(replicas))
        check("an upstream that takes longer than a lease is asked once for each document",
              calls == 5 and all(answers), f"{calls} requests for 5 documents")
        numbers = itertools.cycle(range(300))
        Load(replicas, 2, kind="long", choose=lambda: next(numbers))
        replicas.add()
        cold = Replicas.__new__(Replicas)
        cold.services = replicas.services[-1:]
        cold.wait_until_connected()
        calls, load = asked(upstream, lambda: Load(cold, 2, kind="long", choose=lambda: next(numbers)))
        check("a cold replica serves from the second level", calls <= 3 and set(load.statuses) == {200},
              f"{calls} requests for {sum(load.statuses.values())} answers")


def failures(folder, port, settings, redis, link):
    with Replicas(folder, 3, port, settings) as replicas:
        replicas.wait_until_connected()
        Load(replicas, SECONDS / 2)
        usual = Load(replicas, SECONDS)
        print(f"shared: usual: {usual.summary}")

        def during(name, fail, mend, seconds=SECONDS / 2):
            load = []
            thread = threading.Thread(target=lambda: load.append(Load(replicas, seconds, seed=len(checks))))
            thread.start()
            time.sleep(seconds / 5)
            fail()
            thread.join()
            mend()
            back = replicas.wait_until_connected()
            ratio = load[0].percentile(False) / usual.percentile(False)
            hits = load[0].percentile(True) / usual.percentile(True)
            # A scheduler's tick must not count.
            is_unchanged = load[0].percentile(True) <= 1.5 * usual.percentile(True) + 0.002
            check(f"Redis {name}", not load[0].faults and ratio <= 1.5 and is_unchanged and back is not None and back <= 1,
                  f"others {ratio:.2f} times, hits {hits:.2f} times, back after {back} s; {load[0].summary}")

        during("is killed and starts empty", redis.kill, redis.start)
        during("is stopped", lambda: redis.process.send_signal(signal.SIGSTOP),
               lambda: redis.process.send_signal(signal.SIGCONT))
        during("is slow", lambda: setattr(link.delay, "value", 0.1), lambda: setattr(link.delay, "value", 0))
        during("is full", lambda: redis.cli("CONFIG", "SET", "maxmemory", "1"),
               lambda: redis.cli("CONFIG", "SET", "maxmemory", "0"))
        during("is empty", lambda: redis.cli("FLUSHALL"), lambda: None)

        def lock(password, old):
            redis.cli("CONFIG", "SET", "requirepass", password, password=old)
            redis.cli("CLIENT", "KILL", "TYPE", "normal", password=password)

        during("has another password", lambda: lock("another-password", PASSWORD),
               lambda: lock(PASSWORD, "another-password"))


def failover(folder, port, settings, ports):
    first, second, *watchers = ports
    master = Redis(folder, first)
    replica = Redis(folder, second, "--replicaof", "127.0.0.1", first)
    processes = [master, replica]
    try:
        for watcher in watchers:
            file = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "sentinel.conf"
            file.write_text(
                f"sentinel monitor documents 127.0.0.1 {first} 1\nsentinel auth-pass documents {PASSWORD}\n"
                "sentinel down-after-milliseconds documents 500\nsentinel failover-timeout documents 5000\n")
            sentinel = Redis.__new__(Redis)
            sentinel.port, sentinel.kind = watcher, "redis-sentinel"
            sentinel.command = ["redis-sentinel", file, "--port", str(watcher), "--bind", "127.0.0.1"]
            sentinel.start()
            processes.append(sentinel)
        while f"slave0:ip=127.0.0.1,port={second},state=online" not in master.cli("INFO", "replication"):
            pass
        while "num-slaves\n1" not in watcher_state(processes[-1]):
            pass
        sentinel = {"addresses": [f"127.0.0.1:{watcher}" for watcher in watchers], "master": "documents"}
        with Replicas(folder, 3, port, {**settings, "sentinel": sentinel}) as replicas:
            replicas.wait_until_connected()
            Load(replicas, SECONDS / 2)
            load = []
            thread = threading.Thread(target=lambda: load.append(Load(replicas, SECONDS + 5, seed=9)))
            thread.start()
            time.sleep(1)
            master.kill()
            killed = time.time()
            while any(
                    f"\n{second}\n" not in watcher.cli("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "documents")
                    for watcher in processes[2:]):
                pass
            promoted = time.time()
            back = replicas.wait_until_connected()
            thread.join()
            check("Redis fails over", not load[0].faults and back is not None and back <= 1,
                  f"promoted after {promoted - killed:.1f} s, back {back} s later; {load[0].summary}")
            calls_after = replica.cli("DBSIZE").strip()
            check("the promoted replica is used", calls_after not in ("", "0"), f"{calls_after} keys")
    finally:
        for each in processes:
            end(each.process)


def watcher_state(sentinel):
    return sentinel.cli("SENTINEL", "MASTER", "documents")


def quota(folder, upstream, port, settings, redis):
    # The hour must not end in the middle.
    if time.time() % 3600 > 3600 - 4 * SECONDS - 20:
        time.sleep(3600 - time.time() % 3600)
    limit = 600
    numbers = itertools.count(10_000_000)
    with Replicas(folder, 3, port, settings, {"perHour": limit}) as replicas:
        replicas.wait_until_connected()

        def spend():
            load = threading.Thread(
                target=lambda: Load(replicas, 2 * SECONDS, kind="long", choose=lambda: next(numbers)))
            load.start()
            time.sleep(0.4)
            redis.kill()
            time.sleep(SECONDS / 2)
            redis.start()
            load.join()

        calls, _ = asked(upstream, spend)
        allotment = 3 * max(1, limit // 60)
        check("a quota is kept while Redis is lost and starts empty", 0.9 * limit <= calls <= limit + allotment,
              f"{calls} of {limit}")


def secrets(redis, seen):
    keys = redis.cli("--raw", "KEYS", "*").split("\n")
    dump = "\n".join(keys) + "".join(
        redis.cli("--raw", {"hash": "HGETALL", "string": "GET"}.get(redis.cli("TYPE", key).strip(), "TYPE"), key)
        for key in keys[:500] if key)
    check("Redis has no secret", len(keys) > 10 and KEY not in dump + seen and PASSWORD not in dump + seen,
          f"{len(keys)} keys, {len(seen)} characters of commands")


def main():
    port, redis_port, link_port, *others = free_ports(6)
    with tempfile.TemporaryDirectory() as folder:
        upstream, redis = Upstream(port), Redis(folder, redis_port)
        link = SlowLink(link_port, redis_port)
        settings = {
            "redis": f"redis://127.0.0.1:{link_port}/0", "password": {"environment": "WEIR_REDIS_PASSWORD"}, "replicas": 3}
        monitor = subprocess.Popen(
            ["redis-cli", "-p", str(redis_port), "--no-auth-warning", "-a", PASSWORD, "MONITOR"],
            stdout=subprocess.PIPE, text=True, errors="replace")
        seen = []
        reading = threading.Thread(target=lambda: seen.extend(monitor.stdout), daemon=True)
        reading.start()
        try:
            # Counts are compared here: a busy machine must not make a command late.
            shares(folder, upstream, port, {**settings, "timeoutMilliseconds": 500}, redis)
            end(monitor)
            reading.join()
            secrets(redis, "".join(seen))
            failures(folder, port, settings, redis, link)
            quota(folder, upstream, port, settings, redis)
            failover(folder, port, {**settings, "redis": f"redis://127.0.0.1:{others[0]}/0"}, others)
            check("each request to the upstream had its key", upstream.wrong.value == 0, f"{upstream.wrong.value}")
        finally:
            end(monitor)
            end(redis.process)
            upstream.process.kill()
            link.process.kill()
    print(f"shared: {sum(checks)} of {len(checks)} checks pass")
    sys.exit(0 if all(checks) else 1)


if __name__ == "__main__":
    main()
