import Foundation
import LenientCoding
import Testing

/// A pair of a decoder and an encoder; tests of leniency run with each.
enum Coder: CaseIterable, CustomTestStringConvertible {
    case lenient
    case foundation

    var testDescription: String { self == .lenient ? "LenientDecoder" : "JSONDecoder" }

    /// The decoder's options that a test sets.
    struct Options {
        var convertsSnakeCase = false
        var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    }

    func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, _ document: String, _ options: Options = Options()
    ) throws -> Value {
        switch self {
        case .lenient:
            var decoder = LenientDecoder()
            decoder.userInfo = options.userInfo
            if options.convertsSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
            return try decoder.decode(type, from: Array(document.utf8))
        case .foundation:
            let decoder = JSONDecoder()
            decoder.userInfo = options.userInfo
            if options.convertsSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
            return try decoder.decode(type, from: Data(document.utf8))
        }
    }

    /// Returns the JSON of `value`, with sorted keys if the encoder does not keep their order.
    func encode(_ value: some Encodable, convertsSnakeCase: Bool = false) throws -> String {
        switch self {
        case .lenient:
            var encoder = CompactEncoder()
            if convertsSnakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        case .foundation:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if convertsSnakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }
    }

    /// Returns a line for each entry of the report on `document`: kind, path, reason, count and example.
    func drift<Value: Decodable>(of type: Value.Type, _ document: String) throws -> [String] {
        let recorder = DriftRecorder()
        _ = try? decode(type, document, Options(userInfo: [.driftRecorder: recorder]))
        return recorder.report.entries.map {
            "\($0.kind.rawValue) \($0.path) \($0.reason.rawValue) \($0.count) \($0.example)"
        }
    }
}

/// Returns the coding path of the decoding error that `body` throws, or nil if it throws none.
func errorPath<Value>(_ body: () throws -> Value) -> String? {
    do {
        _ = try body()
        return nil
    } catch let error as DecodingError {
        switch error {
        case .keyNotFound(let key, let context): return text(context.codingPath + [key])
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return text(context.codingPath)
        @unknown default: return "\(error)"
        }
    } catch {
        return "\(error)"
    }
}

private func text(_ path: [any CodingKey]) -> String {
    path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
}
