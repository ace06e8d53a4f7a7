"""Applies random expressions to random documents with `weir query` and with Python's jmespath: they must agree.

A plain reading here adds the functions that jmespath.py lacks, slices of texts, and the order of nulls.

    python query.py WEIR [COUNT [SEED]]

The known differences, all on purpose; each has a rule below, and the run counts how often a rule was needed:
- `!a.b` is `!(a.b)` in Weir; jmespath.py takes it for the member of a Boolean, which is always null.
- Sums and averages are exact decimals in Weir, not doubles: numbers here count as equal within 1e-9.
- 1 and true, 0 and false are equal in lists and objects of Python: `[1] == [true]`, `contains([1], true)`.
- `contains` of a string and a value that is no string is false in Weir, and a TypeError of Python.
- `to_number` reads numbers of JSON only; Python also reads "1_0", " 1" and "inf".
- A literal that is not JSON, such as `foo` in backquotes, is an error in Weir; jmespath.py takes it for a string.
- Unknown functions, and wrong numbers and kinds of arguments, are errors also where the call is never made.
- Every argument of `merge` must be an object; jmespath.py looks at the first only.
- A number and a string have no order, so that comparing them is null; jmespath.py fails with a TypeError of Python.
- A slice behind an index, `a[0][1:].b`, is a projection as any slice; jmespath.py applies `.b` to the list.
- What Weir's grammar has beyond JMESPath 1.0, such as `a - b`, `a ? b : c` and `$`, are errors of jmespath.py.
"""

import decimal
import json
import random
import re
import subprocess
import sys
import warnings

import jmespath
import jmespath.exceptions
import jmespath.functions
import jmespath.visitor

warnings.simplefilter("ignore")
WEIR = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 41
KEYS = ["a", "b", "c", "d", "e-f", "é"]
rng = random.Random(SEED)
PATTERNS = ["^[a-c]", "([a-z])([0-9])?", "é", ".", "[0-9]+", "(a)|(b)", "", "^([^b]*)b", "x$"]
signature = jmespath.functions.signature


def fail(name, value):
    raise jmespath.exceptions.JMESPathTypeError(name, value, type(value).__name__, ["another type"])


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def checked(name, keys, of=(is_number, lambda key: isinstance(key, str))):
    """The keys if all of them are numbers, or all texts."""
    for test in of:
        if all(map(test, keys)):
            return keys
    fail(name, keys)


