import API
import ContractsSupport
import Foundation
import Mapping
import JSONText
import Records

/// The route that documents lead to, and the answers that the route makes of them.
struct InferredRoute {
    let text: String
    private let shape: Shape
    /// The shape that takes values for none as any other.
    private let bareShape: Shape

    /// The route of documents; throws if its text is no JSON with comments, or its answer no shape.
    init(_ documents: [[UInt8]]) throws {
        var survey = ShapeSurvey()
        for document in documents { try survey.add(document) }
        text = RouteDraft(path: "/answer", upstream: "upstream", name: nil, survey: survey).route.commented()
        var parser = JSONParser(options: JSONOptions(maximumBytes: 1 << 20, maximumDepth: 62, allowsComments: true))
        let route = try parser.withDocument(Array(text.utf8)) { JSONValue($0) }
        var faults: [String] = []
        let shape = Shape(route["answer"] ?? .null, parameters: []) { faults.append("\($0): \($1)") }
        guard let shape else { throw Faults(description: faults.joined(separator: "\n")) }
        self.shape = shape
        bareShape = try .compiled(Self.withoutAbsent(route["answer"] ?? .null))
    }

    /// The faults of a shape, a line for each.
    struct Faults: Error, CustomStringConvertible { let description: String }

    func normalize(_ document: [UInt8]) throws -> (body: JSONValue, drift: DriftReport) {
        let answer = try shape.normalize(document)
        return (JSONValue(parsing: answer.body) ?? .null, answer.drift)
    }

    /// Returns what is lost in the answer of a document: repairs that the route does not announce, and values.
    func losses(of document: [UInt8]) throws -> [String] {
        let (body, drift) = try normalize(document)
        var losses = drift.entries.filter { !Self.isAnnounced($0) }.map { "\($0.kind) \($0.path) \($0.reason)" }
        var parser = JSONParser(options: JSONOptions(leniency: .upstream))
        let before = try parser.withDocument(document) { Self.scalars(of: JSONValue($0)) }
        let bare = try bareShape.normalize(document)
        let dropped = bare.drift.entries.filter { $0.kind == .dropped }.reduce(0) { $0 + $1.count }
        let isReported = drift.entries.contains { $0.kind == .dropped }
        let now =
            isReported ? Self.scalars(of: body) : Self.scalars(of: JSONValue(parsing: bare.body) ?? .null) + dropped
        let hasRepeatedKeys = drift.entries.contains { $0.kind == .duplicateKey }
        if before != now, !hasRepeatedKeys, drift.unlisted == 0 { losses.append("\(before) values, and then \(now)") }
        return losses
    }

    /// Whether a repair is one that the comments of the route announce, or one of the document's text.
    private static func isAnnounced(_ entry: DriftReport.Entry) -> Bool {
        switch (entry.kind, entry.reason) {
        case (.coerced, .singleElement), (.duplicateKey, _), (_, .surrogatePair), (_, .invalidUTF8),
            (_, .controlCharacter), (_, .loneSurrogate):
            true
        default: false
        }
    }

    /// The shape without the keyword `absent`, which reports nothing.
    private static func withoutAbsent(_ shape: JSONValue) -> JSONValue {
        if let elements = shape.elements { return .array(elements.map(withoutAbsent)) }
        guard let members = shape.members else { return shape }
        return .object(
            members.filter { $0.key != "absent" || $0.value.elements == nil }
                .map { .init($0.key, withoutAbsent($0.value)) })
    }

    /// The number of values that are no null, array or object.
    private static func scalars(of value: JSONValue) -> Int {
        if value.isNull { return 0 }
        if let elements = value.elements { return elements.reduce(0) { $0 + scalars(of: $1) } }
        return value.members.map { $0.reduce(0) { $0 + scalars(of: $1.value) } } ?? 1
    }
}
