import API
package import HTTPCore
public import JSONText
public import Records

/// The addresses to listen on, in the setting `listen`: a string, or a list of strings.
public struct ListenAddresses: Equatable, Sendable {
    private static let maximumCount = 8

    /// The addresses, each `HOST:PORT`, `unix:PATH` or `fd:NUMBER`.
    package let texts: [String]

    /// A single address.
    public init(_ text: String) { texts = [text] }

    private init(texts: [String]) { self.texts = texts }

    /// The addresses, without malformed ones.
    package var addresses: [SocketAddress] { texts.compactMap { SocketAddress($0) } }

    /// Notes malformed addresses, and those that are listed twice.
    package func check(_ note: SettingNotes<Configuration>) {
        for (index, text) in texts.enumerated() {
            if SocketAddress(text) == nil {
                note(\.listen, at: place(index), Self.fault(text))
            } else if texts[..<index].contains(text) {
                note(\.listen, at: place(index), "must be unique, but \(Quotation.quote(text)) is listed twice")
            }
        }
    }

    /// Returns the fault of a text that is no address.
    package static func fault(_ text: String) -> String {
        "must be HOST:PORT, unix:PATH or fd:NUMBER, not \(Quotation.quote(text))"
    }

    package func place(_ index: Int) -> String { texts.count == 1 ? "" : "[\(index)]" }
}

extension ListenAddresses: FieldValue {
    /// What the setting takes.
    public static var expectation: String { "a string or a list of 1 to \(maximumCount) strings" }

    /// Reads a string or a list of 1 to 8 strings.
    public static func read(
        _ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader
    ) -> ListenAddresses? {
        let texts = node.isString ? [node.string] : node.kind == .array ? node.elements.map(\.string) : []
        guard 1...maximumCount ~= texts.count, case let known = texts.compactMap({ $0 }), known.count == texts.count
        else { return reader.fail(.mistyped) }
        return ListenAddresses(texts: known)
    }

    /// Writes a single address as a string.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        if texts.count == 1 {
            texts[0].write(to: &writer, style: style)
        } else {
            texts.write(to: &writer, style: style)
        }
    }

    /// A string, or a list of strings.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        let list = JSONValue.object([
            .init("type", .string("array")), .init("items", String.schema(in: &components)),
            .init("minItems", .number("1")), .init("maxItems", .number("\(maximumCount)")),
        ])
        return .object([.init("anyOf", .array([String.schema(in: &components), list]))])
    }
}
