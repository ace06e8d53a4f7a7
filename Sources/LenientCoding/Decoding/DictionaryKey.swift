/// Tells the key type under which the standard library codes dictionaries from those of models.
///
/// The type has no public name; a dictionary decoded once shows it.
enum DictionaryKey {
    /// Identifies the key type of dictionaries.
    static let type: ObjectIdentifier? = {
        let probe = Probe()
        // The probe always throws: all it is there for is to be asked.
        _ = try? [String: Int](from: probe)
        return probe.keyType
    }()

    private final class Probe: Decoder {
        struct Asked: Error {}

        var keyType: ObjectIdentifier?
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            keyType = ObjectIdentifier(type)
            throw Asked()
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Asked() }
        func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Asked() }
    }
}
