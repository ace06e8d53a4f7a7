"""Follows the drift of two replicas with a shared store, through a fault of the upstream, the repair and a restart.

    drift.py WEIR [SECONDS]

The count of drift must stand still SECONDS (20) after the repair, and for as long, although stale documents of the time before
stay in the store; after a restart, neither the count nor the time of the first sighting may change.
"""

import http.server
import json
import pathlib
import re
import sys
import tempfile
import threading
import time

from service import Service, free_ports, running_redis

WEIR, SECONDS = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 20
PLACES = 40


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers with a number, or while `is_faulty` with a text in its place."""

    is_faulty, calls = False, 0

    def do_GET(self):
        Upstream.calls += 1
        body = json.dumps({"place": self.path, "level": "n/a" if Upstream.is_faulty else 1.5}).encode()
        self.send_response(200)
        for name, value in {"Cache-Control": "max-age=2, stale-if-error=3600", "ETag": f'"{Upstream.is_faulty}"',
                            "Content-Type": "application/json", "Content-Length": len(body)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def drift(service):
    """The series of drift by their names."""
    text = service.get("/metrics").body.decode()
    return {name: float(value) for name, value in re.findall(r"(?m)^(weir_drift_[^ ]+) (\S+)$", text)}


def ask(services, seconds):
    """Asks the replicas in turn for all places, in rounds, until the time has passed."""
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        answer = services[count % 2].get(f"/levels/{count // 2 % PLACES}")
        assert answer.status == 200, answer
        count += 1
        time.sleep(0.01)
    return count


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder, running_redis(folder, port := free_ports(1)[0]):
        def replica(name):
            file = pathlib.Path(folder) / f"{name}.json"
            file.write_text(json.dumps({
                "upstreams": [{"name": "levels", "baseURL": f"http://127.0.0.1:{server.server_port}"}],
                "routes": [{"path": "/levels/{place}", "parameters": {"place": {"type": "integer"}},
                            "fetch": {"upstream": "levels", "path": "/{place}"},
                            "answer": {"properties": {"level": {"from": "level", "type": "number"}}}}],
                "cache": {"snapshotFile": f"{folder}/{name}.snapshot"}, "shared": {"redis": f"redis://127.0.0.1:{port}"}}))
            return Service(WEIR, "--config", str(file))

        with replica("a") as first:
            with replica("b") as second:
                services = [first, second]
                ask(services, 5)
                assert sum(drift(first).values()) + sum(drift(second).values()) == 0, "drift without a fault"
                Upstream.is_faulty = True
                ask(services, 10)
                faulty = [drift(service) for service in services]
                counts = [sum(v for k, v in each.items() if "_total" in k) for each in faulty]
                assert all(counts), f"no drift during the fault: {counts}"
                Upstream.is_faulty = False
                ask(services, SECONDS)
                repaired = [drift(service) for service in services]
                asked = ask(services, SECONDS)
                after = [drift(service) for service in services]
                assert after == repaired, f"drift goes on: {repaired} {after}"
            with replica("b") as second:
                known = drift(second)
                seen = {k: v for k, v in known.items() if "first_seen" in k}
                assert seen == {k: v for k, v in after[1].items() if "first_seen" in k}, f"news of a restart: {known}"
                ask([first, second], 10)
                assert drift(second) == known, f"drift of a restart: {known} {drift(second)}"
    print(f"drift.py: {counts} documents with drift during the fault, none of {asked} requests {SECONDS:.0f} s after the repair, "
          f"no news after a restart; {Upstream.calls} calls")


if __name__ == "__main__":
    main()
