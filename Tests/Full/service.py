"""A running service on loopback, for the scripts of this folder."""

import collections
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading

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


class Service:
    """`weir serve` on a free port, until the end of the block; `operations` is the port for operators, if there is one."""

    def __init__(self, weir, *options, operations=None, cwd=ROOT, environment={}, prepare=None):
        self.command = [os.path.abspath(weir), "serve", *options, "--listen", "127.0.0.1:0"]
        self.operations = operations and f"127.0.0.1:{operations}"
        self.cwd, self.environment, self.prepare = cwd, {**os.environ, **environment}, prepare

    def __enter__(self):
        # Standard output has the access log.
        self.process = subprocess.Popen(
            self.command, cwd=self.cwd, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
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
