import EventLoop

/// The addresses to listen on, in the setting `listen`: a string, or a list of strings.
public struct ListenAddresses: Codable, Equatable, Sendable {
    private static let maximumCount = 8

    /// The addresses, each `HOST:PORT`, `unix:PATH` or `fd:NUMBER`.
    let texts: [String]

    /// A single address.
    public init(_ text: String) { texts = [text] }

    /// Reads a string or a list of 1 to 8 strings.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let texts = (try? container.decode(String.self)).map { [$0] } ?? (try? container.decode([String].self)) ?? []
        guard 1...Self.maximumCount ~= texts.count else {
            var faults = ConfigurationFaults()
            faults.note("listen", "must be a string or a list of 1 to \(Self.maximumCount) strings")
            throw faults
        }
        self.texts = texts
    }

    /// Writes a single address as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if texts.count == 1 { try container.encode(texts[0]) } else { try container.encode(texts) }
    }

    /// The addresses, without malformed ones.
    var addresses: [SocketAddress] { texts.compactMap { SocketAddress($0) } }

    /// Notes malformed addresses, and those that are listed twice.
    func check(_ faults: inout ConfigurationFaults) {
        for (index, text) in texts.enumerated() {
            let path = texts.count == 1 ? "listen" : "listen[\(index)]"
            if SocketAddress(text) == nil {
                faults.note(path, "must be HOST:PORT, unix:PATH or fd:NUMBER, not \"\(text)\"")
            } else if texts[..<index].contains(text) {
                faults.note(path, "must be unique, but \"\(text)\" is listed twice")
            }
        }
    }
}
