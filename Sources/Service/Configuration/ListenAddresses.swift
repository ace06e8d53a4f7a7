import Contracts
package import EventLoop

/// The addresses to listen on, in the setting `listen`: a string, or a list of strings.
public struct ListenAddresses: Codable, Equatable, Sendable {
    private static let maximumCount = 8

    /// The addresses, each `HOST:PORT`, `unix:PATH` or `fd:NUMBER`.
    package let texts: [String]

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
    package var addresses: [SocketAddress] { texts.compactMap { SocketAddress($0) } }

    /// Notes malformed addresses, and those that are listed twice.
    package func check(_ faults: inout ConfigurationFaults) {
        for (index, text) in texts.enumerated() {
            if SocketAddress(text) == nil {
                faults.note(path(index), "must be HOST:PORT, unix:PATH or fd:NUMBER, not \(Quotation.quote(text))")
            } else if texts[..<index].contains(text) {
                faults.note(path(index), "must be unique, but \(Quotation.quote(text)) is listed twice")
            }
        }
    }

    /// Notes the addresses, and the one for monitoring, at which the service cannot listen beside others of the list.
    package func checkOverlaps(withOperations operations: String?, _ faults: inout ConfigurationFaults) {
        for (index, text) in texts.enumerated() {
            guard let other = Self.overlap(of: text, among: texts[..<index]) else { continue }
            faults.note(
                path(index), "must be unique, but \(Quotation.quote(text)) overlaps \(Quotation.quote(other))")
        }
        guard let operations, let other = Self.overlap(of: operations, among: texts[...]) else { return }
        faults.note(
            "server.operationsListen",
            "must be unique, but \(Quotation.quote(operations)) overlaps \(Quotation.quote(other)) of listen")
    }

    private func path(_ index: Int) -> String { texts.count == 1 ? "listen" : "listen[\(index)]" }

    private static func overlap(of text: String, among others: ArraySlice<String>) -> String? {
        guard let address = SocketAddress(text) else { return nil }
        return others.first { SocketAddress($0)?.overlaps(address) == true }
    }
}
