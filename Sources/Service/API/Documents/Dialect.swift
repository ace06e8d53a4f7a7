import CivilDates
package import JSONText
package import Records

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

/// A value in an upstream's form, which is read and never written.
package protocol WireValue: FieldValue {}

extension WireValue {
    /// Writes `null`; only the protocol requires this.
    package func write(to writer: inout JSONWriter, style: WritingStyle) { writer.writeNull() }
}

/// A date in ISO 8601 with any fraction or zone, a day alone, or unix seconds in a number or a string.
package struct ISODate: WireValue {
    package let time: UnixSeconds

    package init(time: UnixSeconds) { self.time = time }

    /// The years 0001 to 9999, which ISO 8601 can write.
    package static let writable = -62_135_596_800.0..<253_402_300_800

    package static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> ISODate? {
        guard let seconds = seconds(of: node), writable.contains(seconds) else { return nil }
        return ISODate(time: UnixSeconds(seconds))
    }

    package static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> ISODate? {
        readPlain(node, rules) ?? reader.fail(seconds(of: node) == nil ? .mistyped : .implausible)
    }

    private static func seconds(of node: JSONNode) -> Double? {
        instant(of: node) ?? node.double ?? node.numericStringAsDouble
    }

    /// Returns the unix seconds of a date in ISO 8601, with or without spaces around; nil for other values.
    package static func instant(of node: JSONNode) -> Double? {
        // Without a string, normalizing a search of Twitter v2 takes 2 % fewer instructions.
        let timestamp =
            node.kind == .string ? Self.timestamp(node.text.span) : node.string.flatMap { Self.timestamp($0.utf8.span) }
        return timestamp?.instant.map { Double($0.seconds) + $0.fraction }
    }

    private static func timestamp(_ text: Span<UInt8>) -> ISO8601Timestamp? {
        ISO8601Timestamp(text.extracting(text.boundsWithoutSpace))
    }
}
