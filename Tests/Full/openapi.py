"""Checks the OpenAPI document: it is valid, the demo serves it, and the demo's answers are what it says.

    openapi.py WEIR [DOCUMENT]

DOCUMENT is a file that is checked instead of the output of `weir openapi`; the demo then need not serve it.
"""

import copy
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import urllib.parse

import jsonschema
import openapi_spec_validator

from service import ROOT, Service

WEIR = os.path.abspath(sys.argv[1])
DOCUMENT = sys.argv[2] if len(sys.argv) > 2 else None
# Relative, because the document depends on the contents of the configuration alone.
DEMO = "Config/demo.json"
# The seconds that all checks may take, and those of them for schemathesis.
LONGEST_RUN, LONGEST_FUZZING = 180, 120
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "negative_data_rejection", "positive_data_acceptance", "missing_required_header",
    "unsupported_method", "allow_header_conformance",
]
METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

failures = []


def resolved(document, node):
    """What `node` refers to, if it is a reference."""
    while "$ref" in node:
        steps = node["$ref"].removeprefix("#/").split("/")
        node = document
        for step in steps:
            node = node[urllib.parse.unquote(step).replace("~1", "/").replace("~0", "~")]
    return node


def operations(document):
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                parameters = item.get("parameters", []) + item[method].get("parameters", [])
                yield path, method, [resolved(document, parameter) for parameter in parameters], item[method]


