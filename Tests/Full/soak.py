"""Two instances of Weir behind nginx, an upstream that fails in every way in turn, reloads and restarts, for some minutes.

    python soak.py WEIR [MINUTES]      default: 2

64 clients ask for places through nginx. Every ten seconds both instances reload a changed configuration. The second one is
ended by SIGTERM and by SIGKILL in turn, and started again. The run passes if
- each answer is a forecast that the upstream sent for that place, or a problem of a type and status that docs/api.md names;
- nginx's own answers, and answers that are cut, occur within five seconds of the end of an instance only, and count apart;
- each instance ends when told to, with status 0, and each reload succeeds;
- after three minutes, or the first third of a shorter run, the highest memory (RssAnon) and the most descriptors of the first
  instance are in the second half of the rest at most a tenth, and 2 MiB or 16, more than in the first half: means of single
  minutes differ by a third, as failures and reloads meet;
- no sample of the second instance has a tenth, and 8 MiB or 64, more than the highest one of the first.
"""

import asyncio
import collections
import http.client
import json
import multiprocessing
import os
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from service import ROOT, free_ports

WEIR = sys.argv[1]
MINUTES = float(sys.argv[2]) if len(sys.argv) > 2 else 2
CLIENTS, PLACES = 64, 3000
FAILURES = ["refused", "reset", "slow", "half", "html", "500", "503", "429", "not JSON", "empty", "renamed"]
# Two seconds of good answers precede 0.72 seconds of a failure.
TURN = 30
API = ROOT / "docs" / "api.md"


def mode(now):
    part = now % TURN / TURN * len(FAILURES)
    return FAILURES[int(part)] if part % 1 > 0.73 else "good"


def checksum(kind, place, number, temperature):
    return zlib.crc32(f"{kind} {place} {number} {temperature}".encode())


