/// The decoder of a superclass for which the document has no member.
struct AbsentValue: Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw absent([String: Any].self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw absent([Any].self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw absent(type) }

    private func absent(_ type: Any.Type) -> any Error {
        DecodingError.valueNotFound(
            type, DecodingError.Context(codingPath: codingPath, debugDescription: "There is no such member."))
    }
}