class Reading(jmespath.functions.Functions):
    """The functions of Weir in plain Python: those with nulls, and those that jmespath.py lacks."""

    def keyed(self, array, reference=None):
        """The pairs of keys and elements, and the elements whose key is null."""
        visit = (lambda x: reference.visit(reference.expression, x)) if reference else lambda x: x
        pairs = [(visit(x), x) for x in array]
        return [p for p in pairs if p[0] is not None], [x for key, x in pairs if key is None]

    def ordered(self, name, array, reference=None):
        pairs, others = self.keyed(array, reference)
        checked(name, [key for key, _ in pairs])
        return [x for _, x in sorted(pairs, key=lambda pair: pair[0])] + others

    def extreme(self, name, find, array, reference=None):
        pairs, _ = self.keyed(array, reference)
        checked(name, [key for key, _ in pairs])
        return find(pairs, key=lambda pair: pair[0])[1] if pairs else None

    @signature({"types": ["array"]})
    def _func_sort(self, array):
        return self.ordered("sort", array)

    @signature({"types": ["array"]}, {"types": ["expref"]})
    def _func_sort_by(self, array, reference):
        return self.ordered("sort_by", array, reference)

    @signature({"types": ["array"]})
    def _func_max(self, array):
        return self.extreme("max", max, array)

    @signature({"types": ["array"]})
    def _func_min(self, array):
        return self.extreme("min", min, array)

    @signature({"types": ["array"]}, {"types": ["expref"]})
    def _func_max_by(self, array, reference):
        return self.extreme("max_by", max, array, reference)

    @signature({"types": ["array"]}, {"types": ["expref"]})
    def _func_min_by(self, array, reference):
        return self.extreme("min_by", min, array, reference)

    @signature({"types": ["array"]})
    def _func_sum(self, array):
        return sum(checked("sum", [x for x in array if x is not None], [is_number]))

    @signature({"types": ["array"]})
    def _func_avg(self, array):
        numbers = checked("avg", [x for x in array if x is not None], [is_number])
        return sum(numbers) / len(numbers) if numbers else None

    @signature({"types": ["number"]}, {"types": ["number"]})
    def _func_round(self, number, places):
        unit = decimal.Decimal(1).scaleb(-int(places))
        return float(decimal.Decimal(repr(number)).quantize(unit, decimal.ROUND_HALF_UP))

    @signature({"types": ["string"]})
    def _func_parse_json(self, text):
        return json.loads(text, parse_constant=lambda name: fail("parse_json", name))

    @signature({"types": ["string"]}, {"types": ["string"]})
    def _func_match(self, text, pattern):
        found = re.search(pattern, text)
        return found and [found.group(0), *found.groups()]

    @signature({"types": ["string"]}, {"types": ["string"]}, {"types": ["string"]})
    def _func_replace_pattern(self, text, pattern, replacement):
        def made(found):
            def part(name):
                if name.group(1) == "$":
                    return "$"
                group = int(name.group(1))
                return (found.group(group) or "") if group <= found.re.groups else name.group(0)

            return re.sub(r"\$([$0-9])", part, replacement)

        return re.sub(pattern, made, text)

    @signature({"types": ["object"]}, {"types": []})
    def _func_lookup(self, value, key):
        if key is not None and not is_number(key) and not isinstance(key, str):
            fail("lookup", key)
        return value.get(key if isinstance(key, str) else json.dumps(key)) if key is not None else None

    @signature({"types": ["array"]}, {"types": ["expref"]})
    def _func_index_by(self, array, reference):
        pairs, _ = self.keyed(array, reference)
        for key, _ in pairs:
            if not is_number(key) and not isinstance(key, str):
                fail("index_by", key)
        return {key if isinstance(key, str) else json.dumps(key): x for key, x in pairs}


class SlicedText(str):
    """A text that a slice made: what follows is applied to the text itself."""


INTERPRETER = jmespath.visitor.TreeInterpreter
SLICE, PROJECTION = INTERPRETER.visit_slice, INTERPRETER.visit_projection


def visit_slice(self, node, value):
    if isinstance(value, str):
        return SlicedText(value[slice(*node["children"])])
    return SLICE(self, node, value)


def visit_projection(self, node, value):
    base = self.visit(node["children"][0], value)
    if isinstance(base, SlicedText):
        return self.visit(node["children"][1], str(base))
    return PROJECTION(self, node, value)


INTERPRETER.visit_slice, INTERPRETER.visit_projection = visit_slice, visit_projection
OPTIONS = jmespath.Options(custom_functions=Reading())


def scalar():
    return rng.choice([None, True, False, rng.randint(-3, 12), rng.randint(-30, 120) / 4, "", "a", "b", "ab", "é", "7", "x1", "2024-01-02"])


def value(depth=0):
    kind = rng.random()
    if depth > 3 or kind < 0.35:
        return scalar()
    if kind < 0.5:
        make = rng.choice([lambda: rng.randint(-5, 20), lambda: rng.choice("abcdé") * rng.randint(0, 3), lambda: rng.randint(-9, 9) / 2])
        return [make() for _ in range(rng.randint(0, 5))]
    if kind < 0.7:
        same = rng.random() < 0.7
        keys = rng.sample(KEYS, rng.randint(1, 4))
        return [{k: value(depth + 2) for k in (keys if same else rng.sample(KEYS, 2))} for _ in range(rng.randint(0, 4))]
    return {k: value(depth + 1) for k in rng.sample(KEYS, rng.randint(0, 5))}


