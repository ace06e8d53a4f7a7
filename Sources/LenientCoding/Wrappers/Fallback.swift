/// A value that stands in when the key is missing or null, and when what is there does not decode.
///
///     struct DataPoint: Codable {
///         @Fallback<UnknownIcon> var icon: Icon
///         @FallbackNil var uvIndex: Int?
///         @FallbackZero var precipProbability: Double
///     }
///
/// A value that does not decode is noted in the decoder's `driftRecorder`.
@propertyWrapper
public struct Fallback<Provider: DefaultValueProvider> {
    /// What was decoded, or the provider's value.
    ///
    ///     FallbackZero(wrappedValue: 7).wrappedValue  // 7
    public var wrappedValue: Provider.Value

    /// A wrapper of `wrappedValue`.
    ///
    ///     struct DataPoint: Codable { @FallbackZero var precipProbability: Double = 0 }
    public init(wrappedValue: Provider.Value) { self.wrappedValue = wrappedValue }
}

extension Fallback: KeyedDecodable, Decodable where Provider.Value: Decodable {
    /// Decodes the value; null, and what does not decode, is the provider's.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self.init(wrappedValue: Provider.defaultValue)
            return
        }
        do {
            self.init(wrappedValue: try container.decode(Provider.Value.self))
        } catch {
            self.init(wrappedValue: Provider.defaultValue)
            let path = decoder.codingPath
            decoder.driftRecorder?.note(.defaulted, at: path, .of(error, at: path))
        }
    }

    /// Decodes the value; a key that is missing or null, or whose value does not decode, gives the provider's.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        guard container.contains(key) else {
            self.init(wrappedValue: Provider.defaultValue)
            return
        }
        do {
            self = try container.decodeValue(forKey: key)
        } catch {
            // A decoder that refuses the value before the wrapper is asked.
            self.init(wrappedValue: Provider.defaultValue)
        }
    }
}

extension Fallback: KeyedEncodable, Encodable where Provider.Value: Encodable {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value as it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Fallback: Equatable where Provider.Value: Equatable {}
extension Fallback: Hashable where Provider.Value: Hashable {}
extension Fallback: Sendable where Provider.Value: Sendable {}
