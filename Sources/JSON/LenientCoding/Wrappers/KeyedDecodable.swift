/// A property wrapper that handles a missing key or null itself.
///
/// The wrappers of this module conform to it. The `init(from:)` that the compiler synthesizes calls
/// `decode(_:forKey:)`, which selects the overload for this protocol.
///
///     @propertyWrapper
///     struct EmptyIfMissing: KeyedDecodable {
///         var wrappedValue: String
///         init(from decoder: any Decoder) throws { wrappedValue = try String(from: decoder) }
///         init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
///             wrappedValue = try container.decodeIfPresent(String.self, forKey: key) ?? ""
///         }
///     }
public protocol KeyedDecodable: Decodable {
    /// Decodes the property for `key` from the container of its model.
    init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws
}

/// A property wrapper that can omit its key when it is encoded.
///
/// The wrappers of this module conform to it. The `encode(to:)` that the compiler synthesizes calls
/// `encode(_:forKey:)`, which selects the overload for this protocol.
///
///     @propertyWrapper
///     struct UnlessEmpty: KeyedEncodable {
///         var wrappedValue: String
///         var isLeftOut: Bool { wrappedValue.isEmpty }
///         func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
///     }
public protocol KeyedEncodable: Encodable {
    /// Whether the key is omitted.
    var isLeftOut: Bool { get }
}

extension KeyedDecodingContainer {
    /// Decodes a wrapped property; the wrapper handles a missing key.
    public func decode<Wrapper: KeyedDecodable>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper {
        try Wrapper(from: self, forKey: key)
    }

    /// Decodes a wrapper with its `init(from:)`: only an unconstrained call selects the container's own function.
    func decodeValue<Wrapper: Decodable>(forKey key: Key) throws -> Wrapper { try decode(Wrapper.self, forKey: key) }

    /// Decodes a wrapper with its `init(from:)`; wraps nil if its value is optional and missing or null.
    ///
    /// An optional value is decoded as such, so that `LenientDecoder` tolerates an invalid one.
    func decodeWrapper<Wrapper: Decodable, Value>(
        forKey key: Key, _ wrap: (Value, DecodingOutcome) -> Wrapper
    ) throws -> Wrapper {
        guard Value.self is any NilRepresentable.Type, let absent = absentValue(of: Value.self) else {
            return try decodeValue(forKey: key)
        }
        if let decoded = try decodeIfPresent(Wrapper.self, forKey: key) { return decoded }
        return wrap(absent, try isPresent(key) ? outcome(of: Wrapper.self, forKey: key) : .absent)
    }

    /// Decodes a value again that the decoder tolerated as nil, for its error; what the attempt notes is not kept.
    private func outcome<Wrapper: Decodable>(of type: Wrapper.Type, forKey key: Key) throws -> DecodingOutcome {
        let decoder = try superDecoder(forKey: key)
        let state = (decoder as? ValueDecoder)?.state
        let mark = state?.repairs.mark()
        defer { if let mark { state?.repairs.rollBack(to: mark) } }
        do {
            _ = try Wrapper(from: decoder)
            return .absent
        } catch {
            return .invalid(error)
        }
    }
}

extension KeyedEncodingContainer {
    /// Encodes a wrapped property, or omits its key.
    public mutating func encode<Wrapper: KeyedEncodable>(_ value: Wrapper, forKey key: Key) throws {
        if !value.isLeftOut { try encodeValue(value, forKey: key) }
    }

    /// Encodes a wrapper with its `encode(to:)`: only an unconstrained call selects the container's own function.
    private mutating func encodeValue<Wrapper: Encodable>(_ value: Wrapper, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}

/// Distinguishes optional types from others at run time.
protocol NilRepresentable {
    static var absent: Self { get }
    var wrapped: Any? { get }
}

extension Optional: NilRepresentable {
    static var absent: Wrapped? { nil }
    var wrapped: Any? { self }
}

/// Returns a nil of type `Value` if it is an optional type; returns no value otherwise.
func absentValue<Value>(of type: Value.Type) -> Value? {
    guard let optional = type as? any NilRepresentable.Type else { return nil }
    return optional.absent as? Value
}

/// Returns whether `value` is a nil of an optional type.
func isAbsent(_ value: some Any) -> Bool {
    guard let optional = value as? any NilRepresentable else { return false }
    return optional.wrapped == nil
}
