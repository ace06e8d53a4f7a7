"""Compares the golden answers of shapes with a slow reading of the same rules in Python.

    shapes.py

The reading is `reference/answer.py` in the folder `shared` beside the working copy, or in the folder that `WEIR_CORPUS`
names; without it, nothing is checked.
"""

import importlib.util
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[2]
GOLDENS = ROOT / "Tests/Fixtures/shapes"
REFERENCE = pathlib.Path(os.environ.get("WEIR_CORPUS", ROOT.parent / "shared")) / "reference/answer.py"

# Cases in which the answers differ, and why.
OTHER_ANSWERS = {
    "absent-array": "the reading applies absent and map to scalars alone",
    "additional-properties-false": "the reading takes no Boolean for additionalProperties",
    "asked-ids-of-64-bits": "Python's library writes a large number as a double",
    "checks": "the reading has no pattern",
    "from-columns-keep-nulls": "the reading leaves nulls out of columns",
    "from-columns-of-slices": "the reading leaves nulls out of columns",
    "from-columns-joined-by-a-flattening": "the reading leaves nulls out of columns",
    "zip-keeps-nulls": "the reading leaves nulls out of columns",
    "default-of-an-object-without-a-required-property": "the reading has no default for such an object",
    "exact-numbers-through-expressions": "Python's library compares doubles",
    "exact-texts": "Python writes no half of a surrogate pair",
    "from-root": "the root $ of Python's library is the current value",
    "items-with-null-elements": "the reading has no type beside null",
    "map-beside-properties": "the reading ignores properties beside additionalProperties",
    "nulls-are-kept-where-they-are": "the reading has no type beside null",
    "nulls-of-maps": "the reading has no type beside null",
    "nulls-of-structures": "the reading has no type beside null",
    "object-passed-on-empty": "the reading takes any value for an object that is passed on",
    "objects-that-are-empty-are-left-out": "the reading keeps an empty object without from",
}
# Cases in which the kinds of drift differ, and why.
OTHER_DRIFT = {
    "from-columns": "the reading does not report columns of different lengths",
    "from-columns-of-different-lengths": "the reading does not report columns of different lengths",
    "from-columns-passed-on": "the reading does not report columns of different lengths",
    "from-columns-all-absent": "the reading does not report columns that are all absent",
    "items-of-one-element": "the reading reports false, which counts as null, as missing",
    "map-that-is-empty": "the reading reports null in a map as missing",
    "required-after-the-checks": "the reading keeps the repairs of a value whose object is dropped",
}

# Kinds that the reading does not have.
UNKNOWN_KINDS = {"duplicateKey"}


def read(name, kind, otherwise=None):
    path = GOLDENS / f"{name}.{kind}.json"
    return path.read_text() if path.exists() else otherwise


def compare(reference, name):
    """Returns what the reading makes other than the golden files say."""
    reading = reference.Reading(
        reference.parse(read(name, "in", "null")), reference.parse(read(name, "parameters", "{}"))
    )
    try:
        found = reading.answer(json.loads(read(name, "shape")))
    except Exception as error:
        return {"answer": f"the reading fails: {error!r}"}
    differences = {}
    golden = read(name, "out")
    expected = "no value" if golden is None else reference.write(reference.parse(golden))
    found = "no value" if found is reference.NONE else reference.write(found)
    # Half a surrogate pair cannot be written by Python.
    expected, found = [text.encode("utf-8", "replace") for text in (expected, found)]
    if expected != found:
        differences["answer"] = f"{found} instead of {expected}"
    elif golden is not None:
        kinds = {entry["kind"] for entry in json.loads(read(name, "drift", "[]"))} - UNKNOWN_KINDS
        others = {kind for _, kind, _ in reading.drift}
        if kinds != others:
            differences["drift"] = f"{sorted(others)} instead of {sorted(kinds)}"
    return differences


def main():
    if not REFERENCE.exists():
        print(f"shapes: skipped, there is no {REFERENCE}")
        return
    specification = importlib.util.spec_from_file_location("answer", REFERENCE)
    reference = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(reference)
    names = sorted(path.name.removesuffix(".shape.json") for path in GOLDENS.glob("*.shape.json"))
    names = [name for name in names if read(name, "in") is not None]
    failures = 0
    for name in names:
        found = compare(reference, name)
        for kind, listed in [("answer", OTHER_ANSWERS), ("drift", OTHER_DRIFT)]:
            if kind in found and name not in listed:
                failures += 1
                print(f"shapes: {name}: {kind}: {found[kind]}")
            if name in listed and kind not in found:
                failures += 1
                print(f"shapes: {name}: the {kind} is the same, although it is listed as different")
    print(f"shapes: {len(names)} cases compared, {failures} differ that are not listed")
    sys.exit(1 if failures else 0)


main()
