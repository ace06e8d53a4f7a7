/// How suites are to be run.
struct SuiteOptions {
    /// About how long a suite may measure.
    var seconds = 30.0
    /// Whether recorded documents are left alone even where they are.
    var usesGeneratedDocuments = false
}

/// Figures that belong together.
protocol Suite {
    /// The name of the suite, with which the names of its figures begin.
    static var name: String { get }
    /// The figures' names.
    static var names: [String] { get }
    /// Makes documents and peers ready, and checks that everyone measured does the same work.
    init(_ options: SuiteOptions) throws
    /// Everything that can be looked at on its own.
    func contestants() throws -> [Contestant]
    /// Measures, and tells each figure as it is known.
    func run(_ tell: (Figure) -> Void) throws
}

/// The suites there are; a new one is a file beside this and an entry here.
enum Suites {
    static var all: [any Suite.Type] { [JSONSuite.self, ForecastSuite.self, TweetsSuite.self, GatewaySuite.self] }

    static func named(_ name: String) throws -> any Suite.Type {
        guard let suite = all.first(where: { $0.name == name }) else {
            throw NoSuchSuite(name: name, names: all.map { $0.name })
        }
        return suite
    }
}

/// A suite that is not there.
struct NoSuchSuite: Error, CustomStringConvertible {
    let name: String, names: [String]

    var description: String { "no suite is called \(name); there are \(names.joined(separator: ", "))" }
}
