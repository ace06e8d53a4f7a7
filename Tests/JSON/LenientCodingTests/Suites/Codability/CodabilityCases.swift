import Foundation
import LenientCoding

/// The test cases of Codability (yonaskolb/Codability, Tests/CodabilityTests).
enum CodabilityCases {
    static let all = anyContainers + invalidElements

    private static let anyContainers = SuiteCase.of(
        "AnyContainerTests",
        [
            SuiteCase("testDecoding", "The values of a mixed object cast to their Swift types") { coder in
                try check(coder.decode([String: AnyCodable].self, Parcel.text).mapValues(\.value))
            },
            SuiteCase("testEncoding", "A mixed object from literals is encoded as its JSON") { coder in
                let parcel: [String: AnyCodable] = [
                    "fragile": true, "pieces": 2, "weight": 1.75, "label": "box", "sizes": [30, 20, 10],
                    "from": ["city": "Ulm", "zip": "89073"],
                ]
                try expect(
                    coder.decode(AnyCodable.self, coder.encode(parcel)), is: coder.decode(AnyCodable.self, Parcel.text))
            },
            SuiteCase("testObjectCoding", "Values decode by keys that are strings, with inferred types") { coder in
                try coder.expect(Parcel.text, is: Parcel(fragile: true, pieces: 2, weight: 1.75, sizes: [30, 20, 10]))
            },
            SuiteCase("testCodingAny", "Properties of the types Any, [Any] and [String: Any] are coded") { coder in
                let text = #"{"object":\#(Parcel.text),"list":["a",7,false],"value":true}"#
                let decoded = try coder.decode(Anything.self, text)
                for anything in [decoded, try coder.decode(Anything.self, coder.encode(decoded))] {
                    try check(anything.object)
                    try expect(anything.list.first as? String, is: "a")
                    try expect(anything.list[1] as? Int, is: 7)
                    try expect(anything.list[2] as? Bool, is: false)
                    try expect(anything.value as? Bool, is: true)
                }
            },
            SuiteCase("testToDictionary", "An object is read as [String: Any] and equals Foundation's") { coder in
                let any = try coder.decode(AnyCodable.self, Parcel.text)
                let values = try JSONSerialization.jsonObject(with: Data(Parcel.text.utf8)) as? NSDictionary
                let dictionary = any.value as? [String: Any]
                try expect(dictionary.map { NSDictionary(dictionary: $0) } == values, "\(any) differs")
            },
        ])

    private static func check(_ parcel: [String: Any]) throws {
        try expect(parcel["fragile"] as? Bool, is: true)
        try expect(parcel["pieces"] as? Int, is: 2)
        try expect(parcel["weight"] as? Double, is: 1.75)
        try expect(parcel["label"] as? String, is: "box")
        try expect(parcel["sizes"] as? [Int], is: [30, 20, 10])
        try expect(parcel["from"] as? [String: String], is: ["city": "Ulm", "zip": "89073"])
    }

    private struct Parcel: Codable, Equatable {
        static let text = """
            {"fragile":true,"pieces":2,"weight":1.75,"label":"box","sizes":[30,20,10],"from":{"city":"Ulm","zip":"89073"}}
            """
        let fragile: Bool, pieces: Int, weight: Double, sizes: [Int]

        init(fragile: Bool, pieces: Int, weight: Double, sizes: [Int]) {
            (self.fragile, self.pieces, self.weight, self.sizes) = (fragile, pieces, weight, sizes)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            fragile = try container.decode("fragile")
            pieces = try container.decode("pieces")
            weight = try container.decode("weight")
            sizes = try container.decode("sizes")
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: RawCodingKey.self)
            try container.encode(fragile, forKey: "fragile")
            try container.encode(pieces, forKey: "pieces")
            try container.encode(weight, forKey: "weight")
            try container.encode(sizes, forKey: "sizes")
        }
    }

    private struct Anything: Codable {
        let object: [String: Any], list: [Any], value: Any

        enum CodingKeys: CodingKey { case object, list, value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            object = try container.decodeUntyped([String: Any].self, forKey: .object)
            list = try container.decodeUntyped([Any].self, forKey: .list)
            value = try container.decodeUntyped(Any.self, forKey: .value)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeUntyped(object, forKey: .object)
            try container.encodeUntyped(list, forKey: .list)
            try container.encodeUntyped(value, forKey: .value)
        }
    }

    private static let scores = #"{"rounds":[4,"five",6],"players":{"ada":1,"bob":"?","eve":3}}"#

    private static let invalidElements = SuiteCase.of(
        "InvalidElementTests",
        [
            SuiteCase(
                "testDefaultInvalidElementStrategy", "The strategy in userInfo removes, replaces, fails or decides"
            ) { coder in
                func decode(_ strategy: InvalidElementStrategy<Any>) throws -> Scores {
                    try coder.decode(Scores.self, scores, userInfo: [.invalidElementStrategy: strategy])
                }
                let removed = Scores(rounds: [4, 6], players: ["ada": 1, "eve": 3])
                try expect(decode(.remove), is: removed)
                try expect(
                    decode(.fallback(9)), is: Scores(rounds: [4, 9, 6], players: ["ada": 1, "bob": 9, "eve": 3]))
                try expectDecodingError { try decode(.fail) }
                try expect(decode(.custom { _ in .remove }), is: removed)
            },
            SuiteCase("testExplictInvalidElementStrategy", "The strategy of a call removes elements") { coder in
                let removed = try coder.decode(RemovedScores.self, scores).scores
                try expect(removed, is: Scores(rounds: [4, 6], players: ["ada": 1, "eve": 3]))
            },
        ])

    private struct Scores: Decodable, Equatable {
        let rounds: [Int], players: [String: Int]

        init(rounds: [Int], players: [String: Int]) { (self.rounds, self.players) = (rounds, players) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            rounds = try container.decodeElements([Int].self, forKey: "rounds")
            players = try container.decodeValues([String: Int].self, forKey: "players")
        }
    }

    private struct RemovedScores: Decodable {
        let scores: Scores

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            scores = Scores(
                rounds: try container.decodeElements([Int].self, forKey: "rounds", invalidElementStrategy: .remove),
                players: try container.decodeValues(
                    [String: Int].self, forKey: "players", invalidElementStrategy: .remove))
        }
    }
}
