"""Compares the golden answers of shapes with a slow reading of the same rules in Python.

    shapes.py

The reading is `SecondReading` here, which adds the words of the second part to `reference/answer.py` in the folder `shared` beside the working copy, or in the folder that `WEIR_CORPUS`
names; without it, nothing is checked.
"""

import importlib.util
import json
import os
import pathlib
import sys

import jmespath

from expressions import OPTIONS, Columns, Reading

ROOT = pathlib.Path(__file__).parents[2]
GOLDENS = ROOT / "Tests/Fixtures/shapes"
REFERENCE = pathlib.Path(os.environ.get("WEIR_CORPUS", ROOT.parent / "shared")) / "reference/answer.py"

# Cases in which the answers differ, and why.
OTHER_ANSWERS = {
    "absent-array": "the reading applies absent and map to scalars alone",
    "additional-properties-false": "the reading takes no Boolean for additionalProperties",
    "asked-ids-of-64-bits": "Python's library writes a large number as a double",
    "checks": "the reading has no pattern",
    "declared-values-are-no-drift": "the reading has no years of two digits and no bytes",
    "from-columns-joined-by-a-flattening": "the reading makes a row of a list that is absent",
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
    "functions-on-texts": "the reading also reports a failed expression as missing",
    "from-columns-all-absent": "the reading does not report columns that are all absent",
    "items-of-one-element": "the reading reports false, which counts as null, as missing",
    "map-that-is-empty": "the reading reports null in a map as missing",
}

# Kinds that the reading does not have.
UNKNOWN_KINDS = {"duplicateKey"}


def read(name, kind, otherwise=None):
    path = GOLDENS / f"{name}.{kind}.json"
    return path.read_text() if path.exists() else otherwise


def second_reading(reference):
    """The reading of the first part with the words of the second."""
    search, Reading.loads, none = jmespath.search, staticmethod(reference.parse), reference.NONE
    jmespath.search = lambda expression, here: search(expression, here, options=OPTIONS)

    class SecondReading(reference.Reading):
        def value(self, shape, here, path=""):
            if not isinstance(shape, dict) or "let" in shape:
                return super().value(shape, here, path)
            source = shape.get("from")
            if isinstance(source, dict):
                return self.rows(shape, source, here, path)
            if "properties" in shape:
                value = here if source is None else self.search(source, here, path)
                if value is not None and value is not False and not isinstance(value, dict):
                    return self.properties(shape, value, path)
            return self.checked(shape, super().value(shape, here, path), here, path)

        def rows(self, shape, source, here, path):
            """The rows of columns, which keep their nulls; the lengths that differ are reported."""
            Columns.keepNulls = True
            columns = {name: self.search(expression, here, path) for name, expression in source.items()}
            Columns.keepNulls = False
            columns = {name: column for name, column in columns.items() if column is not None}
            if not columns:
                return super().value(shape, here, path)
            self.found.add(path)
            if len({len(column) for column in columns.values()}) > 1:
                self.drift.append((path, "dropped", "length"))
            count = max(map(len, columns.values()))
            rows = [{n: c[i] for n, c in columns.items() if i < len(c)} for i in range(count)]
            rest = {key: value for key, value in shape.items() if key != "from"}
            return self.checked(shape, super().value(rest, rows, path), here, path)

        def properties(self, shape, value, path):
            """The properties of a value that is no object."""
            self.found.add(path)
            made = {name: self.value(inner, value, f"{path}.{name}") for name, inner in shape["properties"].items()}
            made = {name: inner for name, inner in made.items() if inner is not none}
            if not made or any(name not in made for name in shape.get("required", [])):
                self.drift.append((path, "dropped", "no object, or a required property has no value"))
                return shape.get("default", none)
            return made

        def checked(self, shape, value, here, path):
            """An array, unless it has too few elements."""
            least = shape.get("minItems", 0)
            least = self.search(least[1:-1], here, path) if isinstance(least, str) else least
            if not isinstance(value, list) or len(value) >= int(least):
                return value
            self.drift.append((path, "dropped", "too few"))
            return shape.get("default", none)

        def converted(self, value, shape, here, path):
            """A scalar; what the shape declares is not reported."""
            count, isText = len(self.drift), shape.get("reads") == "text"
            rest = {key: inner for key, inner in shape.items() if key != "reads" or not isText}
            result = super().converted(value, rest, here, path)
            declared = {"defaulted"} | ({"unrecognized"} if "*" in shape.get("map", {}) else set())
            declared |= {"coerced"} if isText and isinstance(value, str) else set()
            self.drift[count:] = [entry for entry in self.drift[count:] if entry[1] not in declared]
            return result

    return SecondReading


def compare(reference, reading, name):
    """Returns what the reading makes other than the golden files say."""
    reading = reading(
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
    reading = second_reading(reference)
    names = sorted(path.name.removesuffix(".shape.json") for path in GOLDENS.glob("*.shape.json"))
    names = [name for name in names if read(name, "in") is not None]
    failures = 0
    for name in names:
        found = compare(reference, reading, name)
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
