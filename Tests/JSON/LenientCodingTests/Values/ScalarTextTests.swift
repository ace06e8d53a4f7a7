import Foundation
import LenientCoding
import Testing

@Suite("UUIDs and decimal numbers")
struct ScalarTextTests {
    @Test(
        "A UUID is read and written as with Foundation",
        arguments: [
            "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            "01234567-89ab-CDEF-0123-456789abcdef", "\\u0030f0e0d0c-0b0a-0908-0706-050403020100", "",
            "0123456789ab-CDEF-0123-456789abcdef-", "01234567-89ab-CDEF-0123-456789abcdeg",
            "01234567-89ab-CDEF-0123-456789abcdef0", "01234567+89ab-CDEF-0123-456789abcdef",
        ])
    func uuids(text: String) throws {
        let document = Array("[\"\(text)\"]".utf8)
        let expected = try? JSONDecoder().decode([UUID].self, from: Data(document))
        #expect((try? LenientDecoder().decode([UUID].self, from: document)) == expected)
        if let expected {
            #expect(try CompactEncoder().encode(expected) == [UInt8](JSONEncoder().encode(expected)))
        } else {
            #expect(throws: DecodingError.self) { try LenientDecoder().decode([UUID].self, from: document) }
        }
    }

    @Test(
        "A decimal number is read as with Foundation",
        arguments: [
            "0", "-0", "0.0", "0.05", "-0.50", "10.50", "100", "1200", "-1200.00", "0.000000000000000001",
            "123456789012345678", "1234567890123456789", "12345678901234567890.123456789012345678", "1e2", "1.50E-3",
            "99999999999999999.9", "1e200",
        ])
    func decimals(text: String) throws {
        let document = Array("[\(text)]".utf8)
        let expected = try? JSONDecoder().decode([Decimal].self, from: Data(document))
        let decimals = try? LenientDecoder().decode([Decimal].self, from: document)
        #expect(decimals == expected)
        #expect(decimals?.first?.description == expected?.first?.description)
        #expect(decimals?.hashValue == expected?.hashValue)
    }

    @Test("A large object of any keys is read, also if names differ only in separators or have escapes")
    func largeObjects() throws {
        let names = (0..<300).map { "name_\($0)" } + ["n\\u0061me_x", "é"]
        let members = names.map { "\"\($0)\":1" }
        for extra in ["", ",\"name_1\":2", ",\"name1\":2"] {
            let document = Array("{\(members.joined(separator: ","))\(extra)}".utf8)
            let expected = try JSONDecoder().decode([String: Int].self, from: Data(document))
            #expect(try LenientDecoder().decode([String: Int].self, from: document) == expected)
            #expect(try LenientDecoder().decode(AnyKeys.self, from: document).values == expected)
        }
    }
}

/// An object with any keys, read with a loop over `allKeys`.
private struct AnyKeys: Decodable {
    var values: [String: Int] = [:]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RawCodingKey.self)
        for key in container.allKeys { values[key.stringValue] = try container.decode(Int.self, forKey: key) }
    }
}
