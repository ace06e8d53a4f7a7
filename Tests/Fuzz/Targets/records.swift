import Contracts
import JSONText
import Records

/// Writing a record, reading it and writing it again gives the same bytes; the drift report is bounded.
@_cdecl("LLVMFuzzerTestOneInput")
public func readRecords(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    check(Forecast.self, bytes)
    check(Everything.self, bytes)
    return 0
}

private func check<Root: Record>(_ type: Root.Type, _ bytes: [UInt8]) {
    guard let written = reading(bytes, { node in try rewritten(type, node) }) else { return }
    invariant(String(validating: written, as: UTF8.self) != nil, "invalid UTF-8: \(written)")
    let again = reading(written) { try rewritten(type, $0) }
    invariant(again == written, "\(shown(written)) is written again as \(again.map(shown) ?? "refused")")
}

private func rewritten<Root: Record>(_ type: Root.Type, _ node: JSONNode) throws -> [UInt8] {
    _ = try? type.readStrictly(node)
    do {
        let (record, drift) = try type.read(node)
        invariant(drift.entries.count <= DriftReport.maximumEntries, "the report has more entries than its limit")
        invariant(drift.isEmpty == drift.summary.isEmpty, "the summary and the entries disagree")
        var writer = JSONWriter()
        record.write(to: &writer)
        return writer.bytes
    } catch {
        invariant(!error.failures.isEmpty, "a contract error without failures")
        invariant(error.failures.count <= ContractError.maximumFailures, "the error has more failures than its limit")
        throw error
    }
}

/// A record that uses every kind of field and every rule.
private struct Everything: Record {
    enum Colour: String, CaseIterable {
        case red, green
    }

    var a: Double?, b: Int?, c: Bool?, d: String?
    var e = 1.0, f = 2, g = true, h = "blank"
    var i: OpenEnum<Colour>?
    var j: UnixSeconds?
    var k: [Double]?, l: [[Int]]?, m: [String]?
    var n: [Part]?
    var o: Part?
    var p: JSONValue?
    var others = JSONValue.object([])

    static let schema = Schema<Everything>(.absent(-999), .absent("", "none")) {
        Field(\.a, .plausible(-100...100))
        Field(\.b, .or("bee", "b_b"), .exact)
        Field(\.c)
        Field(\.d, .required)
        Field(\.e, .defaulted)
        Field(\.f, .defaulted, .absent(1, 2, 3))
        Field(\.g, .defaulted, .exact)
        Field(\.h, .defaulted)
        Field(\.i)
        Field(\.j)
        Field(\.k, .dropInvalid)
        Field(\.l, .atMost(3))
        Field(\.m, .dropInvalid, .atMost(3))
        Field(\.n, .dropInvalid)
        Field(\.o)
        Field(\.p)
        OtherFields(\.others)
    }

    struct Part: Record {
        var x = 0.0
        var y: Int?

        static let schema = Schema<Part> {
            Field(\.x)
            Field(\.y)
        }
    }
}
