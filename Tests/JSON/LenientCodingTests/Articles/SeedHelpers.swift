import LenientCoding

/// The models of Codability's README: collections with invalid elements, values of any type, and raw keys.
enum SeedHelpers {
    static let collections = #"{"array":[1,"two",3],"dictionary":{"one":1,"two":"two","three":3}}"#
    static let anything = """
        {"dictionary":{"a":[1,2.5,"x",true,null],"b":{"c":"d"},"e":"1","f":0},"array":["hello",2,true,{"g":[[]]}],
         "value":12345678901}
        """
    static let rawKeys = #"{"int":7,"bool":true,"other":[null]}"#

    struct Collections: Decodable {
        let array: [Int], dictionary: [(key: String, value: Int)]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            array = try container.decodeElements([Int].self, forKey: "array", invalidElementStrategy: .fallback(0))
            dictionary = try container.decodeValues(
                [String: Int].self, forKey: "dictionary", invalidElementStrategy: .remove
            ).sorted { $0.key < $1.key }
        }
    }

    /// Any values as properties.
    struct AnyProperties: Codable, Equatable {
        let dictionary: [String: AnyCodable], array: [AnyCodable], value: AnyCodable
    }

    /// Any values with calls of the container.
    struct AnyCalls: Codable {
        let dictionary: [String: Any], array: [Any], value: Any

        enum CodingKeys: CodingKey { case dictionary, value, array }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            dictionary = try container.decodeUntyped(.dictionary)
            array = try container.decodeUntyped([Any].self, forKey: .array)
            value = try container.decodeUntyped(Any.self, forKey: .value)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeUntyped(dictionary, forKey: .dictionary)
            try container.encodeUntyped(array, forKey: .array)
            try container.encodeUntyped(value, forKey: .value)
        }
    }

    struct RawKeys: Decodable {
        let int: Int, bool: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            int = try container.decode(Int.self, forKey: "int")
            bool = try container.decode(Bool.self, forKey: "bool")
        }
    }

    struct InferredTypes: Decodable {
        let int: Int?, bool: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            int = try container.decodeIfPresent("int")
            bool = try container.decode("bool")
        }
    }
}