def name():
    key = rng.choice(KEYS)
    return key if key.isascii() and key.isalnum() and rng.random() < 0.9 else json.dumps(key, ensure_ascii=rng.random() < 0.5)


def literal():
    return rng.choice(["'a'", "'ab'", "'7'", "''", "'it\\'s'", "`" + json.dumps(scalar()).replace("`", "\\`") + "`", "`[1, 2]`", '`{"a": 1}`', "`[]`", "`null`"])


def path(depth):
    text = rng.choice([name(), name(), name(), "@", "[0]", "[*]", "*", "[]", "[-1]", "[?%s]" % condition(depth + 1), "[%s:%s]" % (rng.choice(["", "1", "-2"]), rng.choice(["", "2", "-1"]))])
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        text += rng.choice([
            "." + name(), "." + name(), "." + name(), "[0]", "[-2]", "[*]", ".*", "[]", "[::-1]", "[1:3]", "[::2]",
            "[?%s]" % condition(depth + 1), ".[%s, %s]" % (expression(depth + 2), name()), ".{x: %s, %s: @}" % (expression(depth + 2), name()),
            ".%s(@)" % rng.choice(["keys", "length", "type", "to_string", "to_array", "values"]),
        ])
    return text


def condition(depth):
    if depth > 3:
        return "%s == %s" % (name(), literal())
    left, right = expression(depth + 1), rng.choice([literal, lambda: expression(depth + 1)])()
    return rng.choice([left, "%s %s %s" % (left, rng.choice(["==", "!=", "<", "<=", ">", ">="]), right), "!%s" % name(), "contains(%s, %s)" % (left, literal())])


def call(depth):
    argument = lambda: expression(depth + 1)
    array = lambda: rng.choice(["[*]", "@", name(), name() + "[]", "[*].%s" % name(), "%s[*].%s" % (name(), name())])
    key = lambda: "&" + rng.choice([name(), name(), "@", "length(@)", "to_string(@)", "[0]", argument()])
    form = rng.choice([
        lambda: "%s(%s)" % (rng.choice(["abs", "ceil", "floor", "avg", "sum", "max", "min", "sort", "keys", "values", "length", "reverse", "to_array", "to_string", "to_number", "type", "not_null"]), rng.choice([argument, array])()),
        lambda: "%s(%s, %s)" % (rng.choice(["contains", "starts_with", "ends_with", "not_null", "merge"]), argument(), rng.choice([literal, argument])()),
        lambda: "join(%s, %s)" % (literal(), array()),
        lambda: "map(%s, %s)" % (key(), array()),
        lambda: "%s(%s, %s)" % (rng.choice(["sort_by", "min_by", "max_by"]), array(), key()),
        lambda: "round(%s, `%d`)" % (rng.choice([argument, lambda: "avg(%s)" % array()])(), rng.randint(-2, 3)),
        lambda: "parse_json(%s)" % rng.choice([argument, lambda: "to_string(%s)" % argument(), literal])(),
        lambda: "match(%s, '%s')" % (rng.choice([argument, name, literal])(), rng.choice(PATTERNS)),
        lambda: "replace_pattern(%s, '%s', '%s')" % (rng.choice([argument, name, literal])(), rng.choice(PATTERNS), rng.choice(["", "-", "<$0>", "$1", "$2$$", "$9x", "$"])),
        lambda: "lookup(%s, %s)" % (rng.choice([argument, lambda: "@"])(), rng.choice([literal, name, argument])()),
        lambda: "index_by(%s, %s)" % (array(), key()),
        lambda: "lookup(index_by(%s, %s), %s)" % (array(), key(), rng.choice([literal, name])()),
        lambda: "merge(@, %s)" % argument(), lambda: "to_string(sort(%s))" % array(), lambda: "length(%s)" % argument(),
    ])
    return form()


