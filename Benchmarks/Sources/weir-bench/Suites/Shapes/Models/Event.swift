/// Enums with raw values and with associated values, as the compiler codes them.
struct Event: Codable {
    enum Level: String, Codable {
        case debug, info, warning, error
    }

    enum Priority: Int, Codable {
        case low = 1
        case normal, high
    }

    enum Action: Codable {
        case login(user: String, attempts: Int)
        case purchase(item: String, amount: Double, currency: Currency)
        case logout
        case search(String)
    }

    enum Currency: String, Codable {
        case euro = "EUR"
        case dollar = "USD"
    }

    var level: Level
    var priority: Priority
    var action: Action
    var tags: [Level]

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 32)
        func level() -> GeneratedValue { .text(random.pick(["debug", "info", "warning", "error"])) }
        func action() -> GeneratedValue {
            switch random.number(0...3) {
            case 0:
                [
                    "login": [
                        "user": .text("user\(random.number(1...500))"),
                        "attempts": GeneratedValue(random.number(1...3)),
                    ]
                ]
            case 1:
                [
                    "purchase": [
                        "item": .text("item \(random.number(1...99))"),
                        "amount": GeneratedValue(random.decimal(1...400, places: 2)),
                        "currency": .text(random.pick(["EUR", "USD"])),
                    ]
                ]
            case 2: ["logout": [:]]
            default: ["search": ["_0": .text("term \(random.number(1...99))")]]
            }
        }
        return .array(
            (0..<1000).map { _ in
                [
                    "level": level(), "priority": GeneratedValue(random.number(1...3)), "action": action(),
                    "tags": .array((0..<random.number(0...3)).map { _ in level() }),
                ]
            })
    }
}
