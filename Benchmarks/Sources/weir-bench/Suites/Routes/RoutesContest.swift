import API
import JMESPath
import JSONText
import Mapping

/// A shape and an edit on one document; the peers apply the rules of the shape.
final class RoutesContest {
    /// The size of the document, for the names of figures.
    let size: String
    private let document: [UInt8]
    private let shape: Shape
    private let peers: [(name: String, worker: Worker)]
    private var parser = JSONParser()
    private var edit: JSONTransform
    /// An edit with a path that leads into every object.
    private var deepEdit: JSONTransform
    private var transform = JSONTransform(keys: .camel, nulls: .keep)

    init(_ size: String, observations: Int) throws {
        self.size = size
        document = GeneratedObservations.document(of: observations)
        var faults: [String] = []
        let shape = Shape(ObservationRules.shape, parameters: []) { faults.append("\($0): \($1)") }
        guard let shape else { throw Unusable(faults: faults) }
        self.shape = shape
        edit = try Self.edit(removing: "observations[*].temperature.quality_control")
        deepEdit = try Self.edit(removing: "**.quality_control")
        let workers: [(String, Worker?)] = [
            ("go", .goJMESPath(ObservationRules.expression, document)), ("jq", .jq(ObservationRules.filter, document)),
            ("python", .pythonJMESPath(ObservationRules.expression, document)),
        ]
        peers = workers.compactMap { name, worker in worker.map { (name, $0) } }
        Terminal.say("routes.\(size): generated observations, \(document.count) bytes")
        try check()
    }

    private static func edit(removing path: String) throws -> JSONTransform {
        try DocumentEdit(
            remove: ["observations[*].raw_message", path],
            rename: [("observations[*].text_description", "summary"), ("observations[*].cloud_layers", "clouds")]
        ).makeTransform()
    }

    /// Whether a peer has started.
    func has(_ peer: String) -> Bool { peers.contains { $0.name == peer } }

    /// The contestants.
    var contestants: [Contestant] {
        [
            Contestant("shape") { [self] in keep(try shape.normalize(document).body) },
            Contestant("edit") { [self] in keep(try parser.withDocument(document) { edit.bytes(of: $0) }) },
            Contestant("deepEdit") { [self] in keep(try parser.withDocument(document) { deepEdit.bytes(of: $0) }) },
            Contestant("transform") { [self] in keep(try parser.withDocument(document) { transform.bytes(of: $0) }) },
        ] + peers.map { name, worker in Contestant(elsewhere: name) { try worker.run($0) } }
    }

    /// Returns the contestants and their common part, for a profiler.
    func profiles() -> [Contestant] {
        let parse = Contestant("parse") { [self] in try parser.withDocument(document) { keep($0.kind) } }
        return (contestants + [parse]).map { Contestant(elsewhere: "routes.\(size).\($0.name)", run: $0.run) }
    }

    /// Measures for about `seconds`.
    func run(seconds: Double) throws -> Contest.Results {
        let results = try Contest(contestants: contestants).run(seconds: seconds)
        Terminal.say("routes.\(size): \(results.summary)")
        return results
    }

    /// Throws unless the answers of all peers have the values of the shape's answer; null is the same as absent.
    private func check() throws {
        let expected = try shape.normalize(document).body
        for (name, worker) in peers {
            guard try Self.areEqual(worker.answer(), expected) else { throw OtherAnswer(size: size, peer: name) }
        }
    }

    /// Whether two answers have the same values; null is the same as absent.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) throws -> Bool {
        var parser = JSONParser(), otherParser = JSONParser()
        let (left, right) = (try withoutNulls(left), try withoutNulls(right))
        return try parser.withDocument(left) { left in
            try otherParser.withDocument(right) { right in
                var context = JMESContext(root: .null)
                return try JMESValue.node(left).isEqual(to: .node(right), in: &context)
            }
        }
    }

    private static func withoutNulls(_ answer: [UInt8]) throws -> [UInt8] {
        var parser = JSONParser()
        var transform = JSONTransform(keys: .keep, nulls: .drop)
        return try parser.withDocument(answer) { transform.bytes(of: $0) }
    }

    /// The answer of a peer has other values than that of the shape.
    private struct OtherAnswer: Error, CustomStringConvertible {
        let size: String, peer: String

        var description: String { "routes.\(size): the answer of \(peer) has other values than that of the shape" }
    }

    /// The shape has faults.
    private struct Unusable: Error, CustomStringConvertible {
        let faults: [String]

        var description: String { "the shape of the suite has faults: " + faults.joined(separator: "; ") }
    }
}
