/// A class whose subclass codes the superclass under a key of its own.
class Machine: Codable {
    var name: String
    var weight: Double
    var year: Int

    private enum CodingKeys: CodingKey {
        case name, weight, year
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        weight = try container.decode(Double.self, forKey: .weight)
        year = try container.decode(Int.self, forKey: .year)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(weight, forKey: .weight)
        try container.encode(year, forKey: .year)
    }
}

/// The subclass.
final class Vehicle: Machine {
    var wheels: Int
    var plate: String
    var owners: [String]

    private enum CodingKeys: CodingKey {
        case wheels, plate, owners
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        wheels = try container.decode(Int.self, forKey: .wheels)
        plate = try container.decode(String.self, forKey: .plate)
        owners = try container.decode([String].self, forKey: .owners)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(wheels, forKey: .wheels)
        try container.encode(plate, forKey: .plate)
        try container.encode(owners, forKey: .owners)
        try super.encode(to: container.superEncoder())
    }

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 36)
        return .array(
            (0..<800).map { _ in
                [
                    "wheels": GeneratedValue(random.number(2...6)), "plate": .text("B-\(random.number(1000...9999))"),
                    "owners": .array((0..<random.number(0...3)).map { .text("owner \($0)") }),
                    "super": [
                        "name": .text("type \(random.number(1...30))"),
                        "weight": GeneratedValue(random.decimal(300...4000, places: 1)),
                        "year": GeneratedValue(random.number(1980...2026)),
                    ],
                ]
            })
    }
}
