import Foundation

/// Values of Foundation's types: dates, URLs, decimal numbers, UUIDs and data.
struct Invoice: Codable {
    struct Position: Codable {
        var text: String
        var amount: Decimal
        var tax: Decimal
    }

    var id: UUID
    var customer: UUID
    var issued: Date
    var due: Date
    var paid: Date?
    var page: URL
    var logo: URL?
    var total: Decimal
    var signature: Data
    var positions: [Position]

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 34)
        func identifier() -> GeneratedValue {
            func hex(_ digits: Int) -> String {
                (0..<digits).map { _ in String(random.number(0...15), radix: 16, uppercase: true) }.joined()
            }
            return .text([8, 4, 4, 4, 12].map(hex).joined(separator: "-"))
        }
        func date() -> GeneratedValue {
            func two(_ range: ClosedRange<Int>) -> String { String("0\(random.number(range))".suffix(2)) }
            let day = "20\(two(10...29))-\(two(1...12))-\(two(1...28))"
            return .text("\(day)T\(two(0...23)):\(two(0...59)):\(two(0...59))Z")
        }
        func amount() -> GeneratedValue { GeneratedValue(random.decimal(0...9000, places: 2)) }
        return .array(
            (0..<300).map { number in
                [
                    "id": identifier(), "customer": identifier(), "issued": date(), "due": date(),
                    "paid": random.happens(60) ? date() : nil,
                    "page": .text("https://billing.example.org/invoices/\(number)?lang=en#top"),
                    "logo": random.happens(50) ? "https://static.example.org/logo.png" : nil, "total": amount(),
                    "signature": "c2lnbmVkIGJ5IGV4YW1wbGU=", "revision": GeneratedValue(random.number(1...3)),
                    "positions": .array(
                        (0..<random.number(1...4)).map { _ in
                            ["text": "work, hours", "amount": amount(), "tax": amount()]
                        }),
                ]
            })
    }
}
