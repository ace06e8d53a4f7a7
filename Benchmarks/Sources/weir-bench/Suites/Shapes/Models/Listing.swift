/// Three known members of 200.
struct Listing: Codable {
    var id: Int
    var title: String
    var price: Double?

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 37)
        return .array((0..<60).map { listing($0, &random) })
    }

    private static func listing(_ id: Int, _ random: inout SplitMix64) -> GeneratedValue {
        var members: [(String, GeneratedValue)] = []
        for index in 0..<197 {
            if index == 70 { members.append(("id", GeneratedValue(id))) }
            if index == 140 { members.append(("title", .text("Listing \(id)"))) }
            let value: GeneratedValue =
                switch index % 3 {
                case 0: GeneratedValue(random.number(0...9999))
                case 1: .text("value \(random.number(0...99))")
                default: GeneratedValue(random.happens(50))
                }
            members.append(("attribute\(index)", value))
        }
        members.append(("price", GeneratedValue(random.decimal(1...900, places: 2))))
        return .object(members)
    }
}
