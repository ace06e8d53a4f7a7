/// A measurement of a machine: 30 fields, 1,000 times.
struct Reading: Codable {
    var id: Int
    var machine: String
    var line: Int
    var isRunning: Bool
    var temperature: Double
    var pressure: Double
    var humidity: Double
    var voltage: Double
    var current: Double
    var power: Double
    var frequency: Double
    var speed: Int
    var torque: Double
    var vibrationX: Double
    var vibrationY: Double
    var vibrationZ: Double
    var noise: Double
    var oilLevel: Double
    var coolantLevel: Double
    var cycles: Int
    var rejects: Int
    var operatorName: String?
    var order: String
    var product: String
    var batch: Int
    var shift: String
    var alarm: String?
    var hasWarning: Bool
    var needsService: Bool
    var comment: String?

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 30)
        func measure() -> GeneratedValue { GeneratedValue(random.decimal(0...400, places: 2)) }
        func flag() -> GeneratedValue { GeneratedValue(random.happens(20)) }
        return .array(
            (0..<1000).map { id in
                [
                    "id": GeneratedValue(700_000 + id), "machine": .text("press-\(random.number(1...40))"),
                    "line": GeneratedValue(random.number(1...9)), "isRunning": flag(), "temperature": measure(),
                    "pressure": measure(), "humidity": measure(), "voltage": measure(), "current": measure(),
                    "power": measure(), "frequency": measure(), "speed": GeneratedValue(random.number(0...3000)),
                    "torque": measure(), "vibrationX": measure(), "vibrationY": measure(), "vibrationZ": measure(),
                    "noise": measure(), "oilLevel": measure(), "coolantLevel": measure(),
                    "cycles": GeneratedValue(random.number(0...900_000)),
                    "rejects": GeneratedValue(random.number(0...90)),
                    "operatorName": random.happens(50) ? "K. Sandberg" : nil,
                    "order": .text("A-\(random.number(10_000...99_999))"), "product": "housing, left",
                    "batch": GeneratedValue(random.number(1...400)), "shift": .text(random.pick(["early", "late"])),
                    "alarm": random.happens(5) ? "E-17" : nil, "hasWarning": flag(), "needsService": flag(),
                    "comment": random.happens(10) ? "sensor replaced" : nil,
                ]
            })
    }
}
