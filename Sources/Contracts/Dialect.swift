public import JSONText
import LenientCoding

/// How one kind of upstream speaks: how to ask it, and how to read what it says.
///
/// Pure: the same value serves requests, the command line, tests and benchmarks.
public struct Dialect: Sendable {
    /// The name in configurations and in `weir normalize --as`.
    public let name: String
    /// The path and query that ask for one document, with `{key}` where the key goes.
    let target: @Sendable (ForecastQuery) -> String
    let read: @Sendable (JSONNode, inout JSONWriter) throws(ContractError) -> DriftReport
    let upstreamError: @Sendable (JSONNode) -> String?

    /// Every dialect there is.
    public static let all: [Dialect] = [.darkSky]

    /// The dialect called `name`, or nil.
    public static func named(_ name: String) -> Dialect? { all.first { $0.name == name } }

    /// Whether upstreams of this dialect ask for a key.
    public var needsKey: Bool { target(ForecastQuery(latitude: 0, longitude: 0)).contains("{key}") }

    /// The path and query that ask an upstream for what `query` says, starting with `/`.
    ///
    /// The placeholder `{key}` stands where the upstream's key goes; it is filled in when the request is sent and
    /// nowhere else.
    public func target(for query: ForecastQuery) -> String { target(query) }

    /// Makes the contract's document of an upstream's.
    /// - Throws: `JSONSyntaxError` when it is not JSON, `ContractError` when required fields are missing or wrong.
    public func normalize(_ bytes: [UInt8], options: JSONOptions = JSONOptions()) throws -> Normalized {
        var parser = JSONParser(options: options)
        return try parser.withDocument(bytes) { root in
            var writer = JSONWriter(capacity: bytes.count)
            let drift = try read(root, &writer)
            return Normalized(body: writer.bytes, drift: drift)
        }
    }

    /// The message in the body of an upstream's error, of any length; nil when there is none to be found.
    public func errorMessage(in bytes: [UInt8]) -> String? {
        var parser = JSONParser(options: JSONOptions(maximumBytes: 64 << 10, maximumDepth: 16))
        return (try? parser.withDocument(bytes) { upstreamError($0) }) ?? nil
    }
}

/// What a client may ask of a forecast.
public struct ForecastQuery: Sendable {
    /// The place, in degrees: -90…90 and -180…180.
    public var latitude: Double, longitude: Double

    /// The weather at a place.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
