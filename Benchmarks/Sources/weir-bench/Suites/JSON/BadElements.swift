import JSONText
import LenientCoding

/// Arrays in which no element decodes, read in the ways that drop such elements.
///
/// Ten times the elements should take ten times as long. Building an error with a coding path for each would be quadratic.
final class BadElements {
    /// An element whose integer field receives text.
    struct Element: Record, Codable {
        var id = 0

        static let schema = Schema<Element> { Field(\.id) }
    }

    /// The document as a record.
    struct List: Record {
        var elements: [Element]?

        static let schema = Schema<List> { Field(\.elements, .dropInvalid) }
    }

    /// The document as a Codable type that drops bad elements.
    struct LossyList: Decodable {
        let elements: [Element]

        enum CodingKeys: CodingKey { case elements }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            elements = try container.decodeElements([Element].self, forKey: .elements, invalidElementStrategy: .remove)
        }
    }

    private let few = BadElements.document(2000), many = BadElements.document(20_000)
    private var parser = JSONParser()

    private static func document(_ count: Int) -> [UInt8] {
        let elements = (0..<count).map { "{\"id\":\"none of \($0)\"}" }
        return Array("{\"elements\":[\(elements.joined(separator: ","))]}".utf8)
    }

    /// Both ways of reading with 2,000 and with 20,000 elements.
    var contestants: [Contestant] {
        [
            Contestant("records.2k") { [self] in keep(try record(few)) },
            Contestant("records.20k") { [self] in keep(try record(many)) },
            Contestant("codable.2k") { [self] in keep(try LenientDecoder().decode(LossyList.self, from: few)) },
            Contestant("codable.20k") { [self] in keep(try LenientDecoder().decode(LossyList.self, from: many)) },
        ]
    }

    /// Returns the time for 20,000 elements divided by the time for 2,000, of the worse way.
    func run(seconds: Double) throws -> Double {
        let results = try Contest(contestants: contestants).run(seconds: seconds)
        Terminal.say("json.bad: \(results.summary)")
        return ["records", "codable"].compactMap { results.ratio(of: "\($0).20k", to: "\($0).2k") }.max() ?? .nan
    }

    private func record(_ document: [UInt8]) throws -> Int? {
        try parser.withDocument(document) { try List.read($0).record.elements?.count }
    }
}
