import JSONText
import LenientCoding

/// Arrays in which every element is bad, and the ways of reading them that leave bad elements out.
///
/// Ten times as many should take ten times as long: errors that are built for each element would cost the square.
final class BadElements {
    /// An element that wants an integer and gets none.
    struct Element: Record, Codable {
        var id = 0

        static let schema = Schema<Element> { Field(\.id) }
    }

    /// The list that holds them.
    struct List: Record {
        var elements: [Element]?

        static let schema = Schema<List> { Field(\.elements, .dropInvalid) }
    }

    /// The list as a Codable type that leaves bad elements out.
    struct LossyList: Decodable {
        let elements: [Element]

        enum CodingKeys: CodingKey { case elements }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            elements = try container.decodeArray([Element].self, forKey: .elements, invalidElementStrategy: .remove)
        }
    }

    private let few = BadElements.document(2000), many = BadElements.document(20_000)
    private var parser = JSONParser()

    private static func document(_ count: Int) -> [UInt8] {
        let elements = (0..<count).map { "{\"id\":\"none of \($0)\"}" }
        return Array("{\"elements\":[\(elements.joined(separator: ","))]}".utf8)
    }

    /// Each way, with few and with many.
    var contestants: [Contestant] {
        [
            Contestant("records.2k") { [self] in keep(try record(few)) },
            Contestant("records.20k") { [self] in keep(try record(many)) },
            Contestant("codable.2k") { [self] in keep(try LenientDecoder().decode(LossyList.self, from: few)) },
            Contestant("codable.20k") { [self] in keep(try LenientDecoder().decode(LossyList.self, from: many)) },
        ]
    }

    /// How many times as long the many take, by the way that does worst.
    func run(seconds: Double) throws -> Double {
        let results = try Contest(contestants: contestants).run(seconds: seconds)
        Terminal.say("json.bad: \(results.summary)")
        return ["records", "codable"].compactMap { results.ratio(of: "\($0).20k", to: "\($0).2k") }.max() ?? .nan
    }

    private func record(_ document: [UInt8]) throws -> Int? {
        try parser.withDocument(document) { try List.read($0).record.elements?.count }
    }
}
