import Foundation
import LenientCoding

/// A decoder of whole documents: ours and Foundation's, for what both are to do alike.
protocol AnyTopLevelDecoder: Sendable {
    /// Decodes a document given as text.
    func decode<Value: Decodable>(_ type: Value.Type, text: String) throws -> Value
}

extension LenientDecoder: AnyTopLevelDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, text: String) throws -> Value {
        try decode(type, from: Array(text.utf8))
    }

    /// A decoder that repairs nothing, as Foundation's does.
    static var strict: LenientDecoder {
        var decoder = LenientDecoder()
        decoder.leniency = []
        return decoder
    }

    /// A decoder that repairs everything and finds members in snake_case.
    static var snakeCase: LenientDecoder {
        var decoder = LenientDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

/// Foundation's decoder, made anew for each document.
struct FoundationDecoder: AnyTopLevelDecoder {
    var isSnakeCase = false

    func decode<Value: Decodable>(_ type: Value.Type, text: String) throws -> Value {
        let decoder = JSONDecoder()
        if isSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        return try decoder.decode(type, from: Data(text.utf8))
    }
}

/// The decoders that are to agree.
let decoders: [any AnyTopLevelDecoder] = [LenientDecoder(), LenientDecoder.strict, FoundationDecoder()]
/// Those that are to agree where something is refused.
let strictDecoders: [any AnyTopLevelDecoder] = [LenientDecoder.strict, FoundationDecoder()]

/// What became of decoding: the value, or which error and where.
func result<Value: Decodable>(_ type: Value.Type, _ text: String, by decoder: any AnyTopLevelDecoder) -> String {
    do {
        return "\(try decoder.decode(type, text: text))"
    } catch let error as DecodingError {
        return description(of: error)
    } catch {
        return "\(Swift.type(of: error))"
    }
}

/// An error as a line: `typeMismatch Int at list.1`.
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

/// A line an entry of a report: `dropped list[].a mistyped 2 list[0].a`.
func lines(_ drift: DriftReport) -> [String] {
    drift.entries.map { "\($0.kind.rawValue) \($0.path) \($0.reason.rawValue) \($0.count) \($0.example)" }
}

/// Decodes with every repair and gives the value with the report.
func repaired<Value: Decodable>(
    _ type: Value.Type, _ text: String, by decoder: LenientDecoder = LenientDecoder()
) throws -> (value: Value, drift: [String]) {
    var drift = DriftReport()
    let value = try decoder.decode(type, from: Array(text.utf8), drift: &drift)
    return (value, lines(drift))
}
