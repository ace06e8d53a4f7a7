/// A property that has a default value if the key is missing or null, or if its value does not decode.
///
///     struct DataPoint: Codable {
///         @Fallback<UnknownIcon> var icon: Icon
///         @FallbackNil var uvIndex: Int?
///         @FallbackZero var precipProbability: Double
///     }
///
/// The decoder's `driftRecorder` notes a value that does not decode.
@propertyWrapper
public struct Fallback<Provider: DefaultValueProvider> {
    /// The decoded value or the default value.
    public var wrappedValue: Provider.Value {
        didSet { outcome.value = .decoded }
    }
    /// How the value came about: `$count.error` is the error of a `@Fallback` that did not decode.
    ///
    /// For a value that was decoded by an inner wrapper, such as `@Lossy`, it is the outcome of that wrapper.
    public var projectedValue: DecodingOutcome { outcome.value.orInner(of: wrappedValue) }
    private var outcome = Uncompared(value: DecodingOutcome.decoded)

    /// Wraps a value.
    public init(wrappedValue: Provider.Value) { self.wrappedValue = wrappedValue }

    /// The default value.
    fileprivate init(_ outcome: DecodingOutcome) {
        wrappedValue = Provider.defaultValue
        self.outcome.value = outcome
    }
}

extension Fallback: KeyedDecodable, Decodable where Provider.Value: Decodable {
    /// Decodes the value; null and invalid values become the default value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self.init(.absent)
            return
        }
        do {
            self.init(wrappedValue: try decoder.decodeDeclared(Provider.Value.self))
        } catch {
            self.init(.invalid(error))
            let path = decoder.codingPath
            decoder.driftRecorder?.note(.defaulted, at: path, .of(error, at: path))
        }
    }

    /// Decodes the value, which is the default value if the key is missing, or its value null or invalid.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        guard container.contains(key) else {
            self.init(.absent)
            return
        }
        do {
            self = try container.decodeValue(forKey: key)
        } catch {
            // Some decoders throw before they call init(from:).
            self.init(.invalid(error))
        }
    }
}

extension Fallback: KeyedEncodable, Encodable where Provider.Value: Encodable {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeSingle(wrappedValue) }
}

extension Fallback: Equatable where Provider.Value: Equatable {}
extension Fallback: Hashable where Provider.Value: Hashable {}
extension Fallback: Sendable where Provider.Value: Sendable {}
extension Fallback: OutcomeReporting {}
