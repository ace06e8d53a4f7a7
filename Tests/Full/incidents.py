"""Stages incidents, and finds the cause of each with the one command that docs/troubleshooting.md has for the question.

    incidents.py WEIR [NAME]      only the incidents with NAME in their names

The commands are read from the document. Each runs in a folder with the configuration, as on the host of a service.
"""

import collections
import contextlib
import email.utils
import http.client
import http.server
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

from service import ROOT, Group, Service, end, free_ports, make_certificate, running_redis

WEIR = os.path.abspath(sys.argv[1])
DOCUMENT = (ROOT / "Config" / "samples" / "openMeteo" / "forecast.json").read_text()
# The question of each section, and the first line of the section's first block.
COMMANDS = dict(re.findall(r"^## (.+)\n(?:(?!^## )[^`]|`(?!``))*```text\n(.+)$",
                           (ROOT / "docs" / "troubleshooting.md").read_text(), re.M))
# The seconds within which a command must name the cause.
LONGEST = 60


class Skipped(Exception):
    """This machine cannot stage the incident."""


class Upstream(http.server.ThreadingHTTPServer):
    """Answers with a status, header fields, a document, the seconds before and a clock, which an incident changes."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.document, self.status, self.fields, self.seconds = json.loads(DOCUMENT), 200, {}, 0
        # The seconds by which the clock is behind.
        self.lag = 0
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

    def date_time_string(self, timestamp=None):
        return email.utils.formatdate((timestamp or time.time()) - self.server.lag, usegmt=True)

    def log_message(self, *_):
        pass


class Stage:
    """A service with a scripted upstream, and a folder with the configuration."""

    def __init__(self, folder, changes):
        self.folder, self.upstream, [self.port] = folder, Upstream(), free_ports(1)
        # What ends with the stage; what runs in the process before the program; the last answer, and the command's last output.
        self.stack, self.prepare, self.answer, self.output = contextlib.ExitStack(), None, None, ""
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
            WEIR, "--config", "Config/weir.json", operations=self.port, cwd=folder, environment=self.environment,
            prepare=self.prepare, output=folder / "access.log")

    def write(self):
        (self.folder / "Config" / "weir.json").write_text(json.dumps(self.configuration))

    def ask(self, expected, count=1):
        """Asks for the weather of new places."""
        for number in range(count):
            self.answer = self.service.get(f"/weather?lat={number % 90}&lon={time.time() % 90:.3f}")
            assert self.answer.status == expected, (self.answer.status, self.answer.body)

    def run(self, command):
        command = command.replace("localhost:9090", f"localhost:{self.port}")
        environment = {**os.environ, **self.environment}
        run = subprocess.run(["sh", "-c", command], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60)
        return run.stdout + run.stderr

    def find(self, words, command):
        """Runs the command until the cause is named, and returns the words that are not."""
        limit = time.monotonic() + LONGEST
        while True:
            self.output = self.run(command)
            missing = [word for word in words if not re.search(word, self.output)]
            if not missing or time.monotonic() > limit:
                return missing
            time.sleep(0.5)


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


def vanished_block(stage):
    stage.ask(200)
    del stage.upstream.document["daily"]
    stage.ask(200, 3)


def changed_times(stage, change):
    """Changes each time of the document."""
    document = stage.upstream.document
    for name, block in document.items():
        if isinstance(block, dict) and not name.endswith("_units"):
            for key in {"time", "sunrise", "sunset"} & block.keys():
                block[key] = [change(each) for each in block[key]] if isinstance(block[key], list) else change(block[key])


def fields(stage):
    """The fields of each point of the last answer."""
    document = json.loads(stage.answer.body)
    return {block: [sorted(point) for point in document[block]["data"]] for block in ["hourly", "daily"]}


def milliseconds(stage):
    stage.ask(200)
    stage.fields = fields(stage)
    changed_times(stage, lambda seconds: seconds * 1000)
    stage.ask(200, 3)


def no_lost_field(stage):
    """Whether the answer has all fields that the one of the document in seconds had."""
    return [] if fields(stage) == stage.fields else ["the answer has lost fields"]


def days_before_months(stage):
    stage.ask(200)
    changed_times(stage, lambda seconds: time.strftime("%d/%m/%Y %H:%M", time.gmtime(seconds)))
    stage.ask(502)


def clock_behind(stage):
    stage.upstream.lag = 3600
    stage.ask(200)


def state_files(stage):
    """Files of the service, at whose greatest size a write fails instead of ending the process."""
    stage.configuration["cache"] = {"snapshotFile": "../documents", "snapshotSeconds": 1}
    stage.configuration["fetching"]["quotaFile"] = "../quotas.json"
    stage.configuration["upstreams"][0]["quota"] = {"perDay": 1000}
    stage.prepare = lambda _: signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def full_disk(stage):
    resource.prlimit(stage.service.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    stage.ask(200, 3)


def small_container(stage):
    stage.group = Group(256 << 20)
    if not stage.group.path:
        raise Skipped("no cgroup can be made")
    stage.stack.callback(stage.group.end)
    stage.prepare = stage.group.take


# Takes memory until 97 % of the limit are in use, and ends with its input.
BALLAST = """
import pathlib, sys
group, kept = pathlib.Path(sys.argv[1]), []
def number(*names):
    return next(int((group / name).read_text()) for name in names if (group / name).exists())