def closed(schema):
    """A schema that allows no other members than those it names, unless it says that it allows them."""
    if isinstance(schema, list):
        return [closed(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    is_object = result.get("type") == "object" and isinstance(result.get("properties"), dict)
    if is_object and "additionalProperties" not in result and "unevaluatedProperties" not in result:
        result["additionalProperties"] = False
    return result


def stricter(document):
    """The document without what only its readers need to be free to do.

    Objects have no other members: an answer with a member that is not described is outside of its schema, too. Of
    `fields`, only the examples are known to exist.
    """
    result = copy.deepcopy(document)
    result["components"] = closed(result["components"])
    for _, _, parameters, operation in operations(result):
        for response in operation["responses"].values():
            for content in response.get("content", {}).values():
                content["schema"] = closed(content["schema"])
        # Without an example, only the service knows which fields exist.
        operation["parameters"] = [
            parameter for parameter in operation.get("parameters", [])
            if parameter["name"] != "fields" or examples(document, parameter)]
        for parameter in parameters:
            if parameter["name"] == "fields" and examples(document, parameter):
                known = examples(document, parameter)[0]
                if isinstance(known, list):
                    parameter["schema"]["items"] = {"type": "string", "enum": known}
                else:
                    parameter["schema"] = {"type": "string", "enum": [known, *known.split(",")]}
    return result


def examples(document, parameter):
    """The examples of a parameter, the values of its enumeration among them."""
    schema = resolved(document, parameter["schema"])
    named = [resolved(document, example)["value"] for example in parameter.get("examples", {}).values()]
    single = [holder["example"] for holder in (parameter, schema) if "example" in holder]
    return single + named + schema.get("examples", []) + schema.get("enum", [])


def wrong_values(document, parameter):
    """Values that the schema of a parameter refuses.

    By itself, because schemathesis passes a wrong value in a query that has a right one of another parameter.
    """
    schema = resolved(document, parameter["schema"])
    if "enum" in schema or "enum" in schema.get("items", {}):
        yield "neither"
    for bound, step in ("minimum", -1), ("maximum", 1):
        if bound in schema:
            yield schema[bound] + step
    if schema.get("type") in ("number", "integer"):
        yield "many"
    if schema.get("minLength", 0) > 0 or schema.get("minItems", 0) > 0:
        yield ""


def text(value):
    return value if isinstance(value, str) else json.dumps(value)


def target(path, values):
    """The path and query of a request with pairs of parameters and values."""
    query = []
    for parameter, value in values:
        name = parameter["name"]
        if parameter["in"] == "path":
            path = path.replace("{%s}" % name, urllib.parse.quote(text(value), safe=""))
        elif isinstance(value, list) and parameter.get("explode", True):
            query += [(name, text(element)) for element in value]
        elif isinstance(value, list):
            query.append((name, ",".join(map(text, value))))
        else:
            query.append((name, text(value)))
    return path + ("?" + urllib.parse.urlencode(query) if query else "")


def faults(document, operation, place, answer, status):
    """Yields in what the answer at a place differs from its description."""
    if answer.status != status:
        yield f"{answer.status} instead of {status}: {answer.body[:500].decode()}"
        return
    if str(status) not in operation["responses"]:
        yield f"{status} is not described"
        return
    response = resolved(document, operation["responses"][str(status)])
    for name, header in response.get("headers", {}).items():
        header = resolved(document, header)
        if name not in answer.headers and header.get("required"):
            yield f"{status} has no {name}"
    if "content" not in response:
        if answer.body:
            yield f"{status} has a body, which is not described"
        return
    media_type = answer.headers.get_content_type()
    if media_type not in [name.split(";")[0] for name in response["content"]]:
        yield f"{status} is {media_type}, which is not described"
        return
    if not media_type.endswith("json"):
        return
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(place).query)
    # With `dates`, the answer is as described but for its dates.
    if status == 200 and "dates" in query:
        return
    explained = f"{media_type}; explain=1"
    if status != 200 or explained not in response["content"] or query.get("explain", ["0"])[0] in ["0", "false"]:
        explained = media_type
    content = response["content"][explained]
    # The schema becomes the root of a document with the same components, so that its references lead there.
    schema = {**content["schema"], "components": document["components"]}
    validator = jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
    for error in validator.iter_errors(json.loads(answer.body)):
        # Of alternatives, the nearest one tells what is wrong.
        error = jsonschema.exceptions.best_match([error])
        yield f"{status}, {error.json_path}: {error.message[:300]}"


def check_document(demo):
    """Returns the document, after comparing it with the one that is served."""
    if DOCUMENT:
        return json.loads(pathlib.Path(DOCUMENT).read_bytes())
    printed = subprocess.run([WEIR, "openapi", "--config", DEMO], cwd=ROOT, capture_output=True)
    if printed.returncode != 0:
        sys.exit(f"openapi: weir openapi exits with {printed.returncode}: {printed.stderr.decode()}")
    served = demo.get("/openapi.json")
    if served.status != 200 or served.headers.get_content_type() not in ["application/json", "application/openapi+json"]:
        failures.append(f"GET /openapi.json: {served.status}, {served.headers.get('Content-Type')}")
    elif served.body != printed.stdout:
        failures.append(
            f"GET /openapi.json has {len(served.body)} bytes, and weir openapi prints {len(printed.stdout)} or others")
    else:
        again = demo.get("/openapi.json", headers={"If-None-Match": served.headers.get("ETag", "")})
        if (again.status, again.body) != (304, b""):
            failures.append(f"GET /openapi.json with its ETag {served.headers.get('ETag')}: {again.status}")
    return json.loads(printed.stdout)


def check_examples(demo, document):
    """Requests the examples: all of an operation at once, and each one with the required ones alone; also what is wrong."""
    count = 0
    for path, method, parameters, operation in operations(document):
        # The answer to HEAD has no document.
        if method != "get":
            continue
        known = [(parameter, examples(document, parameter)) for parameter in parameters]
        lacking = [parameter["name"] for parameter, values in known if parameter.get("required") and not values]
        if lacking:
            failures.append(f"GET {path}: no example of {', '.join(lacking)}")
            continue
        first = [(parameter, values[0]) for parameter, values in known if values and parameter["in"] != "header"]
        required = [(parameter, value) for parameter, value in first if parameter.get("required")]

        def with_other(parameter, value):
            return target(path, [pair for pair in required if pair[0] is not parameter] + [(parameter, value)])

        plain = target(path, required)
        requests = [("GET", target(path, first), {}, 200), ("GET", plain, {}, 200), ("POST", plain, {}, 405)]
        if "304" in operation["responses"]:
            requests.append(("GET", plain, {"If-None-Match": demo.get(plain).headers.get("ETag", "")}, 304))
        for parameter, values in known:
            if parameter["in"] == "header":
                continue
            requests += [("GET", with_other(parameter, value), {}, 200) for value in values]
            requests += [("GET", with_other(parameter, value), {}, 400) for value in wrong_values(document, parameter)]
        for method, place, headers, status in requests:
            answer = demo.get(place, method, headers)
            failures.extend(f"{method} {place}: {fault}" for fault in faults(document, operation, place, answer, status))
        count += len(requests)
    return count


def check_fuzzing(demo, document):
    """Lets schemathesis make requests from the document, and judge the answers."""
    # The document describes answers without these two parameters; `check_examples` has requests with them.
    document = json.loads(json.dumps(document))
    for *_, operation in operations(document):
        if "parameters" in operation:
            operation["parameters"] = [each for each in operation["parameters"] if each["name"] not in ["explain", "dates"]]
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "openapi.json")
        file.write_text(json.dumps(document))
        report = pathlib.Path(directory, "report.json")
        command = [
            str(pathlib.Path(sys.executable).parent / "schemathesis"), "run", str(file), "--url", f"http://{demo.address}",
            "--phases", "examples,coverage", "--checks", ",".join(CHECKS), "--continue-on-failure", "--seed", "1",
            "--max-time", str(LONGEST_FUZZING), "--request-timeout", "20", "--no-color", "--warnings", "off",
            "--report", "json", "--report-json-path", str(report),
        ]
        try:
            # In a directory of its own, which gets the caches.
            run = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=LONGEST_FUZZING + 10)
        except subprocess.TimeoutExpired:
            failures.append(f"schemathesis takes more than {LONGEST_FUZZING} seconds")
            return 0
        if run.returncode != 0:
            # Its report begins with what went well.
            lines = run.stdout.splitlines()
            start = next((at for at, line in enumerate(lines) if "= FAILURES =" in line or "= ERRORS =" in line), 0)
            failures.append("\n".join(line[:600] for line in lines[start:]) + run.stderr)
            return 0
        outcome = json.loads(report.read_text())
        if not outcome["complete"] or outcome["operations"]["tested"] != len(list(operations(document))):
            failures.append(f"schemathesis tested {outcome['operations']}, and stopped: {outcome['stop_reason']}")
        return outcome["test_cases"]["generated"]


def too_long(*_):
    raise TimeoutError(f"openapi: the checks take more than {LONGEST_RUN} seconds")


signal.signal(signal.SIGALRM, too_long)
signal.alarm(LONGEST_RUN)
with Service(WEIR, "--config", DEMO) as demo:
    document = check_document(demo)
    failures += [
        f"the document, {error.json_path}: {error.message[:300]}"
        for error in openapi_spec_validator.OpenAPIV31SpecValidator(document).iter_errors()
    ]
    if not failures:
        strict = stricter(document)
        own, generated = check_examples(demo, strict), check_fuzzing(demo, strict)
if failures:
    print("\n".join(failures))
    sys.exit(1)
print(f"openapi: {len(list(operations(document)))} operations, {own} answers to examples and {generated} to "
      "schemathesis are as described")
