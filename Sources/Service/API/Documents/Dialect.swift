package import JSONText

/// The API of one kind of upstream: how to make requests, and how to read answers.
///
/// A dialect does no I/O: the server, the command line, tests and benchmarks share one value.
public protocol Dialect: Sendable {
    /// All dialects of this type.
    static var all: [Self] { get }

    /// The name in configurations and in `weir normalize --as`.
    var name: String { get }
    /// Where a request carries the API key, if there is one.
    var keyLocation: KeyLocation { get }
    /// Whether requests must carry an API key.
    var needsKey: Bool { get }
    /// The names of the parameters in requests of all kinds: a key cannot have one of them.
    var parameterNames: Set<String> { get }

    /// Returns the host that takes a key in place of `host`, which takes none; nil if `host` may be asked with a key.
    func hostForKey(insteadOf host: String) -> String?
}

extension Dialect {
    /// Returns the dialect called `name`, or nil.
    public static func named(_ name: String) -> Self? { all.first { $0.name == name } }

    /// Returns nil: every host may be asked with a key.
    public func hostForKey(insteadOf host: String) -> String? { nil }

    /// Passes the body of an upstream's error to `read`.
    /// - Throws: `JSONSyntaxError` if `bytes` are not JSON, or more than 64 KiB.
    package func readError<Result>(_ bytes: [UInt8], _ read: (JSONNode) -> Result) throws -> Result {
        var parser = JSONParser(options: JSONOptions(maximumBytes: 64 << 10, maximumDepth: 16, leniency: .upstream))
        return try parser.withDocument(bytes, read)
    }
}

/// Where a request to an upstream carries the API key.
public enum KeyLocation: Sendable, Equatable {
    /// Requests carry no key.
    case none
    /// In the path, in place of `{key}` in the target.
    case path
    /// In the header field of this name, never in the URL.
    case header(String)
    /// In the header field `Authorization`, as a bearer token (RFC 6750 §2.1).
    case bearer
    /// In the query, as the parameter of this name.
    case query(String)
    /// In the header field `Authorization`, as a user and a password (RFC 7617 §2); the key is `USER:PASSWORD`.
    case basic
}

extension KeyLocation {
    /// Returns the names of the parameters in requests to `targets`, which need no decoding: a key cannot have one of them.
    package static func parameterNames(in targets: [String]) -> Set<String> {
        let queries = targets.compactMap { $0.split(separator: "?", maxSplits: 1).dropFirst().first }
        return Set(queries.flatMap { $0.split(separator: "&") }.map { String($0.prefix { $0 != "=" }) })
    }
}

/// An upstream's document that is an error: thrown by the dialects that recognize such documents.
public protocol UpstreamRefusal: Error {
    /// The upstream's message.
    var message: String { get }
    /// The status that the error means; nil if the dialect does not know.
    var status: Int? { get }
}

/// Why a document of an upstream gives no answer, in words for a problem.
public protocol UnusableDocument: Error, CustomStringConvertible {}
