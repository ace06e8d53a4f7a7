#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import JSONText

/// The encoder of one value, and its single value container.
///
/// The values in one array or object mostly use one encoder in turns; see `recycle`.
final class ValueEncoder: CodingPath, DocumentEncoder, SingleValueEncodingContainer {
    let branch: EncodingBranch
    // Unchecked as in `EncodingBranch`: no code of a model runs while one of these is accessed.
    @exclusivity(unchecked) private(set) var step: PathStep
    @exclusivity(unchecked) private(set) var parent: ValueEncoder?
    let depth: Int
    /// Whether the value is encoded as a dictionary, whose keys no strategy converts.
    private let isDictionary: Bool
    /// The spellings of an object's keys; nil for a dictionary, whose keys no strategy converts.
    @exclusivity(unchecked) private var objectKeys: ObjectKeys?
    /// An encoder for the next value in this one.
    @exclusivity(unchecked) private var spare: ValueEncoder?

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
        if branch.begin(.object, at: depth) {
            if isDictionary || hasKeys(of: type) { return KeyedEncodingContainer(KeyedWriter<Key>(self)) }
            return ValueEncoder(branch, depth: depth, step, of: parent).container(keyedBy: type)
        }
        return KeyedEncodingContainer(KeyedWriter<Key>(refused(.object)))
    }

    /// Returns whether the members' keys are of a type, which is true for the first type.
    private func hasKeys(of type: any CodingKey.Type) -> Bool {
        if let hasKeys = objectKeys?.have(type) { return hasKeys }
        objectKeys = ObjectKeys(spellings: branch.state.spellings(of: type))
        return true
    }

    /// Begins a member; returns false if the object is not open.
    @inline(__always)
    func beginMember(_ key: some CodingKey) -> Bool {
        beginKnownMember(key.stringValue) ?? branch.beginNewMember(key, objectKeys?.spellings, of: self)
    }

    /// Writes a member; returns false if its key has no known spelling, or if there may be an error.
    @inline(never)
    func writeKnownMember<Value: WritableScalar>(_ value: Value, _ name: String) -> Bool {
        guard value.nonFinite == nil, beginKnownMember(name) == true else { return false }
        branch.write(value)
        return true
    }

    @inline(never)
    private func beginKnownMember(_ name: String) -> Bool? { objectKeys?.begin(name, at: depth, in: branch) }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedWriter(begun(.array)) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Begins a container and returns its encoder.
    private func begun(_ kind: EncodingText.Kind) -> ValueEncoder {
        branch.begin(kind, at: depth) ? self : refused(kind)
    }

    /// Returns the encoder of a container that must not be encoded here; its text is ignored.
    private func refused(_ kind: EncodingText.Kind) -> ValueEncoder {
        ValueEncoder(branch.refused(self), depth: 0, step, of: parent, isDictionary: isDictionary).begun(kind)
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
        switch branch.state.collections.kind(of: type) {
        case .other: try value.encode(to: self)
        case .direct(let collection): try encodeDirectly(value, as: collection)
        case .dictionary:
            try value.encode(to: ValueEncoder(branch, depth: depth, step, of: parent, isDictionary: true))
        }
    }

    /// Encodes a collection of the given type without a container.
    private func encodeDirectly<Collection: DirectlyEncodable>(_ value: some Any, as type: Collection.Type) throws {
        // The cast does not fail.
        switch value {
        case let collection as Collection:
            try collection.encodeElements(to: begun(Collection.isObject ? .object : .array))
        default: break
        }
    }

    // MARK: Values in this one

    /// Returns an encoder of a value in this one.
    func child(_ step: consuming PathStep) -> ValueEncoder {
        guard let child = spare.take() else { return ValueEncoder(branch, depth: depth + 1, step, of: self) }
        // Swapped, because an assignment would run the deinitializer of a model's key during the access.
        swap(&child.step, &step)
        child.parent = self
        return child
    }

    /// Keeps an encoder for the next value in the same parent, unless the model still refers to it.
    ///
    /// A spare encoder has no parent, so that it is in no cycle of references.
    private static func recycle(_ encoder: consuming ValueEncoder) {
        guard isKnownUniquelyReferenced(&encoder), let parent = encoder.parent.take() else { return }
        encoder.objectKeys?.isOpen = false
        parent.spare = consume encoder
    }

    /// Encodes a value in this one, the element or member that `begin` begins.
    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, _ begin: () -> Bool, _ step: () -> PathStep) throws {
        if try branch.encodeScalar(value, begin, { child(step()) }) { return }
        try branch.nest(begin, { child(step()) }) {
            let encoder = child(step())
            try encoder.encodeItself(value)
            Self.recycle(consume encoder)
        }
    }

    // MARK: Scalars

    private func begin() -> Bool { branch.beginScalar(at: depth) }
    private func path() -> ValueEncoder { self }

    @inline(__always)
    private func scalar<Value: WritableScalar>(_ value: Value) throws { try branch.write(value, begin, path) }

    func encode<Value: WritableScalar>(_ value: Value) throws { try scalar(value) }
    // Stated: the requirements for integers of 128 bits have default implementations, which fail.
    func encode(_ value: Int128) throws { try scalar(value) }
    func encode(_ value: UInt128) throws { try scalar(value) }
}

/// The spellings of the keys of an object that is being written.
///
/// The methods are mutating, so that they are called in place: a copy would count a reference for each member.
private struct ObjectKeys {
    let spellings: KeySpellings

    /// Whether the object is being written; false in an encoder that may be used for another object.
    var isOpen = true

    /// Returns whether the keys are of a type; nil if the object is not open and has keys of another type.
    mutating func have(_ type: any CodingKey.Type) -> Bool? {
        let hasType = spellings.type == type
        if hasType { isOpen = true }
        return hasType || isOpen ? hasType : nil
    }

    /// Begins a member with a key of known spelling; returns nil if it is not known, false if the object is not open.
    @inline(__always)
    mutating func begin(_ name: String, at depth: Int, in branch: EncodingBranch) -> Bool? {
        branch.beginMember(name, spelledBy: spellings, at: depth)
    }
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
        } else if type == UUID.self, let uuid = value as? UUID {
            try write(uuid, begin, path)
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
