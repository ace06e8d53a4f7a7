import Contracts
import JSONText
@testable import Records

/// The field tables of `docs/contracts.md`, generated from the record tables.
struct FieldTables {
    /// Every record in an answer of `/weather` and of the tweet routes.
    private static let types: [any Record.Type] = [
        Forecast.self, DataBlock.self, DataPoint.self, Alert.self, Flags.self, SearchAnswer.self, SearchMetadata.self,
        Tweet.self, TweetSource.self, Coordinates.self, Place.self, User.self, Entities.self, Hashtag.self, Link.self,
        UserMention.self, Media.self, MediaVariant.self, Poll.self, PollOption.self,
    ]

    /// The tables by the name of their type.
    let tables: [String: String]
    /// The names of the types that an answer can hold and that have no table.
    let missing: Set<String>

    init() {
        var components = SchemaComponents()
        for type in Self.types { Self.add(type, to: &components) }
        let schemas = components.value
        tables = Dictionary(uniqueKeysWithValues: Self.types.map { ("\($0)", Self.table(of: $0, schemas)) })
        missing = Set((schemas.members ?? []).map(\.key)).subtracting(tables.keys)
    }

    /// Returns `text` with each generated table replaced, that is, the lines between `<!-- fields of Alert -->` and
    /// `<!-- end -->`.
    func updated(_ text: String) -> String {
        text.replacing(/(<!-- fields of ([A-Za-z]+) -->\n)[\s\S]*?(<!-- end -->)/) { match in
            match.1 + (tables[String(match.2)] ?? "There is no such type.\n") + match.3
        }
    }

    private static func add(_ type: any Record.Type, to components: inout SchemaComponents) {
        func add<Model: Record>(_ model: Model.Type) { components.add(model) }
        add(type)
    }

    private static func table(of type: any Record.Type, _ schemas: JSONValue) -> String {
        func fields<Model: Record>(_ model: Model.Type) -> [RecordTable.Field] { model.schema.table.fields }
        let lines = fields(type), properties = schemas["\(type)"]?["properties"]
        let rows = lines.map { field in
            let cells = [
                "`\(field.name)`", name(ofType: properties?[field.name] ?? .null, field), unit(of: field),
                range(of: field), field.rules.note ?? "",
            ]
            return "| " + cells.joined(separator: " | ") + " |\n"
        }
        return "| field | type | unit | range | meaning |\n| --- | --- | --- | --- | --- |\n" + rows.joined()
            + sentinels(of: lines)
    }

    private static func name(ofType schema: JSONValue, _ field: RecordTable.Field) -> String {
        name(ofType: schema, isDate: field.expectation.contains("time"))
            + (field.rules.isRequired ? ", required" : "")
    }

    private static func name(ofType schema: JSONValue, isDate: Bool) -> String {
        if let reference = schema["$ref"]?.stringValue?.split(separator: "/").last {
            return "[\(reference)](#\(reference.lowercased()))"
        }
        if let items = schema["items"] { return "array of " + name(ofType: items, isDate: isDate) }
        if let examples = schema["examples"]?.elements, !examples.isEmpty {
            return "string: " + examples.compactMap(\.stringValue).map { "`\($0)`" }.joined(separator: ", ")
        }
        if schema["pattern"] != nil { return "colour" }
        return isDate ? "date" : schema["type"]?.stringValue ?? "any JSON"
    }

    private static func unit(of field: RecordTable.Field) -> String {
        field.rules.dimension.map { "[\($0.name)](#units)" } ?? ""
    }

    private static func range(of field: RecordTable.Field) -> String {
        field.rules.plausible.map { "\(text($0.lowerBound)) to \(text($0.upperBound))" } ?? ""
    }

    /// Returns a line that names the values that mean "no value", if there are any.
    private static func sentinels(of fields: [RecordTable.Field]) -> String {
        var texts: [String] = []
        for rules in fields.map(\.rules) {
            let values = rules.absentNumbers.map { "`\(text($0))`" } + rules.absentStrings.map { "`\"\($0)\"`" }
            for value in values where !texts.contains(value) { texts.append(value) }
        }
        return texts.isEmpty ? "" : "\nRead as absent: \(texts.joined(separator: ", ")).\n"
    }

    private static func text(_ number: Double) -> String {
        var writer = JSONWriter(capacity: 64)
        writer.write(number)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
