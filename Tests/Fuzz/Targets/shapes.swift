import API
import JMESPath
import JSONText
import Mapping
import Records

/// A shape on the first line, applied to the document behind it, ends within its limits.
///
/// The answer is JSON, the report is bounded, and a second reading gives the same answer.
@_cdecl("LLVMFuzzerTestOneInput")
public func shapes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let schema = reading(Array(parts[0]), { JSONValue($0) }) else { return 0 }
    var faults: [String] = []
    let shape = Shape(schema, parameters: ["a", "limit"]) { path, detail in faults.append("\(path) \(detail)") }
    invariant((shape == nil) == !faults.isEmpty, "a shape is refused without a fault, or used with one: \(faults)")
    guard let shape else { return 0 }
    _ = shape.schema
    let document = parts.count > 1 ? Array(parts[1]) : Array("null".utf8)
    let parameters: [String: JMESValue] = ["limit": .number("3")]
    guard let answer = try? shape.normalize(document, parameters: parameters) else { return 0 }
    invariant(answer.drift.entries.count <= DriftReport.maximumEntries, "the report has more entries than the limit")
    invariant(reading(answer.body) { _ in } != nil, "the answer is no JSON: \(shown(answer.body))")
    let again = try? shape.normalize(document, parameters: parameters)
    invariant(again?.body == answer.body && again?.drift == answer.drift, "a second reading differs")
    return 0
}
