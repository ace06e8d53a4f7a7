import Foundation
import LenientCoding

/// A decoder of documents: LenientDecoder or Foundation's, for tests that both must pass.
protocol AnyTopLevelDecoder: Sendable {
    /// Decodes a document from its text.
    func decode<Value: Decodable>(_ type: Value.Type, text: String) throws -> Value
}

extension LenientDecoder: AnyTopLevelDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, text: String) throws -> Value {
        try decode(type, from: Array(text.utf8))
    }

    /// A decoder without repairs, like Foundation's.
    static var strict: LenientDecoder { LenientDecoder() }

    /// A decoder with all repairs.
    static var lenient: LenientDecoder { LenientDecoder(leniency: .all) }

    /// A decoder with all repairs that converts keys from snake_case.
    static var snakeCase: LenientDecoder {
        var decoder = lenient
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    /// A decoder without repairs that converts keys from snake_case, like Foundation's.
    static var strictSnakeCase: LenientDecoder {
        var decoder = strict
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

/// Foundation's decoder, created anew for each document.
struct FoundationDecoder: AnyTopLevelDecoder {
    var isSnakeCase = false

    func decode<Value: Decodable>(_ type: Value.Type, text: String) throws -> Value {
        let decoder = JSONDecoder()
        if isSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        return try decoder.decode(type, from: Data(text.utf8))
    }
}

/// Decoders that must give the same values.
let decoders: [any AnyTopLevelDecoder] = [LenientDecoder.lenient, LenientDecoder.strict, FoundationDecoder()]
/// Decoders that must give the same errors.
let strictDecoders: [any AnyTopLevelDecoder] = [LenientDecoder.strict, FoundationDecoder()]

/// Returns the decoded value as text, or the error with its coding path.
func result<Value: Decodable>(_ type: Value.Type, _ text: String, by decoder: any AnyTopLevelDecoder) -> String {
    do {
        return "\(try decoder.decode(type, text: text))"
    } catch let error as DecodingError {
        return description(of: error)
    } catch {
        return "\(Swift.type(of: error))"
    }
}

/// Returns a line for the error, such as `typeMismatch Int at list.1`.
func description(of error: DecodingError) -> String {
    func place(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
    return switch error {
    case .typeMismatch(_, let context): "typeMismatch at \(place(context.codingPath))"
    case .valueNotFound(_, let context): "valueNotFound at \(place(context.codingPath))"
    case .keyNotFound(let key, let context): "keyNotFound \(key.stringValue) at \(place(context.codingPath))"
    case .dataCorrupted(let context): "dataCorrupted at \(place(context.codingPath))"
    @unknown default: "unknown"
    }
}

/// Returns a line for each entry of a report, such as `dropped list[].a mistyped 2 list[0].a`.
func lines(_ drift: DriftReport) -> [String] {
    drift.entries.map { "\($0.kind.rawValue) \($0.path) \($0.reason.rawValue) \($0.count) \($0.example)" }
}

/// Decodes with all repairs and returns the value and the report.
func repaired<Value: Decodable>(
    _ type: Value.Type, _ text: String, by decoder: LenientDecoder = .lenient
) throws -> (value: Value, drift: [String]) {
    var drift = DriftReport()
    let value = try decoder.decode(type, from: Array(text.utf8), drift: &drift)
    return (value, lines(drift))
}
