/// The options of a run.
struct SuiteOptions {
    /// The approximate duration of a suite.
    var seconds = 30.0
    /// Whether generated documents are used although recorded ones are available.
    var usesGeneratedDocuments = false
}

/// A group of figures.
protocol Suite {
    /// The name of the suite and the prefix of its figures.
    static var name: String { get }
    /// The names of the figures.
    static var names: [String] { get }
    /// Prepares documents and peers and checks that all contestants do the same work.
    init(_ options: SuiteOptions) throws
    /// Returns the contestants that `--profile` can run.
    func contestants() throws -> [Contestant]
    /// Measures and reports each figure as soon as it is known.
    func run(_ report: (Figure) -> Void) throws
}

/// All suites.
enum Suites {
    static var all: [any Suite.Type] {
        [
            JSONSuite.self, ShapesSuite.self, ForecastSuite.self, TweetsSuite.self, GatewaySuite.self, ClientSuite.self,
            ServerSuite.self, CacheSuite.self, HitRatioSuite.self, RoutesSuite.self, SharedSuite.self,
        ]
    }

    static func named(_ name: String) throws -> any Suite.Type {
        guard let suite = all.first(where: { $0.name == name }) else {
            throw NoSuchSuite(name: name, names: all.map { $0.name })
        }
        return suite
    }
}

/// The name of a suite is wrong.
struct NoSuchSuite: Error, CustomStringConvertible {
    let name: String, names: [String]

    var description: String { "there is no suite \(name); the suites are \(names.joined(separator: ", "))" }
}
