#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import JSONText

/// The encoder of one value, and its single value container.
struct ValueEncoder: DocumentEncoder, SingleValueEncodingContainer {
    // These fields fit into three words, so that an existential stores them without an allocation.
    private let branch: EncodingBranch
    private let path: CodingPath
    private let depth: Int32
    /// Whether the value is encoded as a dictionary, whose keys no strategy converts.
    private var isDictionary = false

    init(_ branch: EncodingBranch, depth: Int, _ path: CodingPath) {
        self.branch = branch
        self.path = path
        self.depth = Int32(depth)
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { branch.state.userInfo }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        branch.keyedContainer(at: Int(depth), isDictionary: isDictionary, path)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { branch.unkeyedContainer(at: Int(depth), path) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { try scalar(Null()) }
    func writeText(_ body: (inout JSONWriter) -> Void) throws { try branch.write(.value, at: Int(depth), path, body) }

    func encode<Value: Encodable>(_ value: Value) throws {
        let type = Value.self
        // The casts do not fail. The first three types only take a shorter way; the others have strategies or rules.
        if type == String.self, let text = value as? String { return try scalar(text) }
        if type == Int.self, let integer = value as? Int { return try scalar(integer) }
        if type == Double.self, let number = value as? Double { return try scalar(number) }
        if type == Date.self, let date = value as? Date { return try encode(date) }
        if type == URL.self, let url = value as? URL { return try scalar(url.absoluteString) }
        if type == Decimal.self, let decimal = value as? Decimal { return try scalar(decimal) }
        if type == Data.self, let data = value as? Data { return try encode(data) }
        var encoder = self
        encoder.isDictionary = type is any KeyedByData.Type
        try value.encode(to: encoder)
    }

    private func encode(_ date: Date) throws {
        switch branch.state.configuration.dateEncodingStrategy {
        case .deferredToDate: try scalar(date.timeIntervalSinceReferenceDate)
        case .secondsSince1970: try scalar(date.timeIntervalSince1970)
        case .millisecondsSince1970: try scalar(date.timeIntervalSince1970 * 1000)
        case .iso8601: try encode(ISO8601.string(from: date), of: date)
        case .format(let format): try encode(format.string(from: date), of: date)
        case .custom(let write): try write(date, self)
        }
    }

    private func encode(_ text: String?, of date: Date) throws {
        guard let text else {
            throw EncodingError.invalidValue(
                date,
                EncodingError.Context(codingPath: path.keys, debugDescription: "The format has no text for the date."))
        }
        try scalar(text)
    }

    private func encode(_ data: Data) throws {
        switch branch.state.configuration.dataEncodingStrategy {
        case .deferredToData: try data.encode(to: self)
        case .base64: try scalar(data.base64EncodedString())
        case .custom(let write): try write(data, self)
        }
    }

    @inline(__always)
    private func scalar<Value: WritableScalar>(_ value: Value) throws {
        try branch.write(value, .value, at: Int(depth), path)
    }

    func encode(_ value: Bool) throws { try scalar(value) }
    func encode(_ value: String) throws { try scalar(value) }
    func encode(_ value: Double) throws { try scalar(value) }
    func encode(_ value: Float) throws { try scalar(value) }
    func encode(_ value: Int) throws { try scalar(value) }
    func encode(_ value: Int8) throws { try scalar(value) }
    func encode(_ value: Int16) throws { try scalar(value) }
    func encode(_ value: Int32) throws { try scalar(value) }
    func encode(_ value: Int64) throws { try scalar(value) }
    func encode(_ value: Int128) throws { try scalar(value) }
    func encode(_ value: UInt) throws { try scalar(value) }
    func encode(_ value: UInt8) throws { try scalar(value) }
    func encode(_ value: UInt16) throws { try scalar(value) }
    func encode(_ value: UInt32) throws { try scalar(value) }
    func encode(_ value: UInt64) throws { try scalar(value) }
    func encode(_ value: UInt128) throws { try scalar(value) }
}
