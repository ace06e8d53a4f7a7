"""Lets Debian's Prometheus judge the metrics and Config/prometheus: promtool's checks and tests, and a scrape with the rules.

    prometheus.py WEIR
"""

import json
import re
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from service import ROOT, Service, end, free_ports, make_certificate, running_redis

WEIR = sys.argv[1]
SOURCE = ROOT / "Config" / "prometheus"
RULES = SOURCE / "weir.rules.yml"
# The seconds that Prometheus has to scrape the service and to evaluate all rules.
LONGEST_WAIT = 60
# A service has these only after documents have changed; docs/operating.md lists them.
SELDOM = {"weir_drift_first_seen_timestamp_seconds"}
REQUESTS = ["/weather?lat=37.8267&lon=-122.4233", "/tweets/1", "/stations/KSFO/observation", "/nothing"]


def promtool(*arguments, text=None):
    run = subprocess.run(["promtool", *arguments], input=text, capture_output=True, text=True)
    # A lint of a metric is a line of output, but not always a status.
    if run.returncode or text and (run.stdout or run.stderr):
        sys.exit(f"prometheus: promtool {' '.join(arguments)}\n{run.stdout}{run.stderr}")


def scraped(address, folder, port):
    """Starts Prometheus and returns what its API says of the rules once each was evaluated and the service was scraped."""
    text = (SOURCE / "prometheus.yml").read_text().replace("127.0.0.1:9090", address).replace("15s", "1s")
    file = f"{folder}/prometheus.yml"
    with open(file, "w") as output:
        output.write(text.replace(RULES.name, str(RULES)))
    promtool("check", "config", file)
    with open(f"{folder}/log", "w+") as log:
        process = subprocess.Popen(
            ["prometheus", f"--config.file={file}", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)
        try:
            limit, state = time.monotonic() + LONGEST_WAIT, None
            while time.monotonic() < limit and process.poll() is None:
                try:
                    [target] = asked(port, "targets?state=active")["activeTargets"]
                    rules = [rule for group in asked(port, "rules")["groups"] for rule in group["rules"]]
                except (OSError, ValueError):
                    time.sleep(0.2)
                    continue
                state = target["health"], target["lastError"], {rule["name"]: rule["health"] for rule in rules}
                faults = [f"{rule['name']}: {rule['lastError']}" for rule in rules if rule.get("lastError")]
                if faults:
                    sys.exit("prometheus: " + "\n".join(faults))
                if target["health"] == "up" and rules and all(rule["health"] == "ok" for rule in rules):
                    return rules
                time.sleep(0.2)
            log.seek(0)
            sys.exit(f"prometheus: the target and the rules are {state}\n{log.read()[-3000:]}")
        finally:
            end(process)


def untested():
    """The alerts that no test in weir.rules.test.yml lets fire, or end, or that docs/troubleshooting.md leads nowhere."""
    tests = re.findall(r"alertname: (\w+)\n +exp_alerts:(.*)", (SOURCE / "weir.rules.test.yml").read_text())
    ends = {name for name, alerts in dict(tests).items() if alerts == " []"}
    fires = {name for name, alerts in tests if alerts != " []"}
    documented = set(re.findall(r"^\| `(Weir\w+)` \| \[", (ROOT / "docs" / "troubleshooting.md").read_text(), re.M))
    return set(re.findall(r"alert: (\w+)", RULES.read_text())) ^ (ends & fires & documented)


def asked(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=5) as answer:
        return json.load(answer)["data"]


def main():
    start = time.monotonic()
    promtool("check", "rules", str(RULES))
    promtool("check", "config", str(SOURCE / "prometheus.yml"))
    promtool("test", "rules", str(SOURCE / "weir.rules.test.yml"))
    if untested():
        sys.exit(f"prometheus: no test lets fire and end, or no question is for: {', '.join(sorted(untested()))}")
    operations, port, redis_port = free_ports(3)
    with tempfile.TemporaryDirectory() as folder:
        make_certificate(folder, days=30)
        # The demo, with all that the rules are about.
        settings = [
            f"server.operationsListen=127.0.0.1:{operations}", "upstreams[0].quota.perDay=1000",
            f"shared.redis=redis://127.0.0.1:{redis_port}/0", f"cache.snapshotFile={folder}/documents",
            f"fetching.quotaFile={folder}/quotas.json", f"server.tls.certificateFile={folder}/cert.pem", f"server.tls.keyFile={folder}/cert.key"]
        options = [word for setting in settings for word in ("--set", setting)]
        with running_redis(folder, redis_port), Service(
                WEIR, "--config", "Config/demo.json", *options, operations=operations) as service:
            trust = ssl.create_default_context(cafile=f"{folder}/cert.pem")
            trust.check_hostname = False
            for target in REQUESTS:
                try:
                    urllib.request.urlopen(f"https://{service.address}{target}", context=trust).read()
                except urllib.error.HTTPError as error:
                    assert error.code == 404, (target, error.code)
            metrics = service.get("/metrics", at=service.operations).body.decode()
            promtool("check", "metrics", text=metrics)
            rules = scraped(service.operations, folder, port)
    # Without the names of labels.
    queries = [re.sub(r"\{[^}]*\}|\b(?:by|on) \([^)]*\)", "", rule["query"]) for rule in rules]
    names = {name for query in queries for name in re.findall(r"\b(?:weir|http|process)_\w+", query)}
    documented = (ROOT / "docs" / "operating.md").read_text()
    missing = {name for name in names if not re.search(
        rf"^\| `{name}` \|" if name in SELDOM else rf"^{name}[ {{]", documented if name in SELDOM else metrics, re.M)}
    if missing:
        sys.exit(f"prometheus: the service has no {', '.join(sorted(missing))}")
    print(f"prometheus: {len(rules)} rules over {len(names)} metrics are evaluated, in {time.monotonic() - start:.0f} s")


main()
