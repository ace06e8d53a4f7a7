import Foundation
import JSONText
import LenientCoding

/// A value that was decoded and encoded is decoded again, and its second encoding has the same length.
@_cdecl("LLVMFuzzerTestOneInput")
public func decode(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    for leniency in [LenientDecoder.Leniency.all, []] {
        var decoder = LenientDecoder(leniency: leniency)
        check(Everything.self, bytes, decoder)
        check([String: [Double?]].self, bytes, decoder)
        check([Int: Everything.Part].self, bytes, decoder)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        _ = try? decoder.decode(Everything.self, from: bytes)
        _ = try? decoder.decode([Everything].self, from: bytes)
    }
    return 0
}

private func check<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8], _ decoder: LenientDecoder) {
    var drift = DriftReport()
    guard let value = try? decoder.decode(type, from: bytes, drift: &drift) else { return }
    invariant(drift.entries.count <= DriftReport.maximumEntries, "the report has more entries than its limit")
    do {
        let encoded = try CompactEncoder().encode(value)
        invariant(String(validating: encoded, as: UTF8.self) != nil, "invalid UTF-8: \(encoded)")
        // The key order of a Swift dictionary is not stable, so only the lengths are compared.
        let again = try CompactEncoder().encode(decoder.decode(type, from: encoded))
        invariant(again.count == encoded.count, "\(shown(encoded)) is encoded again as \(shown(again))")
    } catch {
        fatalError("the encoded value is refused: \(error)")
    }
}

/// A type with a property of every kind.
private struct Everything: Codable {
    var a: Double?, b: Int?, c: Bool?, d: String?
    var e: Float?, f: Int8?, g: UInt64?, h: UInt16?, i: Int64?
    var j: Date?, k: Data?, l: URL?, m: Decimal?, n: UUID?
    var o: [String: Int]?, p: [[Double]]?, q: Set<Int>?
    var r: Part?, s: [Part]?, t: [Int: String]?
    var imageURL: String?, address1: String?

    struct Part: Codable {
        let x: Double
        let y: Int?

        init(from decoder: any Decoder) throws {
            if var elements = try? decoder.unkeyedContainer() {
                x = try elements.decode(Double.self)
                y = try elements.decodeIfPresent(Int.self)
                _ = try? elements.nestedContainer(keyedBy: CodingKeys.self)
                return
            }
            let members = try decoder.container(keyedBy: CodingKeys.self)
            x = try members.decode(Double.self, forKey: .x)
            y = try members.decodeIfPresent(Int.self, forKey: .y)
            invariant(members.allKeys.count <= 2, "the container has keys that the type does not declare")
            _ = try? members.nestedUnkeyedContainer(forKey: .y)
            _ = try? members.superDecoder()
        }
    }
}
