"""The functions, slices of texts and columns of Weir's expressions in plain Python, for jmespath.py and its community's version."""

import decimal
import json
import re

import jmespath
import jmespath.exceptions
import jmespath.functions
import jmespath.visitor

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


def written(key):
    """The text of a key, which is a text, or a number in its shortest form: 1 and 1.0 are one key, and so are 0 and -0.0."""
    if isinstance(key, str):
        return key
    text = getattr(key, "text", json.dumps(key))
    mantissa = re.split("[eE]", text)[0]
    if not re.search("[1-9]", mantissa):
        return "0"
    value = float(text)
    is_long = len(re.sub("[^0-9]", "", text)) > 15
    if not re.search("[.eE]", text) or is_long or value == 0 or value in (float("inf"), float("-inf")):
        return text
    if 1e-6 <= abs(value) < 1e21:
        return format(decimal.Decimal(repr(value)).normalize(), "f")
    return re.sub(r"e\+?(-?)0*", r"e\1", repr(value)).replace(".0e", "e")


class Reading(jmespath.functions.Functions):
    """The functions of Weir in plain Python: those with nulls, and those that jmespath.py lacks."""

    loads = staticmethod(lambda text: json.loads(text, parse_constant=lambda name: fail("parse_json", name)))

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

    @signature({"types": ["number"]}, {"types": ["number"], "optional": True})
    def _func_round(self, number, places=0):
        unit = decimal.Decimal(1).scaleb(-int(places))
        return float(decimal.Decimal(repr(number)).quantize(unit, decimal.ROUND_HALF_UP))

    @signature({"types": ["string"]})
    def _func_parse_json(self, text):
        try:
            return self.loads(text)
        except ValueError:
            fail("parse_json", text)

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

    @signature({"types": ["object", "array"]}, {"types": []})
    def _func_lookup(self, value, key):
        if key is not None and not is_number(key) and not isinstance(key, str):
            fail("lookup", key)
        if key is None or isinstance(value, dict):
            return value.get(written(key)) if key is not None else None
        place = int(written(key)) if re.fullmatch("[+-]?[0-9]+", written(key)) else len(value)
        return value[place] if -len(value) <= place < len(value) else None

    @signature({"types": ["array"]}, {"types": ["expref"]})
    def _func_index_by(self, array, reference):
        pairs, _ = self.keyed(array, reference)
        for key, _ in pairs:
            if not is_number(key) and not isinstance(key, str):
                fail("index_by", key)
        return {written(key): x for key, x in pairs}


class SlicedText(str):
    """A text that a slice made: what follows is applied to the text itself."""


class Columns:
    """Whether projections keep their nulls, as they do in columns."""

    keepNulls = False


INTERPRETER = jmespath.visitor.TreeInterpreter
SLICE, PROJECTION = INTERPRETER.visit_slice, INTERPRETER.visit_projection
CALL = INTERPRETER.visit_function_expression


def visit_slice(self, node, value):
    if isinstance(value, str):
        return SlicedText(value[slice(*node["children"])])
    return SLICE(self, node, value)


def visit_projection(self, node, value):
    if not Columns.keepNulls and not any(child.get("type") == "index_expression" for child in node["children"][:1]):
        return PROJECTION(self, node, value)
    base = self.visit(node["children"][0], value)
    if isinstance(base, SlicedText):
        return self.visit(node["children"][1], str(base))
    if Columns.keepNulls and isinstance(base, list):
        return [self.visit(node["children"][1], element) for element in base]
    return PROJECTION(self, node, value)


def visit_function_expression(self, node, value):
    outer = Columns.keepNulls
    Columns.keepNulls = outer or node["value"] == "zip"
    try:
        return CALL(self, node, value)
    finally:
        Columns.keepNulls = outer


INTERPRETER.visit_slice, INTERPRETER.visit_projection = visit_slice, visit_projection
INTERPRETER.visit_function_expression = visit_function_expression
OPTIONS = jmespath.Options(custom_functions=Reading())
