#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import JSONText

/// The encoder of one value, and its single value container.
final class ValueEncoder: CodingPath, DocumentEncoder, SingleValueEncodingContainer {
    let branch: EncodingBranch
    let step: PathStep
    let parent: ValueEncoder?
    let depth: Int
    /// Whether the value is encoded as a dictionary, whose keys no strategy converts.
    private let isDictionary: Bool
    /// The index of the spellings of an object's keys; nil for a dictionary, whose keys no strategy converts.
    @exclusivity(unchecked) private(set) var spellings: Int?

    init(
        _ branch: EncodingBranch, depth: Int, _ step: PathStep, of parent: ValueEncoder?, isDictionary: Bool = false
    ) {
        self.branch = branch
        self.step = step
        self.parent = parent
        self.depth = depth
        self.isDictionary = isDictionary
    }

    var codingPath: [any CodingKey] { keys }
    var userInfo: [CodingUserInfoKey: Any] { branch.state.userInfo }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedWriter<Key>(begun(.object).object(keyedBy: type)))
    }

    /// Returns this encoder for the keys of a type, or a copy if it already has other keys.
    private func object(keyedBy type: any CodingKey.Type) -> ValueEncoder {
        if isDictionary { return self }
        let index = branch.state.spellings(of: type)
        if spellings == nil { spellings = index }
        if spellings == index { return self }
        return ValueEncoder(branch, depth: depth, step, of: parent).object(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedWriter(begun(.array)) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Begins a container and returns its encoder.
    private func begun(_ kind: EncodingText.Kind) -> ValueEncoder {
        if branch.begin(kind, at: depth) { return self }
        return ValueEncoder(branch.refused(self), depth: 0, step, of: parent, isDictionary: isDictionary).begun(kind)
    }

    func encodeNil() throws { try scalar(Null()) }
    func writeText(_ body: (inout JSONWriter) -> Void) throws { try branch.write(begin, path, body) }

    func encode<Value: Encodable>(_ value: Value) throws {
        if try !branch.encodeScalar(value, begin, path) { try encodeItself(value) }
    }

    /// Encodes a value that is not written as a scalar.
    func encodeItself<Value: Encodable>(_ value: Value) throws {
        let type = Value.self
        if type == Date.self, case .custom(let write) = branch.state.configuration.dateEncodingStrategy,
            let date = value as? Date
        {
            return try write(date, self)
        }
        if type == Data.self, case .custom(let write) = branch.state.configuration.dataEncodingStrategy,
            let data = value as? Data
        {
            return try write(data, self)
        }
        guard branch.state.dictionaries.contain(type) else { return try value.encode(to: self) }
        try value.encode(to: ValueEncoder(branch, depth: depth, step, of: parent, isDictionary: true))
    }

    private func begin() -> Bool { branch.beginScalar(at: depth) }
    private func path() -> ValueEncoder { self }

    @inline(__always)
    private func scalar<Value: WritableScalar>(_ value: Value) throws { try branch.write(value, begin, path) }

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

// MARK: Types that do not use their own encode(to:)

extension EncodingBranch {
    /// Encodes a value that is written as a scalar; returns false for any other type.
    @inline(__always)
    func encodeScalar<Value: Encodable>(
        _ value: Value, _ begin: () -> Bool, _ path: () -> ValueEncoder
    ) throws -> Bool {
        try ScalarRules.apply(to: Value.self) && encodeByRules(value, begin, path)
    }

    private func encodeByRules<Value: Encodable>(
        _ value: Value, _ begin: () -> Bool, _ path: () -> ValueEncoder
    ) throws -> Bool {
        let type = Value.self
        // The casts do not fail.
        if type == String.self, let text = value as? String {
            try write(text, begin, path)
        } else if type == Int.self, let integer = value as? Int {
            try write(integer, begin, path)
        } else if type == Double.self, let number = value as? Double {
            try write(number, begin, path)
        } else if type == Date.self, let date = value as? Date {
            return try encodeScalar(of: date, begin, path)
        } else if type == URL.self, let url = value as? URL {
            try write(url.absoluteString, begin, path)
        } else if type == Decimal.self, let decimal = value as? Decimal {
            try write(decimal, begin, path)
        } else if type == Data.self, let data = value as? Data {
            guard case .base64 = state.configuration.dataEncodingStrategy else { return false }
            try write(data.base64EncodedString(), begin, path)
        } else {
            return false
        }
        return true
    }

    private func encodeScalar(of date: Date, _ begin: () -> Bool, _ path: () -> ValueEncoder) throws -> Bool {
        switch state.configuration.dateEncodingStrategy {
        case .deferredToDate: try write(date.timeIntervalSinceReferenceDate, begin, path)
        case .secondsSince1970: try write(date.timeIntervalSince1970, begin, path)
        case .millisecondsSince1970: try write(date.timeIntervalSince1970 * 1000, begin, path)
        case .iso8601: try write(ISO8601.string(from: date), of: date, begin, path)
        case .format(let format): try write(format.string(from: date), of: date, begin, path)
        case .custom: return false
        }
        return true
    }

    private func write(
        _ text: String?, of date: Date, _ begin: () -> Bool, _ path: () -> ValueEncoder
    ) throws {
        guard let text else {
            throw EncodingError.invalidValue(
                date,
                EncodingError.Context(
                    codingPath: path().keys, debugDescription: "The format has no text for the date."))
        }
        try write(text, begin, path)
    }
}
