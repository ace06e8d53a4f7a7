"""A running service on loopback, for the scripts of this folder."""

import collections
import contextlib
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).parents[2]
Answer = collections.namedtuple("Answer", "status headers body")


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def end(process):
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def make_certificate(folder, days):
    """Writes cert.pem and cert.key for 127.0.0.1."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", str(days),
         "-subj", "/CN=127.0.0.1", "-keyout", f"{folder}/cert.key", "-out", f"{folder}/cert.pem"],
        capture_output=True, check=True)


@contextlib.contextmanager
def running_redis(folder, port):
    """A redis-server without a password and without a file, which answers, until the end of the block."""
    process = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""], stdout=subprocess.DEVNULL)
    try:
        while True:
            if process.poll() is not None:
                sys.exit("redis-server does not start")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                connection.sendall(b"PING\r\n")
                if connection.recv(16).startswith(b"+PONG"):
                    break
            time.sleep(0.02)
        yield process
    finally:
        end(process)


class Group:
    """A cgroup with a limit of memory; `path` is None where none can be made."""

    def __init__(self, limit):
        self.path, name = None, f"weir-test-{os.getpid()}"
        for parent, file in [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")]:
            path = pathlib.Path(parent) / name
            try:
                path.mkdir()
                (path / file).write_text(str(limit))
                self.path = path
                return
            except OSError:
                if path.exists():
                    path.rmdir()

    def take(self, pid):
        (self.path / "cgroup.procs").write_text(str(pid))

    def end(self):
        if self.path:
            self.path.rmdir()


class Service:
    """`weir serve` on a free port, until the end of the block; `operations` is the port for operators, if there is one.

    `port` is the port for clients, and `output` the file of the access log, if there is one.
    """

    def __init__(self, weir, *options, operations=None, cwd=ROOT, environment={}, prepare=None, port=0, output=os.devnull):
        self.command, self.output = [os.path.abspath(weir), "serve", *options, "--listen", f"127.0.0.1:{port}"], output
        self.operations = operations and f"127.0.0.1:{operations}"
        self.cwd, self.environment, self.prepare = cwd, {**os.environ, **environment}, prepare

    def __enter__(self):
        # Standard output has the access log.
        with open(self.output, "a") as output:
            self.process = subprocess.Popen(
                self.command, cwd=self.cwd, env=self.environment, stdout=output, stderr=subprocess.PIPE, text=True,
                preexec_fn=self.prepare and (lambda: self.prepare(os.getpid())))
        try:
            self.log = collections.deque(maxlen=20)
            for line in self.process.stderr:
                self.log.append(line)
                if '"listening"' in line:
                    self.address = json.loads(line)["address"]
                    break
            else:
                sys.exit("The service does not start.\n" + "".join(self.log))
            threading.Thread(target=self.log.extend, args=[self.process.stderr], daemon=True).start()
            while self.get("/readyz", at=self.operations).status != 200:
                pass
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        end(self.process)

    def get(self, target, method="GET", headers={}, at=None):
        connection = http.client.HTTPConnection(at or self.address, timeout=20)
        try:
            connection.request(method, target, headers=headers)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
