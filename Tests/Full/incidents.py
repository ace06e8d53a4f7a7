"""Stages incidents, and finds the cause of each with the one command that docs/troubleshooting.md has for the question.

    incidents.py WEIR

The commands are read from the document. Each runs in a folder with the configuration, as on the host of a service.
"""

import collections
import contextlib
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from service import ROOT, Service, free_ports, make_certificate

WEIR = os.path.abspath(sys.argv[1])
DOCUMENT = (ROOT / "Config" / "samples" / "openMeteo" / "forecast.json").read_text()
# The question of each section, and the first line of the section's first block.
COMMANDS = dict(re.findall(r"^## (.+)\n(?:(?!^## )[^`]|`(?!``))*```text\n(.+)$",
                           (ROOT / "docs" / "troubleshooting.md").read_text(), re.M))


class Upstream(http.server.ThreadingHTTPServer):
    """Answers with a status, header fields, a document and the seconds before, which an incident changes."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.document, self.status, self.fields, self.seconds = json.loads(DOCUMENT), 200, {}, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(self.server.seconds)
        # A standby whose key is not accepted is below a path of its own.
        status = 403 if self.path.startswith("/standby") else self.server.status
        with contextlib.suppress(ConnectionError):
            self.send_response(status)
            for name, value in self.server.fields.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(json.dumps(self.server.document if status == 200 else {"reason": "refused"}).encode())

    def log_message(self, *_):
        pass


class Stage:
    """A service with a scripted upstream, and a folder with the configuration."""

    def __init__(self, folder, changes):
        self.folder, self.upstream, [self.port] = folder, Upstream(), free_ports(1)
        url = f"http://127.0.0.1:{self.upstream.server_port}"
        self.configuration = {
            "server": {"operationsListen": f"127.0.0.1:{self.port}", "drainTimeoutMilliseconds": 3000},
            "upstreams": [
                {"name": "openMeteo", "dialect": "openMeteo", "baseURL": url, "retryPercent": 0},
                {"name": "standby", "dialect": "darkSky", "baseURL": url + "/standby", "key": {"environment": "WEIR_KEY"}}],
            "weather": {"upstreams": ["openMeteo"]}, "cache": {}, "fetching": {"deadlineMilliseconds": 20_000}}
        changes(self)
        (folder / "Config").mkdir()
        self.write()
        self.environment = {"WEIR_KEY": "a-key-of-the-test", "PATH": f"{pathlib.Path(WEIR).parent}:{os.environ['PATH']}"}
        self.service = Service(
            WEIR, "--config", "Config/weir.json", operations=self.port, cwd=folder, environment=self.environment)

    def write(self):
        (self.folder / "Config" / "weir.json").write_text(json.dumps(self.configuration))

    def ask(self, expected, count=1):
        """Asks for the weather of new places."""
        for number in range(count):
            answer = self.service.get(f"/weather?lat={number % 90}&lon={time.time() % 90:.3f}")
            assert answer.status == expected, (answer.status, answer.body)

    def run(self, command):
        command = command.replace("localhost:9090", f"localhost:{self.port}")
        environment = {**os.environ, **self.environment}
        run = subprocess.run(["sh", "-c", command], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60)
        return run.stdout + run.stderr


def nothing(_):
    pass


def set_to(path, value):
    """A change of the configuration: `upstreams.0.quota`."""
    def change(stage):
        *parents, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        place = stage.configuration
        for step in parents:
            place = place[step]
        place[last] = value
    return change


def renamed_column(stage):
    stage.ask(200)
    stage.upstream.document["hourly"]["temperature_2"] = stage.upstream.document["hourly"].pop("temperature_2m")
    stage.ask(200, 3)


def lost_block(stage):
    del stage.upstream.document["hourly"]
    stage.ask(502)


def wrong_key(stage):
    stage.upstream.status = 401
    stage.ask(502)


def spent_quota(stage):
    stage.ask(200, 2)
    stage.ask(503)


def pause(stage):
    stage.upstream.status, stage.upstream.fields = 429, {"Retry-After": "600"}
    stage.ask(429)
    stage.ask(503)


def down(stage):
    stage.upstream.shutdown()
    stage.upstream.server_close()
    stage.ask(503, 10)


def slow(stage):
    stage.upstream.seconds = 2
    stage.ask(504)


def refused_reload(stage):
    stage.configuration["upstreams"][0]["dialect"] = "openmeteo"
    stage.write()
    assert stage.service.get("/-/reload", "POST", at=stage.service.operations).status == 422


def full_cache(stage):
    stage.ask(200, 60)


def certificate(stage):
    make_certificate(stage.folder, days=3)
    paths = {"certificateFile": f"{stage.folder}/cert.pem", "keyFile": f"{stage.folder}/cert.key"}
    stage.configuration["server"]["tls"] = paths


def resumed(stage):
    """The upstream has lifted the limit; the command lets the next request through."""
    stage.upstream.status = 200
    stage.ask(200)


# An incident, the question of the document, patterns of the words that name the cause, the change of the configuration, the
# events, and a check after the command.
Incident = collections.namedtuple("Incident", "name question words changes events after", defaults=[nothing, nothing, nothing])
CHANGED, MISSING = "What have upstreams changed since yesterday?", "Why is a value missing in answers?"
BLOCKS = set_to("weather.requires", ["currently", "hourly"])
DOWN = ["openMeteo:breaker", '"(half-)?open"', "does not accept connections"]
BREAKER = set_to("upstreams.0.breaker", {"minimumRequests": 3})
INCIDENTS = [
    Incident("renamed column", CHANGED, ["missing", r"hourly\.data\[\]\.temperature ", "hourly.temperature_2m"], events=renamed_column),
    Incident("renamed column, as a client says", MISSING, ["missing", "hourly.temperature_2m"], events=renamed_column),
    Incident("lost block", "Why do clients get 502 since today?",
             ["openMeteo:lastFailure", "it has no hourly, which weather.requires names"], BLOCKS, lost_block),
    Incident("wrong key", "Is a key wrong?", ["openMeteo: 401", "the upstream refuses the key"], events=wrong_key),
    Incident("spent quota", "Which quota is spent?", ["openMeteo:quotaLeft", "2 of 2 requests a day, renewed at"],
             set_to("upstreams.0.quota", {"perDay": 2}), spent_quota),
    Incident("429 with Retry-After", "Which upstream pauses?", ["openMeteo:pause", "rateLimit"], events=pause),
    Incident("the end of a pause", "How does a pause end now?", ["openMeteo", "rateLimit"], events=pause, after=resumed),
    Incident("upstream down", "Which upstream is down?", DOWN, BREAKER, down),
    Incident("the same, without a question", "What is wrong?", DOWN, BREAKER, down),
    Incident("slow upstream", "Why are answers slow?", ["openMeteo:lastFailure", "timeout", "did not answer in time"],
             set_to("fetching.deadlineMilliseconds", 500), slow),
    Incident("refused reload", "Why was a reload refused?",
             ["refused", "line 1", r"upstreams\[0\]\.dialect", "did you mean"], events=refused_reload),
    Incident("the same, without a question", "What is wrong?", ["configuration:lastReload", "refused"], events=refused_reload),
    Incident("standby with a wrong key", "Does the standby work?", ["standby: 403", "the upstream refuses the key"]),
    Incident("small cache", "Is the cache too small?", ["weir_cache_evictions_total [1-9]"], set_to("cache.maximumBytes", 1 << 20), full_cache),
    Incident("certificate of three days", "When does the certificate expire?", ["daysLeft", '"observedValue":[23],', "warn"], certificate),
    Incident("no incident", "Which configuration runs?", ["weir.json", '"hash":"[0-9a-f]{40}"']),
    Incident("no incident", "Is memory short?", ["weir_memory_shed_total 0"]),
    Incident("no incident", "Are log lines lost?", ['weir_log_dropped_lines_total{log="access"} [0-9]']),
]


def main():
    faults = [f"no incident for: {question}" for question in COMMANDS.keys() - {each.question for each in INCIDENTS}]
    print(f"{'incident':34}{'seconds':>8}  command, and the words in its output")
    for incident in INCIDENTS:
        with tempfile.TemporaryDirectory() as folder:
            stage, command = Stage(pathlib.Path(folder), incident.changes), COMMANDS[incident.question]
            with stage.service:
                incident.events(stage)
                start = time.monotonic()
                output = stage.run(command)
                seconds = time.monotonic() - start
                incident.after(stage)
        print(f"{incident.name:34}{seconds:8.2f}  {command}\n{'':44}{', '.join(incident.words)}")
        faults += [f"{incident.name}: no {word} in {output}" for word in incident.words if not re.search(word, output)]
    print("\n".join(faults) or f"incidents: {len(INCIDENTS)} commands name their causes")
    sys.exit(1 if faults else 0)


main()