class Upstream:
    """Dark Sky as it was, and as it fails; runs in a process of its own."""

    def __init__(self, port):
        self.port, self.number, self.connections = port, 0, set()

    def forecast(self, kind, place):
        self.number += 1
        latitude, longitude = place.split(",")
        temperature = zlib.crc32(place.encode()) % 400 / 10
        summary = f"{kind} {place} {self.number} {checksum(kind, place, self.number, temperature)}"
        key = "temperatur" if kind == "renamed" else "temperature"
        hours = [{"time": 1800000000 + 3600 * hour, key: temperature, "summary": "Clear"} for hour in range(24)]
        currently = {"time": 1800000000, "summary": summary, key: temperature, "humidity": 0.5}
        return json.dumps({
            "latitude": float(latitude), "longitude": float(longitude), "timezone": "UTC", "currently": currently,
            "hourly": {"data": hours}, "flags": {"units": "si"}})

    async def answer(self, writer, path):
        """Answers a request; returns whether the connection stays open."""
        place, kind = re.search(r"/forecast/[^/]+/([-0-9.]+,[-0-9.]+)", path).group(1), mode(time.time())
        status, fields, body = "200 OK", "Content-Type: application/json\r\n", self.forecast("bad", place)
        if kind in ("good", "renamed"):
            body = self.forecast(kind, place)
        elif kind == "html":
            fields, body = "Content-Type: text/html\r\n", "<html><body>Maintenance</body></html>"
        elif kind in ("500", "503", "429"):
            status, body = f"{kind} Failure", '{"error": "failure"}'
            fields += "" if kind == "500" else "Retry-After: 1\r\n"
        elif kind == "not JSON":
            body = body[1:]
        elif kind == "empty":
            body = ""
        elif kind == "slow":
            await asyncio.sleep(3)
        elif kind in ("reset", "refused"):
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        sent = body[: len(body) // 2] if kind == "half" else body
        writer.write(f"HTTP/1.1 {status}\r\n{fields}Content-Length: {len(body)}\r\n\r\n{sent}".encode())
        await writer.drain()
        return kind != "half"

    async def connected(self, reader, writer):
        self.connections.add(writer)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if not await self.answer(writer, head.split(b" ", 2)[1].decode()):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.connections.discard(writer)
            writer.close()

    async def run(self):
        server = None
        while True:
            refuses = mode(time.time()) == "refused"
            if refuses and server:
                server.close()
                for writer in list(self.connections):
                    writer.transport.abort()
                server = None
            elif not refuses and not server:
                server = await asyncio.start_server(self.connected, "127.0.0.1", self.port, backlog=1024)
            await asyncio.sleep(0.02)


def run_upstream(port):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(Upstream(port).run())


class Instance:
    """A process of Weir with a configuration file and logs of its own."""

    def __init__(self, folder, name, port, upstream):
        self.name, self.port, self.upstream, self.reloads = name, port, upstream, 0
        self.file, self.errors = folder / f"{name}.json", folder / f"{name}.log"
        self.samples, self.faults = [], []
        self.start()

    def configure(self):
        self.file.write_text(json.dumps({
            "listen": f"127.0.0.1:{self.port}", "shards": 2,
            "server": {"accessLog": {"format": "none"}, "drainDelayMilliseconds": 200},
            "fetching": {"deadlineMilliseconds": 1500 + self.reloads % 2},
            "cache": {"maximumBytes": 8 << 20, "weather": {"defaultSeconds": 2, "staleIfErrorSeconds": 4}},
            "upstreams": [{
                "name": "sky", "dialect": "darkSky", "baseURL": f"http://127.0.0.1:{self.upstream}",
                "key": {"environment": "WEIR_SOAK_KEY"}, "maximumConcurrent": 32,
                "breaker": {"openMilliseconds": 200}}],
            "weather": {"upstreams": ["sky"]}}))

    def start(self):
        self.configure()
        environment = dict(os.environ, WEIR_SOAK_KEY="a-long-enough-key")
        with open(self.errors, "ab") as errors:
            self.process = subprocess.Popen(
                [WEIR, "serve", "--config", self.file], stdout=subprocess.DEVNULL, stderr=errors, env=environment)
        while subprocess.run(
                [WEIR, "healthcheck", "--url", f"http://127.0.0.1:{self.port}/readyz"], capture_output=True).returncode:
            if self.process.poll() is not None:
                sys.exit(f"{self.name} does not start: {self.errors.read_text()[-2000:]}")
            time.sleep(0.1)

    def reload(self):
        self.reloads += 1
        self.configure()
        self.process.send_signal(signal.SIGHUP)

    def restart(self, number):
        self.process.send_signal(number)
        status = self.process.wait(60)
        if status != (0 if number == signal.SIGTERM else -signal.SIGKILL):
            self.faults.append(f"{self.name} ended with status {status}")
        self.start()

    def sample(self, seconds):
        if self.process.poll() is not None:
            self.faults.append(f"{self.name} ended by itself with status {self.process.returncode}")
            return
        folder = pathlib.Path(f"/proc/{self.process.pid}")
        memory = int(re.search(r"RssAnon:\s+(\d+)", (folder / "status").read_text()).group(1)) << 10
        self.samples.append((seconds, memory, len(os.listdir(folder / "fd"))))

    def lines(self, message):
        return self.errors.read_text().count(f'"message":"{message}"')


class Clients:
    """64 clients, who check each answer."""

    def __init__(self, port, named):
        self.port, self.named = port, named
        self.counts, self.faults, self.apart = collections.Counter(), [], []
        self.lock, self.ends = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(number,)) for number in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.ends.set()
        for thread in self.threads:
            thread.join()

    def run(self, number):
        rng, connection = random.Random(number), None
        while not self.ends.wait(0.02):
            place = rng.randrange(PLACES)
            latitude, longitude = place % 60 + 0.125, place // 60 + 0.25
            try:
                connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                connection.request("GET", f"/weather?lat={latitude}&lon={longitude}")
                answer = connection.getresponse()
                result, fault = self.result(answer, answer.read(), latitude, longitude)
            except (OSError, http.client.HTTPException) as error:
                result, fault, connection = f"cut: {type(error).__name__}", None, None
            with self.lock:
                self.counts[result] += 1
                if result.startswith(("cut", "nginx")):
                    self.apart.append((time.time(), result))
                if fault:
                    self.faults.append(fault)

    def result(self, answer, body, latitude, longitude):
        """What an answer counts as, and what is wrong with it."""
        kind = answer.getheader("Content-Type", "")
        if kind == "text/html":
            return f"nginx: {answer.status}", None
        try:
            document = json.loads(body)
        except ValueError:
            return "wrong", f"{answer.status} without JSON: {body[:200]}"
        if answer.status != 200:
            name = document.get("type", "").removeprefix("urn:weir:problem:")
            if kind != "application/problem+json" or answer.status not in self.named.get(name, []):
                return "wrong", f"{answer.status} that no document names: {body[:200]}"
            return f"{answer.status} {name}", None
        current = document.get("currently", {})
        sort, place, number, total = (current.get("summary", "") + " - - - -").split(" ")[:4]
        temperature = zlib.crc32(place.encode()) % 400 / 10
        expected = None if sort == "renamed" else temperature
        right = (
            sort in ("good", "renamed") and total == str(checksum(sort, place, number, temperature))
            and [float(x) for x in place.split(",")] == [latitude, longitude] and current.get("temperature") == expected
            and all(hour.get("temperature") == expected for hour in document["hourly"]["data"]))
        if not right:
            return "wrong", f"for {latitude},{longitude}: {body[:300]}"
        cached = re.search(r"hit|fwd=\S+?(?=;|$)", answer.getheader("Cache-Status", ""))
        return f"200 {cached.group() if cached else ''}", None


