import API
import CivilDates
package import Records

/// Checks a shape against the names, the types and the units of a contract, and completes the shape by these: a value that
/// the contract cannot have is then a repair with the place in the upstream's document.
package struct ContractShape {
    /// The schemas of the contract's records by name.
    private let components: JSONValue
    private let note: (_ place: String, _ detail: String) -> Void

    /// The shapes that `"shape": NAME` stands for, and how deep they may stand in each other.
    private let shapes: [String: JSONValue]
    private let decimals: [String: Int]
    private static let maximumDepth = 4
    /// The most values of a shape with all shapes in their places.
    private static let maximumValues = 10_000
    private let size: Size

    private final class Size { var count = 0 }

    /// Returns the complete shape of a value with a schema; numbers of a dimension that are converted have so many decimals, and
    /// `note` takes the place below the shape and the detail of each fault.
    package static func completed(
        _ shape: JSONValue, shapes: [String: JSONValue] = [:], decimals: [String: Int] = [:],
        schema: (inout SchemaComponents) -> JSONValue, _ note: @escaping (_ place: String, _ detail: String) -> Void
    ) -> JSONValue {
        var components = SchemaComponents(ofAnswersIn: ["si"])
        components.requiresFields = true
        let schema = schema(&components)
        let contract = ContractShape(
            components: components.value, note: note, shapes: shapes, decimals: decimals, size: Size())
        let complete = contract.completed(shape, schema, "", depth: 0)
        if contract.size.count > maximumValues { note("", "has more than \(maximumValues) values") }
        return complete
    }

    private func completed(_ shape: JSONValue, _ schema: JSONValue, _ place: String, depth: Int) -> JSONValue {
        let words = shape.stringValue == nil ? shape : ["from": shape]
        // Anything else is a fault of the shape, whatever the contract is.
        size.count += 1
        guard var members = words.members, size.count <= Self.maximumValues else { return shape }
        if let index = members.firstIndex(where: { $0.key == "shape" }) {
            let name = members[index].value.stringValue ?? ""
            guard let named = shapes[name] else {
                let names = shapes.keys.sorted().joined(separator: ", ")
                note(
                    place + ".shape",
                    shapes.isEmpty ? "must be left out: no shape has a name" : "must be one of \(names)")
                return words
            }
            if words["properties"] != nil || words["items"] != nil {
                note(place + ".shape", "must be left out, or be without properties and items")
            }
            if named["shape"] != nil {
                note(place + ".shape", "must name a shape that has properties of its own")
                return words
            }
            // Deeper posts are left out.
            guard depth < Self.maximumDepth else { return ["from": "`null`"] }
            let inner = named.stringValue.map { ["from": .string($0)] } ?? named
            members.remove(at: index)
            // Where the value of the named shape comes from is a matter of its own document.
            let own = Set(members.map(\.key) + ["from"])
            members += (inner.members ?? []).filter { !own.contains($0.key) }
            return completed(.object(members), schema, place, depth: depth + 1)
        }
        let schema = resolved(schema, for: words)
        if let properties = words["properties"]?.members {
            guard let fields = schema["properties"]?.members else {
                // A value of the contract that is any JSON.
                if schema["type"] != nil {
                    note(place + ".properties", "makes an object, and the contract has \(kind(schema))")
                }
                return words
            }
            let names = fields.map(\.key)
            for case .string(let name) in schema["required"]?.elements ?? []
            where !properties.contains(where: { $0.key == name }) {
                note(place + ".properties", "must have \(name), without which the contract has no such object")
            }
            let complete = properties.map { property in
                let place = "\(place).properties.\(property.key)"
                guard let field = fields.first(where: { $0.key == property.key }) else {
                    if schema["additionalProperties"] != true {
                        note(place, "is no field of the contract\(Quotation.hint(property.key, among: names))")
                    }
                    return property
                }
                let inner = completed(property.value, field.value, place, depth: depth)
                return JSONValue.Member(property.key, scalar(inner, field, place))
            }
            return .object(members.map { $0.key == "properties" ? .init($0.key, .object(complete)) : $0 })
        }
        guard let items = words["items"] else { return words }
        guard let element = schema["items"] else {
            if schema["type"] != nil { note(place + ".items", "makes an array, and the contract has \(kind(schema))") }
            return words
        }
        let inner = completed(items, element, place + ".items", depth: depth)
        return .object(members.map { $0.key == "items" ? .init($0.key, inner) : $0 })
    }

    /// Returns the schema that a reference means, and of several the one that a shape makes.
    private func resolved(_ schema: JSONValue, for shape: JSONValue) -> JSONValue {
        if let name = schema["$ref"]?.stringValue?.split(separator: "/").last {
            return components[String(name)] ?? [:]
        }
        guard let choices = schema["anyOf"]?.elements?.map({ resolved($0, for: shape) }) else { return schema }
        let type: JSONValue = shape["items"] == nil ? "object" : "array"
        return choices.first { $0["type"] == type } ?? schema
    }

    private func kind(_ schema: JSONValue) -> String {
        schema["type"]?.stringValue.map { Self.kinds[$0] ?? $0 } ?? "another value"
    }

    private static let kinds = [
        "number": "a number", "integer": "an integer", "string": "a text", "boolean": "true or false",
        "object": "an object", "array": "an array",
    ]

    /// Returns a shape of a scalar with the type and the range of a field.
    private func scalar(_ shape: JSONValue, _ field: JSONValue.Member, _ place: String) -> JSONValue {
        let schema = field.value
        if schema["format"] == "date-time", schema["type"]?.elements != nil {
            // The contract reads local times, too, unless the mapping itself reads the time.
            guard let members = shape.members, shape["format"] == "date-time" else { return shape }
            let forms = shape["reads"]?.elements ?? shape["reads"].map { [$0] } ?? []
            if shape["zone"] == nil, forms.contains(where: { $0.stringValue.map(Self.isPattern) ?? false }) {
                note(place + ".zone", "is missing: without a zone, the pattern in reads would be read as UTC")
            }
            if shape["zone"] == nil, forms.allSatisfy({ $0 == "iso8601" || $0 == "unix" }) {
                return .object(members.filter { !["format", "reads", "writes"].contains($0.key) })
            }
            return .object(members.filter { $0.key != "writes" } + [.init("writes", "unix")])
        }
        guard let members = shape.members, shape["properties"] == nil, shape["items"] == nil, shape["nulls"] == nil,
            let type = schema["type"], let name = type.stringValue, !["object", "array"].contains(name)
        else { return shape }
        var added: [JSONValue.Member] = []
        func add(_ key: String, _ value: JSONValue?) {
            if let value, shape[key] == nil { added.append(.init(key, value)) }
        }
        if schema["format"] == "date-time" {
            if let own = shape["format"], own != "date-time" {
                note(place + ".format", "must be date-time: the contract has times")
            }
            if let own = shape["type"] {
                note(place + ".type", "must be left out, not \(own): the contract has a time")
            }
            add("format", "date-time")
            add("reads", ["iso8601", "unix"])
            // Whatever form the mapping names, the contract reads this one.
            return .object((members + added).filter { $0.key != "writes" } + [.init("writes", "unix")])
        }
        let own = shape["type"]?.elements ?? shape["type"].map { [$0] } ?? []
        for word in own where word != "null" && word != type && !(name == "number" && word == "integer") {
            note(place + ".type", "must be \(name): the contract has \(kind(schema))")
        }
        if let format = shape["format"] {
            note(place + ".format", "must be left out, not \(format): the contract has \(kind(schema))")
        }
        checkUnit(shape, field, place)
        checkWords(shape, schema, place)
        add("type", type)
        if name == "number" || name == "integer" {
            add("minimum", schema["minimum"])
            add("maximum", schema["maximum"])
        }
        let places = schema["x-dimension"]?.stringValue.flatMap { decimals[$0] }
        return .object(
            (members + added).map { member in
                guard member.key == "unit", let places, let unit = member.value.members, member.value["decimals"] == nil
                else { return member }
                return .init(member.key, .object(unit + [.init("decimals", .number("\(places)"))]))
            })
    }

    /// Whether a form of dates is a pattern that says nothing of the zone.
    private static func isPattern(_ form: String) -> Bool {
        guard case .pattern(let format)? = try? DateReading(form) else { return false }
        return !format.hasZone
    }

    /// Notes the words of `map` and of `default` that the contract does not have.
    private func checkWords(_ shape: JSONValue, _ schema: JSONValue, _ place: String) {
        guard let known = schema["examples"]?.elements, known.count > 1 else { return }
        let words = known.map { String(decoding: $0.text, as: UTF8.self) }.joined(separator: ", ")
        for member in shape["map"]?.members ?? [] where member.value != .null && !known.contains(member.value) {
            note("\(place).map.\(member.key)", "must be null or one of \(words)")
        }
        if let value = shape["default"], !known.contains(value) { note(place + ".default", "must be one of \(words)") }
    }

    /// The units of fields that measure alike in all systems, by the words with which their descriptions name these.
    private static let units: KeyValuePairs = [
        " in hPa": "hPa", " in mm": "mm", " in metres": "m", " in hours": "h", " in seconds": "s", "degrees": "deg",
    ]

    /// Returns the unit that values of a field with a schema have in `si`; nil for none that can be converted.
    static func unit(of schema: JSONValue) -> MappedUnit? {
        let isPart = schema["minimum"] == 0 && schema["maximum"] == 1
        let description = schema["description"]?.stringValue ?? ""
        let named = isPart ? "1" : units.first { description.contains($0.key) }?.value
        return (schema["x-units"]?["si"]?.stringValue ?? named).flatMap(unit(written:))
    }

    /// Returns a unit that the contract writes as `text`; the amount of an hour stands for a rate.
    static func unit(written text: String) -> MappedUnit? {
        MappedUnit.named(text) ?? MappedUnit.named(text.replacing("/h", with: ""))
    }

    private func checkUnit(_ shape: JSONValue, _ field: JSONValue.Member, _ place: String) {
        guard let text = shape["unit"]?["to"]?.stringValue, let unit = MappedUnit.named(text) else { return }
        guard let wanted = Self.unit(of: field.value), field.value["type"] != "string" else {
            return note(place + ".unit", "must be left out: \(field.key) has no unit that can be converted")
        }
        if unit.name != wanted.name {
            note(place + ".unit.to", "must be \(wanted.name): the contract has \(field.key) in that unit")
        }
    }
}
