import Mapping
import Testing

@Suite("Faults of shapes")
struct ShapeFaultTests {
    private static let wrongShapes: [(shape: String, faults: String)] = [
        (#"7"#, ": must be a shape, or an expression as a text, not a number"),
        (#"{"properties": {"a": 1}}"#, ".properties.a: must be a shape, or an expression as a text, not a number"),
        (
            #"{"properties": {"a": "lenght(b)"}}"#,
            #".properties.a.from: at character 1: there is no function "lenght"; did you mean "length"?"#
        ),
        (
            #"{"properties": {"time": {"from": "a.[b"}}}"#,
            #".properties.time.from: at character 5: "," or "]" is expected, not the end"#
        ),
        (
            #"{"properties": {"a": "$hour"}}"#,
            #".properties.a.from: at character 1: there is no variable $hour; did you mean "$hours"?"#
        ),
        (#"{"oneOf": []}"#, #".oneOf: there is no keyword "oneOf"; an expression chooses: "from": "a || b""#),
        (#"{"propertys": {}}"#, #".propertys: there is no keyword "propertys"; did you mean "properties"?"#),
        (#"{"from": 1}"#, ".from: must be a text, not a number"),
        (#"{"from": {}, "items": {}}"#, ".from: must name at least one column"),
        (#"{"from": {"a": 1}, "items": {}}"#, ".from.a: must be a text, not a number"),
        (#"{"from": {"a": "a"}}"#, #".from: makes an array of objects: add "items""#),
        (
            #"{"from": {"time": "a", "t": "b"}, "items": {"properties": {"t": "t", "time": "tiem"}}}"#,
            #".items.properties.time.from: can never have a value: the object has no member "tiem"; did you mean "time"?"#
        ),
        (
            #"{"from": "{a: x, b: y}", "properties": {"a": "a", "c": "c.d"}}"#,
            #".properties.c.from: can never have a value: the object has no member "c""#
        ),
        (
            #"{"from": "length(a)", "properties": {"b": "b"}}"#,
            ".properties.b.from: can never have a value: the current value is no object"
        ),
        (
            #"{"from": "a[*].b", "additionalProperties": {}}"#,
            #".additionalProperties: can never have a value: the value of "from" is no object"#
        ),
        (
            #"{"from": "xs[].to_string(@)", "items": {"properties": {"a": "a"}}}"#,
            ".items.properties.a.from: can never have a value: the current value is no object"
        ),
        (
            #"{"from": "xs[].to_string(@)", "items": "name"}"#,
            ".items.from: can never have a value: the current value is no object"
        ),
        (#"{"let": []}"#, ".let: must be an object, not an array"),
        (#"{"let": {"hours": "a"}}"#, ".let.hours: is a parameter of the route; choose another name"),
        (#"{"let": {"2a": "a"}}"#, ".let.2a: must have letters, digits and _, and no digit first"),
        (#"{"let": {"a": "b", "c": "$a"}}"#, #".let.c: at character 1: there is no variable $a"#),
        (#"{"properties": []}"#, ".properties: must be an object, not an array"),
        (#"{"items": {}, "properties": {}}"#, #".items: makes an array: leave out "properties" and the like"#),
        (#"{"type": "string", "properties": {}}"#, #".type: must be "object" beside the other keywords"#),
        (#"{"type": "object", "items": {}}"#, #".items: makes an array: leave out "properties" and the like"#),
        (#"{"items": {}, "minimum": 1}"#, ".minimum: is a rule of scalars, and the shape makes an array"),
        (#"{"maxItems": 1}"#, #".maxItems: needs "items""#),
        (#"{"minItems": 1}"#, #".minItems: needs "items""#),
        (#"{"items": {}, "minItems": "1"}"#, ".minItems: must be a whole number, or an expression in parentheses"),
        (#"{"reads": "text"}"#, #".reads: "text" needs "type": "number", "integer" or "boolean""#),
        (#"{"type": "string", "reads": "text"}"#, #".reads: "text" needs "type": "number", "integer" or "boolean""#),
        (
            #"{"from": "match(a, b)"}"#,
            ".from: at character 1: argument 2 of match() is a text in the expression, such as '^[0-9]+'"
        ),
        (
            #"{"from": "replace_pattern(a, '(', '')"}"#,
            ".from: at character 1: argument 2 of replace_pattern() is no regular expression: missing closing parenthesis at offset 1"
        ),
        (#"{"items": {}, "minItems": 3, "maxItems": 2}"#, #".minItems: must be at most maxItems, which is 2"#),
        (#"{"uniqueItems": true}"#, #".uniqueItems: needs "items""#),
        (#"{"items": {}, "uniqueItems": 1}"#, ".uniqueItems: must be true or false, not a number"),
        (#"{"items": {}, "maxItems": -1}"#, ".maxItems: must be a whole number, or an expression in parentheses"),
        (#"{"items": {}, "maxItems": "$hours"}"#, ".maxItems: must be a whole number, or an expression in parentheses"),
        (#"{"required": ["a"]}"#, #".required: needs "properties""#),
        (#"{"properties": {"a": "a"}, "required": "a"}"#, ".required: must be an array, not a string"),
        (
            #"{"properties": {"time": "a"}, "required": ["tme", 1]}"#,
            #".required[0]: must be the name of a property; did you mean "time"?"# + "\n"
                + #".required[1]: must be the name of a property"#
        ),
        (#"{"nulls": "leave"}"#, ".nulls: must be keep or drop"),
        (#"{"type": ["number", "null"], "nulls": "drop"}"#, ".nulls: must be keep: the type has null"),
        (#"{"items": {}, "default": {}}"#, ".default: must be an array, not an object"),
        (#"{"properties": {}, "default": 1}"#, ".default: must be an object, not a number"),
        (#"{"optional": "yes"}"#, ".optional: must be true or false, not a string"),
        (#"{"description": 1}"#, ".description: must be a text, not a number"),
        (#"{"examples": "a"}"#, ".examples: must be an array, not a string"),
        (
            #"{"properties": {"a": {"form": "x"}, "b": "b["}}"#,
            #".properties.a.form: there is no keyword "form"; did you mean "from"?"# + "\n"
                + #".properties.b.from: at character 3: an index, a slice, "*", "?" or "]" is expected, not the end"#
        ),
    ]

    @Test("A fault names its place and what to do", arguments: wrongShapes.indices)
    func faults(_ index: Int) {
        let (shape, expected) = Self.wrongShapes[index]
        #expect(throws: ShapeFaults.self) { try Shape.compiled(shape, parameters: ["hours"]) }
        do {
            _ = try Shape.compiled(shape, parameters: ["hours"])
        } catch {
            #expect("\(error)" == expected, "\(shape)")
        }
    }

    @Test("Shapes nest up to a limit, and deeper ones are faults without a crash")
    func depth() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"items":"#, count: levels) + "{}" + String(repeating: "}", count: levels)
        }
        #expect(throws: Never.self) { try Shape.compiled(nested(60)) }
        #expect(throws: ShapeFaults.self) { try Shape.compiled(nested(100)) }
        #expect(throws: ShapeFaults.self) { try Shape.compiled(nested(500)) }
    }

    @Test("A shape says which parameters it uses")
    func uses() throws {
        let text = #"{"let": {"x": "$a"}, "properties": {"p": "$x", "q": {"items": {}, "maxItems": "($b)"}}}"#
        let shape = try Shape.compiled(text, parameters: ["a", "b", "c"])
        #expect(shape.usedParameters == ["a", "b"])
    }
}
