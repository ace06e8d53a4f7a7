public import JSONText
import LenientCoding

/// How one kind of upstream speaks: how to ask it, and how to read what it says.
///
/// Pure: the same value serves requests, the command line, tests and benchmarks.
public struct Dialect: Sendable {
    /// The name in configurations and in `weir normalize --as`.
    public let name: String
    /// Where the key goes.
    public let keyPlace: KeyLocation
    let target: @Sendable (ForecastQuery) -> String
    let read: @Sendable (JSONNode, ForecastQuery?) throws(ContractError) -> (forecast: Forecast, drift: DriftReport)
    let upstreamError: @Sendable (JSONNode) -> String?

    /// Every dialect there is.
    public static let all: [Dialect] = [.darkSky, .pirateWeather, .openMeteo]

    /// The dialect called `name`, or nil.
    public static func named(_ name: String) -> Dialect? { all.first { $0.name == name } }

    /// Whether upstreams of this dialect ask for a key.
    public var needsKey: Bool { keyPlace != .none }

    /// The path and query that ask an upstream for what `query` says, starting with `/`.
    ///
    /// The placeholder `{key}` stands where the upstream's key goes if that is the path; it is filled in when the
    /// request is sent and nowhere else.
    public func target(for query: ForecastQuery) -> String { target(query) }

    /// Makes the contract's document of an upstream's, in the form that `shaping` asks for.
    ///
    /// What comes out can go in again, as `darkSky`: that is how a whole document is shaped later. `query` is what the
    /// upstream was asked, where that is known.
    /// - Throws: `JSONSyntaxError` when it is not JSON, `ContractError` when required fields are missing or wrong.
    public func normalize(
        _ bytes: [UInt8], askedFor query: ForecastQuery? = nil, shaping: Shaping = Shaping(),
        options: JSONOptions = JSONOptions()
    ) throws -> Normalized {
        var parser = JSONParser(options: options)
        return try parser.withDocument(bytes) { root in
            let (forecast, drift) = try read(root, query)
            let body = JSONWriter.bytes(expecting: bytes.count) { forecast.write(to: &$0, shaping: shaping) }
            return Normalized(body: body, drift: drift)
        }
    }

    /// The message in the body of an upstream's error; nil when there is none to be found.
    ///
    /// In JSON it is of any length. A short line of plain text is a message too, and HTML is none.
    public func errorMessage(in bytes: [UInt8]) -> String? {
        var parser = JSONParser(options: JSONOptions(maximumBytes: 64 << 10, maximumDepth: 16))
        do {
            return try parser.withDocument(bytes) { upstreamError($0) }
        } catch {
            return Self.plainMessage(in: bytes)
        }
    }

    /// The one line of prose that `bytes` are, of at most 200 bytes; nil for markup and broken JSON.
    private static func plainMessage(in bytes: [UInt8]) -> String? {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0D ~= $0 }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) }),
            last - first < 200, !"{[\"".utf8.contains(bytes[first]),
            !bytes[first...last].contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "<") || $0 == 0x7F })
        else { return nil }
        return String(validating: bytes[first...last], as: UTF8.self)
    }
}