def nginx_file(folder, port, instances):
    servers = "".join(f"server 127.0.0.1:{port} max_fails=0; " for port in instances)
    temporary = "".join(f"{name}_temp_path {folder}; " for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log; "
        f"{'user root; ' if os.getuid() == 0 else ''}events {{ worker_connections 4096; }} "
        f"http {{ access_log off; {temporary} upstream weir {{ {servers} keepalive 64; }} "
        f"server {{ listen 127.0.0.1:{port}; keepalive_requests 1000000; location / {{ proxy_pass http://weir; "
        f"proxy_http_version 1.1; proxy_set_header Connection ''; proxy_connect_timeout 2s; proxy_read_timeout 15s; }} }} }}")
    return file


def named_problems():
    """The statuses by the names of problems in docs/api.md."""
    rows = re.findall(r"^\| `([a-z-]+)` \| ([0-9, ]+) \|", API.read_text(), re.M)
    return {name: [int(status) for status in statuses.split(",")] for name, statuses in rows}


def soak(folder, processes):
    port, upstream, *ports = free_ports(4)
    processes.append(multiprocessing.Process(target=run_upstream, args=(upstream,), daemon=True))
    processes[-1].start()
    first, second = instances = [Instance(folder, f"instance{i + 1}", p, upstream) for i, p in enumerate(ports)]
    processes += [first, second]
    nginx = subprocess.Popen(["nginx", "-p", folder, "-c", nginx_file(folder, port, ports)], stderr=subprocess.DEVNULL)
    processes.append(nginx)
    clients = Clients(port, named_problems())
    start, ended, reloads = time.time(), [], 0
    seconds = 60 * MINUTES
    try:
        while time.time() - start < seconds:
            now = time.time() - start
            for instance in instances:
                instance.sample(now)
            if now // 10 > reloads:
                reloads += 1
                for instance in instances:
                    instance.reload()
            if (now - 15) // 30 >= len(ended):
                number = signal.SIGKILL if len(ended) % 2 else signal.SIGTERM
                # A process that ends before it has read the file counts no reload.
                time.sleep(2)
                begin = time.time()
                second.restart(number)
                ended.append((begin - 1, time.time() + 5, number.name))
            time.sleep(max(0, 1 - (time.time() - start - now)))
    finally:
        clients.stop()
    for instance in instances:
        instance.process.send_signal(signal.SIGTERM)
        if instance.process.wait(60) != 0:
            instance.faults.append(f"{instance.name} did not end with status 0")
    report(clients, first, second, ended, seconds)


def report(clients, first, second, ended, seconds):
    faults = clients.faults[:10] + first.faults + second.faults
    for moment, result in clients.apart:
        if not any(begin <= moment <= end for begin, end, _ in ended):
            faults.append(f"{result} {moment - ended[0][0] if ended else 0:.1f} s after the first end of an instance")
    for instance in (first, second):
        done, refused = instance.lines("configuration reloaded"), instance.lines("configuration refused")
        if done != instance.reloads or refused:
            faults.append(f"{instance.name}: {done} of {instance.reloads} reloads succeeded, {refused} were refused")
    settled = min(180, seconds / 3)
    rows = []
    middle = (settled + seconds) / 2
    for column, name, unit, slack, other in [(1, "memory", 1 << 20, 2 << 20, 8 << 20), (2, "descriptors", 1, 16, 64)]:
        before = max(s[column] for s in first.samples if settled <= s[0] < middle)
        after = max(s[column] for s in first.samples if s[0] >= middle)
        highest, theirs = (max(s[column] for s in instance.samples) for instance in (first, second))
        rows.append((name, before / unit, after / unit, 100 * (after / before - 1), highest / unit, theirs / unit))
        if after > 1.1 * before + slack:
            faults.append(f"the {name} of instance1 grew from {before:.0f} to {after:.0f}")
        if theirs > 1.1 * highest + other:
            faults.append(f"the {name} of instance2 reached {theirs}, that of instance1 {highest}")
    print(f"soak of {seconds / 60:g} minutes, {first.reloads} reloads of each instance, ends of instance2: "
          f"{dict(collections.Counter(name for *_, name in ended))}")
    total = sum(clients.counts.values())
    for result, count in sorted(clients.counts.items()):
        print(f"  {result:32}{count:9}{100 * count / total:8.2f} %")
    print(f"  {'all':32}{total:9}")
    print(f"  {'':14}{'1st half':>10}{'2nd half':>12}{'growth':>10}{'highest':>10}{'instance2':>12}")
    for name, before, after, growth, highest, theirs in rows:
        print(f"  {name:14}{before:10.1f}{after:12.1f}{growth:8.1f} %{highest:10.1f}{theirs:12.1f}")
    for fault in faults[:20]:
        print(f"  fault: {fault}")
    print(f"soak: {len(faults)} faults")
    sys.exit(1 if faults else 0)


def main():
    processes = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            soak(pathlib.Path(folder), processes)
        finally:
            for process in processes:
                process = getattr(process, "process", process)
                process.kill() if isinstance(process, multiprocessing.Process) else process.terminate()
                process.join() if isinstance(process, multiprocessing.Process) else process.wait()


if __name__ == "__main__":
    main()
