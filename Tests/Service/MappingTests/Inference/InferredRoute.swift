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
        let absent = drift.entries.filter { $0.kind == .defaulted }.reduce(0) { $0 + $1.count }
        let now = Self.scalars(of: body) + absent
        let hasRepeatedKeys = drift.entries.contains { $0.kind == .duplicateKey }
        if before != now, !hasRepeatedKeys, drift.unlisted == 0 { losses.append("\(before) values, and then \(now)") }
        return losses
    }

    /// Whether a repair is one that the comments of the route announce, or one of the document's text.
    private static func isAnnounced(_ entry: DriftReport.Entry) -> Bool {
        switch (entry.kind, entry.reason) {
        case (.coerced, .numericString), (.coerced, .booleanText), (.coerced, .singleElement), (.defaulted, .sentinel),
            (.duplicateKey, _), (_, .surrogatePair), (_, .invalidUTF8), (_, .controlCharacter), (_, .loneSurrogate):
            true
        default: false
        }
    }

    /// The number of values that are no null, array or object.
    private static func scalars(of value: JSONValue) -> Int {
        if value.isNull { return 0 }
        if let elements = value.elements { return elements.reduce(0) { $0 + scalars(of: $1) } }
        return value.members.map { $0.reduce(0) { $0 + scalars(of: $1.value) } } ?? 1
    }
}
