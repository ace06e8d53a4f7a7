import API
import JMESPath
import JSONText
package import Records

/// Guesses the shape of an answer that loses nothing of recorded documents.
struct ShapeGuess {
    /// The properties of a shape; more would fill a configuration.
    private static let maximumProperties = 2000
    /// Members that wrap an answer if there is no other one.
    private static let wrappers = ["data", "results", "result", "response", "features", "items"]

    private var properties = 0
    private let zone: String

    /// Returns the shape, with its evidence as comments.
    static func answer(for root: ValueSurvey) -> JSONValue {
        var guess = ShapeGuess(zone: zone(of: root) ?? "UTC")
        if root.isTable { return guess.rows(of: root, at: "") }
        guard root.kinds == [.object], root.names.count == 1, let name = root.names.first, wrappers.contains(name),
            let inner = root.member(name), inner.count == root.count, inner[.null] == 0
        else { return guess.shape(of: root, name: nil) }
        if inner.isTable { return guess.rows(of: inner, at: "\(name).") }
        return .object([.init("from", .string(name))] + (guess.shape(of: inner, name: nil).members ?? []))
    }

    private init(zone: String) { self.zone = zone }

    /// The expression for the zone that all documents name at their root.
    private static func zone(of root: ValueSurvey) -> String? {
        ["timezone", "time_zone", "timeZone", "tz"].first { name in
            guard let member = root.member(name), member[.string] == root.count else { return false }
            return member.texts.distinct?.allSatisfy { ZoneRules.named($0) != nil } == true
        }.map { "($.\($0))" }
    }

    /// The keys of a shape besides `from`; `name` is nil for elements and the root.
    private mutating func shape(
        of survey: ValueSurvey, name: String?, unit: (expression: String, to: MappedUnit)? = nil
    ) -> JSONValue {
        let kinds = survey.kinds
        switch kinds {
        case []: return Self.noting("always null", in: [:])
        case [.object] where survey.isCut: return Self.noting("passed on as it is: too deep or too large", in: [:])
        case [.object] where survey.keysAreData:
            let values = survey.allValues
            return Self.noting(
                "the keys of \(values.count) members are data",
                in: ["additionalProperties": shape(of: values, name: "")])
        case [.object]: return survey.names.isEmpty ? [:] : ["properties": object(survey)]
        case [.string, .object] where survey.texts.ordinary == 0 && name != nil:
            var shape = shape(of: survey.only([.object]), name: name)
            shape["absent"] = .array(survey.texts.none.keys.sorted().map { .string($0) })
            return Self.noting("\(survey[.string]) of \(survey.count) stand for none", in: shape)
        case [.array]: return survey.elements.map { items($0) } ?? Self.noting("always empty", in: [:])
        case _ where kinds.contains(.array) && !kinds.contains(.boolean):
            let single = survey.only(kinds.filter { $0 != .array })
            if let elements = survey.elements {
                guard elements.kinds == single.kinds else { break }
                single.merge(elements)
            }
            return Self.noting(
                "\(survey[.array]) of \(survey.count) are arrays, the others count as an element", in: items(single))
        case _ where !kinds.contains(.object) && !kinds.contains(.array):
            var guess = ScalarGuess(survey, name: name, zone: zone)
            guess.addUnit(beside: unit)
            return Self.noting(guess.evidence.joined(separator: "; "), in: .object(guess.keys))
        default: break
        }
        return Self.noting("values of several kinds", in: [:])
    }

    /// The shape that makes rows of columns, whose paths begin with `path`.
    private mutating func rows(of table: ValueSurvey, at path: String) -> JSONValue {
        let columns = table.names.map { JSONValue.Member($0, .string(path + Self.expression($0))) }
        return Self.noting(
            "columns of one length", in: ["from": .object(columns), "items": ["properties": object(table.row)]])
    }

    /// The shape of an array, which is passed on as it is if its elements are.
    private mutating func items(_ elements: ValueSurvey) -> JSONValue {
        let shape = shape(of: elements, name: nil)
        if shape == [:] || shape.members?.map(\.key) == [JSONValue.comment] { return shape }
        return elements[.null] > 0 ? ["items": shape, "nulls": "keep"] : ["items": shape]
    }

    /// The shape with a further comment.
    private static func noting(_ text: String, in shape: JSONValue) -> JSONValue {
        if text.isEmpty { return shape }
        var shape = shape
        shape[JSONValue.comment] = .string(shape[JSONValue.comment]?.stringValue.map { "\(text); \($0)" } ?? text)
        return shape
    }
}

// MARK: Objects

extension ShapeGuess {
    private mutating func object(_ survey: ValueSurvey) -> JSONValue {
        var known: Set = [JSONValue.comment]
        let members = survey.names.map { name in
            var newName = CamelCase.convert(name)
            // `String ==` takes the composed and the decomposed é for one.
            if known.contains(newName) { newName = name }
            while !known.insert(newName).inserted { newName += "2" }
            return JSONValue.Member(newName, property(name, of: survey))
        }
        return .object(members)
    }