def expression(depth=0):
    if depth > 4:
        return rng.choice([name(), "@", literal()])
    make = rng.choices([
        lambda: path(depth), lambda: call(depth), literal,
        lambda: "%s | %s" % (expression(depth + 1), expression(depth + 1)),
        lambda: "%s %s %s" % (expression(depth + 1), rng.choice(["||", "&&"]), expression(depth + 1)),
        lambda: condition(depth + 1), lambda: "(%s)" % expression(depth + 1), lambda: "!(%s)" % expression(depth + 1),
        lambda: "[%s, %s]" % (expression(depth + 1), expression(depth + 1)), lambda: "{x: %s}" % expression(depth + 1),
    ], weights=[10, 5, 1, 2, 2, 2, 1, 1, 1, 1])[0]
    return make()


def damaged(text):
    """The text with a character added, removed or changed: mostly an error, which both must find."""
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(list("[](){}.,:|&!@*'\"`<>=ab0- ") + [""]) + text[at + rng.randint(0, 1):]


def python(text, document):
    try:
        compiled = jmespath.compile(text)
    except jmespath.exceptions.JMESPathError:
        return "error"
    try:
        return json.loads(json.dumps(compiled.search(document, options=OPTIONS)))
    except (jmespath.exceptions.JMESPathError, ValueError, decimal.InvalidOperation):
        return "error"
    except TypeError:
        return "type error of Python"


def weir(text, document):
    """The value and the message of Weir."""
    run = subprocess.run([WEIR, "query", "--", text], input=json.dumps(document).encode(), capture_output=True)
    if run.returncode not in (0, 64, 65):
        sys.exit(f"status {run.returncode} for {text!r}: {run.stderr.decode()}")
    return (json.loads(run.stdout) if run.returncode == 0 else "error"), run.stderr.decode()


def equal(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or type(a) is type(b) is str:
        return type(a) is type(b) and a == b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-9 * max(1, abs(a))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(equal(a[k], b[k]) for k in a)
    return type(a) is type(b) and a == b


def holds(value, test):
    if test(value):
        return True
    return any(holds(x, test) for x in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else []))


def rule(text, document, theirs, ours, message):
    """The known difference that explains two results; None if none does."""
    if theirs == "type error of Python":
        if ours == "error":
            return "both fail"
        if "contains" in text:
            return "contains"
        return "order" if any(c in text for c in "<>") else None
    if ours == "error":
        if "the literal is not JSON" in message:
            return "literal"
        if "merge() takes an object" in message:
            return "merge"
        return "load" if re.search(r"there is no function|takes .* arguments?, not \d|argument \d+ of", message) else None
    if theirs == "error":
        if re.search(r"\]\[[^\]]*:", text):
            return "slice"
        return "grammar" if re.search(r"[-+*/%?$]", text) else None
    if re.search(r"!\s*[\w\"-]+\s*\.", text):
        return "not"
    if re.search(r"\]\[[^\]]*:", text):
        return "slice"
    if "to_number" in text:
        return "to_number"
    number = lambda x: isinstance(x, int) and x in (0, 1)
    if re.search("[!=]=|contains", text) and (holds(document, number) or re.search("`|length", text)):
        return "Boolean"
    return None


def main():
    rules, failures, errors = {}, 0, 0
    for index in range(COUNT):
        document, text = value(), expression()
        if rng.random() < 0.1:
            text = damaged(text)
        theirs, (ours, message) = python(text, document), weir(text, document)
        errors += ours == "error"
        if equal(theirs, ours):
            continue
        reason = rule(text, document, theirs, ours, message)
        if reason is None or "-v" in sys.argv:
            print(f"{reason}: {text}\n  document {json.dumps(document)}\n  Python   {json.dumps(theirs)}\n  Weir     {json.dumps(ours)}")
        failures += reason is None
        rules[reason] = rules.get(reason, 0) + 1
    print(f"jmespath: {COUNT} expressions with seed {SEED}, {errors} errors, known differences {rules}, {failures} unknown")
    sys.exit(1 if failures else 0)


main()
