import Foundation
import JSONText
import Records

/// The outcome of reading a document as a record: the clean document and the report, or the error.
struct Outcome: Equatable {
    var document = ""
    /// One line for each entry: kind, path, reason, count and example, as in `dropped list[] mistyped 2 list[0]`.
    var drift: [String] = []
    var error: String?
}

/// Reads `text` as a `Model` and writes it again.
func outcome<Model: Record>(_ model: Model.Type, _ text: String) throws -> Outcome {
    var parser = JSONParser()
    return try parser.withDocument(Array(text.utf8)) { root in
        do {
            let (record, drift) = try Model.read(root)
            return Outcome(document: written(record), drift: drift.entries.map(line))
        } catch let error as ContractError {
            return Outcome(error: error.description)
        }
    }
}

/// Reads `text` as a `Model` and returns the report.
func drift<Model: Record>(_ model: Model.Type, _ text: String) throws -> DriftReport {
    var parser = JSONParser()
    return try parser.withDocument(Array(text.utf8)) { try Model.read($0).drift }
}

/// Returns the errors of reading `text` strictly as a `Model`, one line each.
func strictFailures<Model: Record>(_ model: Model.Type, _ text: String) throws -> [String] {
    var parser = JSONParser()
    return try parser.withDocument(Array(text.utf8)) { root in
        do {
            _ = try Model.readStrictly(root)
            return []
        } catch let error as ContractError {
            return error.description.components(separatedBy: "; ")
        }
    }
}

/// Returns the JSON of `value`.
func written(_ value: some FieldValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

private func line(_ entry: DriftReport.Entry) -> String {
    "\(entry.kind.rawValue) \(entry.path) \(entry.reason.rawValue) \(entry.count) \(entry.example)"
}
