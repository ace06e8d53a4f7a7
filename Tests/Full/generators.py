"""Clients that generators make of the OpenAPI document read every route of the demo.

    python generators.py WEIR

openapi-python-client and openapi-generator (python) write a client each. The run passes if both write all operations without a
warning, and if their clients read the example of each operation that needs no upstream beyond the demo's samples, into objects of
the generated classes.
"""

import importlib
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

from service import ROOT, Service

WEIR = sys.argv[1]
DEMO = ROOT / "Config" / "demo.json"
BIN = pathlib.Path(sys.executable).parent
failures = []


def run(name, command, **options):
    # One of them formats its output with a program of the same folder.
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, **options)
    text = done.stdout + done.stderr
    if done.returncode != 0 or "warning" in text.lower() and name == "openapi-python-client":
        failures.append(f"{name}: status {done.returncode}\n{text[-2000:]}")
    return done.returncode == 0


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method == "get" and "operations" not in operation["tags"]:
                yield path, operation


def arguments(operation):
    """The examples of the required parameters, by their names in Python."""
    for parameter in operation.get("parameters", []):
        if parameter.get("required"):
            example = parameter.get("example", (parameter["schema"].get("examples") or [None])[0])
            yield parameter["name"], example


def snake(name):
    return "".join("_" + each.lower() if each.isupper() else each for each in name).replace("-", "_").strip("_")


def check_python_client(folder, document, file, address):
    if not run("openapi-python-client", [BIN / "openapi-python-client", "generate", "--path", file, "--output-path", f"{folder}/one",
                                         "--meta", "none"], cwd=folder):
        return 0
    sys.path.insert(0, folder)
    client = importlib.import_module("one").Client(base_url=f"http://{address}", raise_on_unexpected_status=True)
    count = 0
    for path, operation in operations(document):
        module = importlib.import_module(f"one.api.{operation['tags'][0]}.{snake(operation['operationId'])}")
        values = {snake(name): value for name, value in arguments(operation)}
        answer = module.sync(client=client, **values)
        kind = type(answer[0] if isinstance(answer, list) and answer else answer)
        if answer is None or "ProblemBody" in kind.__name__:
            failures.append(f"openapi-python-client: {path} is {answer}")
        count += 1
    return count


def check_generator(folder, document, file, address):
    command = [BIN / "openapi-generator-cli", "generate", "-i", file, "-g", "python", "-o", f"{folder}/two", "--package-name", "two"]
    if not run("openapi-generator", command, cwd=folder):
        return 0
    sys.path.insert(0, f"{folder}/two")
    two = importlib.import_module("two")
    client = two.ApiClient(two.Configuration(host=f"http://{address}"))
    count = 0
    for path, operation in operations(document):
        api = getattr(two, "".join(word.capitalize() for word in operation["tags"][0].split("-")) + "Api")(client)
        method = getattr(api, snake(operation["operationId"]))
        values = {name: value for name, value in arguments(operation)}
        known = inspect.signature(method).parameters
        answer = method(**{snake(name) if snake(name) in known else name: value for name, value in values.items()})
        if answer is None:
            failures.append(f"openapi-generator: {path} is None")
        count += 1
    return count


def main():
    document = json.loads(subprocess.run([WEIR, "openapi", "--config", DEMO], capture_output=True, check=True).stdout)
    with tempfile.TemporaryDirectory() as folder, Service(WEIR, "--config", str(DEMO)) as demo:
        file = f"{folder}/openapi.json"
        pathlib.Path(file).write_text(json.dumps(document))
        counts = []
        for check in [check_python_client, check_generator]:
            try:
                counts.append(check(folder, document, file, demo.address))
            except Exception as error:  # A client that cannot read an answer raises anything.
                failures.append(f"{check.__name__}: {type(error).__name__} {str(error)[:1000]}")
    if failures:
        sys.exit("\n".join(failures))
    print(f"generators: {counts[0]} and {counts[1]} routes are read")


if __name__ == "__main__":
    main()
