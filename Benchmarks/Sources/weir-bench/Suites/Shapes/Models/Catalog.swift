/// Dictionaries of structs, whose optional parts hold optional parts.
struct Catalog: Codable {
    struct Product: Codable {
        var title: String
        var price: Double
        var stock: Int
        var labels: [String: String]
        var supplier: Supplier?
    }

    struct Supplier: Codable {
        var name: String
        var address: Address?
    }

    struct Address: Codable {
        var street: String?
        var city: String
        var place: Place?
    }

    struct Place: Codable {
        var latitude: Double
        var longitude: Double
    }

    var products: [String: Product]
    var counts: [String: Int]

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 31)
        let products = (0..<600).map { id -> (String, GeneratedValue) in
            ("sku-\(random.number(1000...9999))-\(id)", product(&random))
        }
        let counts = (0..<400).map { ("shelf \($0)", GeneratedValue(random.number(0...500))) }
        return ["products": .object(products), "counts": .object(counts)]
    }

    private static func product(_ random: inout SplitMix64) -> GeneratedValue {
        let place: GeneratedValue = [
            "latitude": GeneratedValue(random.decimal(-80...80, places: 5)),
            "longitude": GeneratedValue(random.decimal(-170...170, places: 5)),
        ]
        let address: GeneratedValue = [
            "street": random.happens(50) ? "Lindenweg 4" : nil, "city": .text(random.pick(["Bern", "Graz", "Ulm"])),
            "place": random.happens(60) ? place : nil,
        ]
        let supplier: GeneratedValue = [
            "name": .text("Supplier \(random.number(1...30))"), "address": random.happens(70) ? address : nil,
        ]
        return [
            "title": .text(random.pick(["Bolt M6", "Washer", "Gasket 30 mm", "Hinge"])),
            "price": GeneratedValue(random.decimal(0...90, places: 2)), "stock": GeneratedValue(random.number(0...900)),
            "labels": ["unit": "piece", "group": .text("G\(random.number(1...9))")],
            "supplier": random.happens(80) ? supplier : nil, "internalCode": GeneratedValue(random.number(0...9999)),
        ]
    }
}
