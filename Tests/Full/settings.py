"""Checks the JSON Schema of configurations: it accepts those of the repository, and refuses faulty ones, as weir does."""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

WEIR = sys.argv[1]
ROOT = pathlib.Path(__file__).parents[2]
UPSTREAM = {"name": "a", "dialect": "openMeteo", "baseURL": "https://weather.example"}
VALID = {"upstreams": [UPSTREAM], "weather": {"upstreams": ["a"]}}

# Each fault: a path, and the value that is set there; None removes the member.
FAULTS = [
    ("upstreams", None), ("weather", []), ("routes", {}), ("routes", [{"fetch": {"upstream": "a"}}]), ("upstreams.0.name", None), ("upstreams.0.dialect", 1),
    ("upstreams.0.dialect", "openmeteo"), ("weather.upstreams", "a"),
    ("weather.upstreams.0", 7), ("weather.units", "metric"), ("weather.coordinateDigits", 8), ("weather.coordinateDigits", 2.5),
    ("listen", 8080), ("listen", []), ("shards", 0), ("shards", "2"), ("lisen", "127.0.0.1:8080"),
    ("server", []), ("server", {"maximumConnections": 0}), ("server", {"maximumConnection": 1}),
    ("server", {"accessLog": {"format": "xml"}}), ("server", {"tls": {"keyFile": "k"}}), ("server", {"cors": {"origins": "*"}}),
    ("fetching", {"deadlineMilliseconds": "yes"}), ("cache", {"weather": {"defaultSeconds": -1}}),
    ("upstreams.0.key", {"environment": 1}), ("upstreams.0.tls", {"minimumVersion": "1.1"}),
    ("upstreams.0.breaker", {"minimumRequests": 0}), ("upstreams.0.quota", {"weights": {"search": -1}}),
    ("upstreams.0.redirects", "always"), ("upstreams.0.oauth1", {"token": {"file": "t"}}),
]


def accepts(weir_configuration):
    """Whether `weir check` accepts a configuration."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(weir_configuration, file)
        file.flush()
        return subprocess.run([WEIR, "check", "--config", file.name], capture_output=True).returncode == 0


def changed(path, value, is_null=False):
    configuration = copy.deepcopy(VALID)
    *parents, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = configuration
    for step in parents:
        place = place[step]
    if value is None and not is_null:
        del place[last]
    else:
        place[last] = value
    return configuration


def without_comments(text):
    return re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)


schema = json.loads(subprocess.run([WEIR, "check", "--schema"], capture_output=True, check=True).stdout)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = []
for name in ["weir.json", "demo.json"]:
    configuration = json.loads(without_comments((ROOT / "Config" / name).read_text()))
    failures += [f"{name}: {error.message}" for error in validator.iter_errors(configuration)]
if not (accepts(VALID) and validator.is_valid(VALID)):
    failures.append("the smallest configuration is refused")
for path in ["shards", "server", "upstreams.0.key", "weather.units", "cache"]:
    # Null is the same as no setting.
    configuration = changed(path, None, is_null=True)
    if not (accepts(configuration) and validator.is_valid(configuration)):
        failures.append(f"{path}: null is refused")
# What was a setting in the last release has no effect; editors show it as deprecated.
configuration = changed("server", {"allowsHalfClose": True, "accessLog": {"sampleEvery": 5}})
configuration["upstreams"][0]["connections"] = {"idleSeconds": 20}
configuration["cache"] = {"weather": {"negativeSeconds": 5}, "history": {}}
if not (accepts(configuration) and validator.is_valid(configuration)):
    failures.append("a setting of the last release is refused")
if '"deprecated": true' not in json.dumps(schema):
    failures.append("the schema has no deprecated settings")
for path, value in FAULTS:
    configuration = changed(path, value)
    if accepts(configuration):
        failures.append(f"weir accepts {path}: {value}")
    if validator.is_valid(configuration):
        failures.append(f"the schema accepts {path}: {value}")
print("\n".join(failures) or f"settings: the schema refuses all {len(FAULTS)} faulty configurations")
sys.exit(1 if failures else 0)
