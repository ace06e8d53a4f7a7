"""Restarts two replicas behind Debian's nginx, as Config/nginx/weir.conf says, while clients ask: no request may be lost.

    restarts.py WEIR [BLOCK [SECONDS]]

BLOCK is another file for nginx, and SECONDS the time from one restart to the next in place of the one that the file names: so
the loss of another configuration is measured. The test runs with the lines of the file that are comments, too: `limit_req`.
"""

import collections
import contextlib
import http.client
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from service import ROOT, Service, end, free_ports

WEIR = sys.argv[1]
BLOCK = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "Config" / "nginx" / "weir.conf").read_text()
CLIENTS, RATE, ROUNDS = 16, 150, 2
# The seconds from one restart to the next. Without them, the next one begins at the pause of the file after /readyz.
INTERVAL = float(sys.argv[3]) if len(sys.argv) > 3 else None
PAUSE = re.search(r"has answered 200 for (\d+) s", BLOCK)


@contextlib.contextmanager
def nginx(folder, block, port, replicas):
    """nginx with the block of the document, whose addresses are those of the test, until the end of the block."""
    for documented, used in [("127.0.0.1:8080", replicas[0]), ("127.0.0.1:8081", replicas[1]), ("listen 80;", port)]:
        assert documented in block, documented
        block = block.replace(documented, f"listen 127.0.0.1:{used};" if used == port else f"127.0.0.1:{used}")
    temporary = "".join(f"{name}_temp_path {folder}; " for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/nginx.log; "
        f"{'user root; ' if os.getuid() == 0 else ''}events {{ }}\nhttp {{ access_log off; {temporary}\n{block}\n}}\n")
    process = subprocess.Popen(["nginx", "-p", folder, "-c", file], stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        end(process)


class Clients:
    """Clients that ask for places through nginx, at a steady rate, each on a connection that stays open."""

    def __init__(self, port):
        self.port, self.results, self.is_ended = port, collections.Counter(), False
        self.threads = [threading.Thread(target=self.run, args=[number]) for number in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def run(self, number):
        connection, count = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20), 0
        time.sleep(number / RATE)
        while not self.is_ended:
            begin, count = time.monotonic(), count + 1
            try:
                # Half of the places are new ones.
                connection.request("GET", f"/weather?lat={count % 2 * count % 90}&lon={number}")
                answer = connection.getresponse()
                is_own = b"<center>nginx" in answer.read()
                self.results[f"nginx's {answer.status}" if is_own else answer.status] += 1
            except (OSError, http.client.HTTPException) as error:
                self.results[type(error).__name__] += 1
                connection.close()
            time.sleep(max(0, CLIENTS / RATE - (time.monotonic() - begin)))
        connection.close()

    def stop(self):
        self.is_ended = True
        for thread in self.threads:
            thread.join()


def restarted(block, folder):
    """Restarts both replicas in turn, and returns the results of the clients' requests."""
    port, *ports = free_ports(3)
    with contextlib.ExitStack() as stack:
        replicas = [stack.enter_context(Service(WEIR, "--config", "Config/demo.json", "--set", "fetching.deadlineMilliseconds=14000", port=each)) for each in ports]
        process = stack.enter_context(nginx(folder, block, port, ports))
        while True:
            with contextlib.suppress(OSError), contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
                connection.connect()
                break
            if process.poll() is not None:
                sys.exit(f"nginx does not start\n{(folder / 'nginx.log').read_text()}")
        clients = Clients(port)
        try:
            time.sleep(1)
            for _ in range(ROUNDS):
                for replica in replicas:
                    begin = time.monotonic()
                    end(replica.process)
                    # Returns when /readyz has answered 200.
                    replica.__enter__()
                    time.sleep(max(0, INTERVAL - (time.monotonic() - begin)) if INTERVAL else int(PAUSE[1]))
        finally:
            clients.stop()
    return clients.results


def main():
    faults = []
    for name, block in [("as it is", BLOCK), ("with limit_req", re.sub(r"(?m)^( *)# (limit_req)", r"\1\2", BLOCK))]:
        if name != "as it is" and block == BLOCK:
            continue
        # All clients of the test have one address.
        block = block.replace("rate=50r/s", "rate=5000r/s")
        with tempfile.TemporaryDirectory() as folder:
            results = restarted(block, pathlib.Path(folder))
            log = (pathlib.Path(folder) / "nginx.log").read_text()
        lost = sum(count for result, count in results.items() if result != 200)
        print(f"restarts: {name}: {lost} of {sum(results.values())} requests lost in {2 * ROUNDS} restarts: {dict(results)}", flush=True)
        if lost or results[200] < RATE:
            faults.append(name)
            # Why nginx gave requests to another replica, or to none.
            reasons = collections.Counter(re.findall(r"\*\d+ (.*?), client:", log))
            print(*[f"{count:8} {reason}" for reason, count in reasons.most_common(8)], sep="\n", flush=True)
    sys.exit(f"restarts: requests are lost {', '.join(faults)}" if faults else 0)


main()
