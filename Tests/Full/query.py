"""Applies random expressions to random documents with `weir query` and with Python's jmespath: they must agree.

The plain reading in `expressions.py` adds the functions that jmespath.py lacks, slices of texts, and the order of nulls.

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

from expressions import OPTIONS

warnings.simplefilter("ignore")
WEIR = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 41
KEYS = ["a", "b", "c", "d", "e-f", "é"]
rng = random.Random(SEED)
PATTERNS = ["^[a-c]", "([a-z])([0-9])?", "é", ".", "[0-9]+", "(a)|(b)", "", "^([^b]*)b", "x$"]


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
