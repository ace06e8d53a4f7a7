import API
import JSONText
import Mapping
import Records

/// A shape that joins 2,500 rows with 2,500 others, and a program in Go that does so with structs and a map.
final class JoinContest {
    private static let rows = 2500
    private static let rules: JSONValue = [
        "let": ["by": "index_by(authors, &id)"],
        "from": "books",
        "items": ["properties": ["title": "title", "author": "lookup($by, author).name"]],
    ]

    private let document: [UInt8]
    private let shape: Shape
    private let peer: Worker?

    init() throws {
        document = Self.document
        guard let shape = Shape(Self.rules, parameters: [], note: { Terminal.say("\($0): \($1)") }) else {
            throw Unusable()
        }
        self.shape = shape
        peer = .goJMESPath("join", document)
        if let peer, try !RoutesContest.areEqual(peer.answer(), shape.normalize(document).body) { throw Unusable() }
        if peer == nil { Terminal.say("skipped: routes.join.vsGo, go-jmespath is not built: see README.md") }
    }

    /// Books whose authors are in any order; every tenth has none, and some have one that is not there.
    private static var document: [UInt8] {
        var generator = SplitMix64(seed: 56)
        let books = (0..<rows).map { index in
            let author = index % 10 == 0 ? "null" : "\(1000 + Int(generator.next() % UInt64(rows + 20)))"
            return #"{"title":"The book of \#(index)","author":\#(author)}"#
        }
        let authors = (0..<rows).map { #"{"id":\#(1000 + $0),"name":"Author \#($0)","born":\#(1800 + $0 % 200)}"# }
        return Array(
            #"{"books":[\#(books.joined(separator: ","))],"authors":[\#(authors.joined(separator: ","))]}"#.utf8)
    }

    /// Measures for about `seconds`.
    func run(seconds: Double) throws -> Contest.Results {
        let own = Contestant("shape") { [self] in keep(try shape.normalize(document).body) }
        let others = peer.map { peer in [Contestant(elsewhere: "go") { try peer.run($0) }] } ?? []
        let results = try Contest(contestants: [own] + others).run(seconds: seconds)
        Terminal.say("routes.join: \(document.count) bytes, \(results.summary)")
        return results
    }

    /// The shape has faults, or the peer's answer has other values.
    private struct Unusable: Error, CustomStringConvertible {
        var description: String { "routes.join: the shape has faults, or Go's answer has other values" }
    }
}