    private mutating func property(_ name: String, of object: ValueSurvey) -> JSONValue {
        guard let member = object.member(name) else { return [:] }
        properties += 1
        let expression = Self.expression(name), isTable = member.isTable
        var shape: JSONValue
        if properties > Self.maximumProperties {
            shape = Self.noting("passed on as it is: too many properties", in: [:])
        } else if isTable {
            shape = rows(of: member, at: "\(expression).")
        } else {
            shape = self.shape(of: member, name: name, unit: unit(of: name, in: object))
        }
        let missing = object[.object] - member.count
        if missing > 0 || isTable && member[.null] > 0 { shape["optional"] = true }
        if missing > 0 { shape = Self.noting("absent in \(missing) of \(object[.object])", in: shape) }
        if member[.null] > 0, !member.kinds.isEmpty {
            shape = Self.noting("null in \(member[.null]) of \(member.count)", in: shape)
        }
        if shape == [:] { return .string(expression) }
        return isTable ? shape : .object([.init("from", .string(expression))] + (shape.members ?? []))
    }

    /// The expression for the member that names the unit of a number, and the first of its units.
    private func unit(of name: String, in object: ValueSurvey) -> (expression: String, to: MappedUnit)? {
        Self.unit(of: name, in: object).map { (Self.expression($0.name), $0.to) }
    }

    /// The name of the member beside a number that names its unit in every object, and the first of its units.
    static func unit(of name: String, in object: ValueSurvey) -> (name: String, to: MappedUnit)? {
        for candidate in MemberWords.ofUnits(for: name) {
            guard let member = object.member(candidate), member[.string] == object[.object],
                let units = member.texts.distinct?.sorted().map(MappedUnit.named), let first = units.first ?? nil,
                units.allSatisfy({ $0?.quantity == first.quantity })
            else { continue }
            return (candidate, first)
        }
        return nil
    }

    /// The expression for a member of the value at `place`.
    static func path(_ place: String, _ name: String) -> String {
        (place.isEmpty ? "" : place + ".") + expression(name)
    }

    /// A name as an expression, quoted where necessary.
    ///
    /// A dollar sign is escaped: in a configuration, `${` begins the name of a variable.
    private static func expression(_ name: String) -> String {
        let isPlain = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil && !["let", "in"].contains(name)
        return isPlain ? name : JSONValue.string(name).description.replacing("$", with: "\\u0024")
    }
}

/// A route for a configuration file whose answer is that of recorded documents.
package struct RouteDraft {
    private let upstream: String
    /// The route alone, with comments: see `JSONValue.commented`.
    package private(set) var route: JSONValue = [:]

    /// A route at `path`, a template such as `/stations/{station}`, which is also the path of the upstream.
    package init(path: String, upstream: String, name: String?, survey: ShapeSurvey) {
        self.upstream = upstream
        route["path"] = .string(path)
        route["name"] = name.map { .string($0) }
        let parameters = path.matches(of: /\{([^{}\/]*)\}/).map { JSONValue.Member(String($0.1), ["type": "string"]) }
        if !parameters.isEmpty { route["parameters"] = .object(parameters) }
        route["fetch"] = ["upstream": .string(upstream), "path": .string(path)]
        route["answer"] = ShapeGuess.answer(for: survey.root)
    }

    /// A configuration with the upstream and the route.
    package var configuration: JSONValue {
        [
            "upstreams": [["name": .string(upstream), "baseURL": "https://example.org"]],
            "routes": [route],
        ]
    }
}

extension JSONValue {
    /// The key of the member that is written as a comment behind its object.
    static let comment = "//"
    /// The longest array or object that is written on one line, in characters.
    private static let maximumLine = 100

    /// The value as text with comments; further lines are indented by four spaces for each level.
    ///
    /// `end` stands behind the value, before the comment.
    package func commented(level: Int = 0, end: String = "") -> String {
        let note = self[Self.comment]?.stringValue.map { "  // " + $0 } ?? ""
        if !items.contains(where: \.value.hasComments), line.count <= Self.maximumLine { return line + end + note }
        let indent = String(repeating: "    ", count: level)
        let lines = items.enumerated().map { index, item in
            let end = index == items.count - 1 ? "" : ","
            return "\n    \(indent)\(item.key)\(item.value.commented(level: level + 1, end: end))"
        }
        return (elements == nil ? "{" : "[") + note + lines.joined() + "\n" + indent + (elements == nil ? "}" : "]")
            + end
    }

    /// The elements, or the members besides the comment with their keys as text.
    private var items: [(key: String, value: JSONValue)] {
        elements?.map { ("", $0) }
            ?? members?.filter { $0.key != Self.comment }.map { ("\(JSONValue.string($0.key)): ", $0.value) } ?? []
    }

    private var hasComments: Bool { self[Self.comment] != nil || items.contains(where: \.value.hasComments) }

    /// The value on one line, without comments.
    private var line: String {
        if elements == nil, members == nil { return description }
        let text = items.map { $0.key + $0.value.line }.joined(separator: ", ")
        return elements == nil ? "{\(text)}" : "[\(text)]"
    }
}
