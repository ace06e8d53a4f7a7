import Foundation
import LenientCoding

/// The test cases of AnyCodable (CoalescedFetch-School/AnyCodable, Tests/AnyCodableTests).
///
/// AnyCodable stands for its three types.
enum AnyCodableCases {
    static let all = anyCodable + anyDecodable + anyEncodable

    private static let nullDifference =
        "The `value` of null is nil, which casts to every optional type, and not `NSNull`; `isNull` tells it."

    private static let anyCodable = SuiteCase.of(
        "AnyCodableTests",
        [
            SuiteCase(
                "testJSONDecoding", "The values of a mixed object cast to their types, null to `NSNull`",
                differs: nullDifference, castsValues),
            SuiteCase("testJSONDecodingEquatable", "Two values that were decoded from the same text are equal") {
                coder in
                let first = try coder.decode([String: AnyCodable].self, menu)
                try expect(first, is: coder.decode([String: AnyCodable].self, menu))
            },
            SuiteCase(
                "testJSONEncoding", "Literals, interpolations, null and any Encodable value are encoded as JSON"
            ) { coder in
                let count = 12
                let document: [String: AnyCodable] = [
                    "open": false, "tables": 42, "rating": 4.75, "name": "Inn", "slogan": "\(count) soups",
                    "prices": [3, 5], "rooms": ["a": "red", "b": "blue"], "host": AnyCodable(Host.example), "chef": nil,
                ]
                let text = """
                    {"open":false,"tables":42,"rating":4.75,"name":"Inn","slogan":"12 soups","prices":[3,5],
                     "rooms":{"a":"red","b":"blue"},"host":{"name":"Mia","age":51,"first_day":"Monday"},"chef":null}
                    """
                try expectSame(coder.encode(document), text)
            },
        ])

    private static let anyDecodable = SuiteCase.of(
        "AnyDecodableTests",
        [
            SuiteCase(
                "testJSONDecoding", "The values of a mixed object cast to their types, null to `NSNull`",
                differs: nullDifference, castsValues)
        ])

    private static let anyEncodable = SuiteCase.of(
        "AnyEncodableTests",
        [
            SuiteCase("testJSONEncoding", "Literals, null and any Encodable value are encoded as JSON") { coder in
                let document: [String: AnyCodable] = [
                    "open": true, "tables": 7, "rating": 0.5, "name": "Bar", "prices": [1, 2, 3],
                    "rooms": ["a": "green"], "host": AnyCodable(Host.example), "chef": nil,
                ]
                let text = """
                    {"open":true,"tables":7,"rating":0.5,"name":"Bar","prices":[1,2,3],"rooms":{"a":"green"},
                     "host":{"name":"Mia","age":51,"first_day":"Monday"},"chef":null}
                    """
                try expectSame(coder.encode(document), text)
            },
            SuiteCase("testEncodeNSNumber", "`NSNumber` values of all widths keep their numbers and Booleans") {
                coder in
                let numbers: [String: NSNumber] = [
                    "yes": true, "int8": -126, "int16": -32_766, "int32": -2_147_483_646,
                    "int64": -9_223_372_036_854_775_806, "uint8": 254, "uint16": 65_534, "uint32": 4_294_967_294,
                    "uint64": NSNumber(value: UInt64.max - 1), "double": 2.718281828459045,
                ]
                let text = """
                    {"yes":true,"int8":-126,"int16":-32766,"int32":-2147483646,"int64":-9223372036854775806,
                     "uint8":254,"uint16":65534,"uint32":4294967294,"uint64":18446744073709551614,
                     "double":2.718281828459045}
                    """
                let encoded = try coder.encode(AnyCodable(numbers))
                try expectSame(encoded, text)
                let object = try JSONSerialization.jsonObject(with: Data(encoded.utf8)) as? [String: Any]
                try expect(object?["yes"] as? Bool, is: true)
                try expect(object?["int8"] as? Int8, is: -126)
                try expect(object?["uint16"] as? UInt16, is: 65_534)
                try expect(object?["uint64"] as? UInt64, is: 18_446_744_073_709_551_614)
                try expect(object?["double"] as? Double, is: 2.718281828459045)
            },
            SuiteCase("testStringInterpolationEncoding", "An interpolation is encoded as a string") { coder in
                let document: [String: AnyCodable] = [
                    "yes": "\(false)", "int": "\(7)", "double": "\(0.25)", "text": "\("a b")", "list": "\([1, 2])",
                ]
                try expectSame(
                    coder.encode(document), #"{"yes":"false","int":"7","double":"0.25","text":"a b","list":"[1, 2]"}"#)
            },
        ])

    private static let menu = """
        {"open":false,"tables":42,"rating":4.75,"name":"Inn","prices":[3,5],"rooms":{"a":"red","b":"blue"},"chef":null}
        """

    @Sendable private static func castsValues(_ coder: SuiteCoder) throws {
        let values = try coder.decode([String: AnyCodable].self, menu).mapValues(\.value)
        try expect(values["open"] as? Bool, is: false)
        try expect(values["tables"] as? Int, is: 42)
        try expect(values["rating"] as? Double, is: 4.75)
        try expect(values["name"] as? String, is: "Inn")
        try expect(values["prices"] as? [Int], is: [3, 5])
        try expect(values["rooms"] as? [String: String], is: ["a": "red", "b": "blue"])
        try expect(values["chef"] is NSNull, "null is not NSNull")
    }

    /// Compares two documents as Foundation's objects, in which members have no order.
    private static func expectSame(_ text: String, _ expected: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
        let expectedObject = try JSONSerialization.jsonObject(with: Data(expected.utf8)) as? NSDictionary
        try expect(object != nil && object == expectedObject, "\(text) is not \(expected)")
    }

    private struct Host: Codable {
        static let example = Host(name: "Mia", age: 51, firstDay: "Monday")
        var name: String, age: Int, firstDay: String

        enum CodingKeys: String, CodingKey { case name, age, firstDay = "first_day" }
    }
}