def cached():
    fields = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
    return int(fields["active_file"]) + int(fields["inactive_file"])
limit = number("memory.limit_in_bytes", "memory.max")
while number("memory.usage_in_bytes", "memory.current") - cached() < 0.97 * limit:
    kept.append(b"x" * (1 << 20))
print("full", flush=True)
sys.stdin.read()
"""


def short_memory(stage):
    ballast = subprocess.Popen(
        [sys.executable, "-c", BALLAST, stage.group.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        preexec_fn=lambda: stage.group.take(os.getpid()))
    stage.stack.callback(lambda: (ballast.stdin.close(), ballast.wait()))
    assert ballast.stdout.readline() == b"full\n"
    # The service looks ten times a second.
    time.sleep(1)
    stage.ask(503, 3)


def shared_store(stage):
    [port] = free_ports(1)
    stage.redis = stage.stack.enter_context(running_redis(stage.folder, port))
    stage.configuration["shared"] = {"redis": f"redis://127.0.0.1:{port}/0"}


def lost_redis(stage):
    stage.ask(200)
    end(stage.redis)
    stage.ask(200, 10)


def hammering_client(stage):
    stage.ask(200, 5)
    connection = http.client.HTTPConnection(stage.service.address, timeout=20, source_address=("127.0.0.2", 0))
    for _ in range(500):
        connection.request("GET", "/weather?lat=1&lon=2")
        connection.getresponse().read()
    connection.close()


def restart(stage):
    stage.begin = time.time()
    end(stage.service.process)
    stage.service.__enter__()
    stage.ask(200)


def has_restarted(stage):
    [start] = re.findall(r"^process_start_time_seconds (\S+)$", stage.output, re.M)
    return [] if stage.begin - 1 <= float(start) <= time.time() else [f"the start is {start}, not after {stage.begin}"]


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


def unwritable(stage):
    stage.configuration["fetching"]["quotaFile"] = f"{stage.folder}/quotas.json"
    stage.configuration["upstreams"][0]["quota"] = {"perDay": 1000}
    # Not even root writes a folder.
    (stage.folder / "quotas.json.new").mkdir()


def one_request(stage):
    stage.ask(200)
    time.sleep(1)


def resumed(stage):
    """The upstream has lifted the limit; the command lets the next request through."""
    stage.upstream.status = 200
    stage.ask(200)


# An incident, the question of the document, patterns of the words that name the cause, the change of the configuration, the
# events, and what to do after the command, which returns faults.
Incident = collections.namedtuple("Incident", "name question words changes events after", defaults=[nothing, nothing, nothing])
FAILED = "Why do clients get 502 since today?"
CHANGED, MISSING = "What have upstreams changed since yesterday?", "Why is a value missing in answers?"
BLOCKS = set_to("weather.requires", ["currently", "hourly"])
DOWN = ["openMeteo:breaker", '"(half-)?open"', "does not accept connections"]
BREAKER = set_to("upstreams.0.breaker", {"minimumRequests": 3})
INCIDENTS = [
    Incident("renamed column", CHANGED, ["missing", r"hourly\.data\[\]\.temperature ", "hourly.temperature_2m"], events=renamed_column),
    Incident("renamed column, as a client says", MISSING, ["missing", "hourly.temperature_2m"], events=renamed_column),
    Incident("lost block", FAILED,
             ["openMeteo:lastFailure", "it has no hourly, which weather.requires names"], BLOCKS, lost_block),
    Incident("vanished block", MISSING, [r"/weather +missing .*\bdaily"], events=vanished_block),
    Incident("times in milliseconds", CHANGED, ["coerced +milliseconds .*hourly"], events=milliseconds, after=no_lost_field),
    Incident("dates in dd/MM", FAILED,
             ["openMeteo:lastFailure", "times in unix seconds or ISO 8601"], events=days_before_months),
    Incident("clock an hour ahead", "Is a clock wrong?",
             ["openMeteo:clock", r'"observedValue":-3(599|600|601)\b', '"status":"warn"'], events=clock_behind),
    Incident("full disk", "Which file cannot be written?",
             [r'"snapshot:written",\[{[^]]*"status":"warn"', r'"quotas:written",\[{[^]]*"status":"warn"'], state_files, full_disk),
    Incident("memory short", "Is memory short?", ["weir_memory_shed_total [1-9]"], small_container, short_memory),
    Incident("the same, without a question", "What is wrong?", ["memory:"], small_container, short_memory),
    Incident("lost Redis", "Is the shared store lost?",
             ["shared:quotas", "share", '"status":"warn"'], shared_store, lost_redis),
    Incident("hammering client", "Which client asks so much?", [r"5\d\d .*127\.0\.0\.2"], events=hammering_client),
    Incident("restart", "Has a replica restarted?", ["process_start_time_seconds", "weir_build_info"],
             events=restart, after=has_restarted),
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
    Incident("quotas that cannot be written", "Which file cannot be written?",
             ["quotas:written", "It cannot be written: Is a directory"], unwritable, one_request),
    Incident("no incident", "Which configuration runs?", ["weir.json", '"hash":"[0-9a-f]{40}"']),
    Incident("no incident", "Is memory short?", ["weir_memory_shed_total 0"]),
    Incident("no incident", "Are log lines lost?", ['weir_log_dropped_lines_total{log="access"} [0-9]']),
]


def main():
    faults = [f"no incident for: {question}" for question in COMMANDS.keys() - {each.question for each in INCIDENTS}]
    print(f"{'incident':34}{'seconds':>8}  command, and the words in its output")
    staged = skipped = 0
    for incident in INCIDENTS if len(sys.argv) < 3 else [each for each in INCIDENTS if sys.argv[2] in each.name]:
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            try:
                stage, command = Stage(pathlib.Path(folder), incident.changes), COMMANDS[incident.question]
            except Skipped as reason:
                print(f"{incident.name:34} skipped: {reason}")
                skipped += 1
                continue
            stack.push(stage.stack)
            with stage.service:
                incident.events(stage)
                start = time.monotonic()
                missing = stage.find(incident.words, command)
                seconds = time.monotonic() - start
                missing += incident.after(stage) or []
                staged += 1
        print(f"{incident.name:34}{seconds:8.2f}  {command}\n{'':44}{', '.join(incident.words)}", flush=True)
        faults += [f"{incident.name}: no {word} in {stage.output}" for word in missing]
    print("\n".join(faults) or f"incidents: {staged} commands name their causes, {skipped} are skipped")
    sys.exit(1 if faults else 0)


main()
