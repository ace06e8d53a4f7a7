// A program outside of the repository: it decodes a type with repairs, and reads and writes a record.
import LenientCoding

struct Reading: Decodable {
    let station: String
    let degrees: Double
}

struct Gust: Record {
    var station = "", speed: Double?

    static let schema = Schema<Gust> {
        Field(\.station)
        Field(\.speed, .or("gust"), .plausible(0...150))
    }
}

let document = Array(#"[{"station": 3, "degrees": "4.5", "gust": "12"}]"#.utf8)
let readings = try LenientDecoder(leniency: .coercion).decode([Reading].self, from: document)
var drift = DriftReport()
let gusts = try LenientDecoder(leniency: .all).decode([Gust].self, from: document, drift: &drift)
let output = String(decoding: try CompactEncoder().encode(gusts), as: UTF8.self)
print(readings[0].station, readings[0].degrees, output, drift.summary)
