import JSONText

/// Returns the result of `body` for the parsed document; nil if the parser or `body` throws.
///
/// Checks that a syntax error has a position inside the input.
func reading<Result>(
    _ bytes: [UInt8], leniency: JSONLeniency = [], _ body: (JSONNode) throws -> Result
) -> Result? {
    var parser = JSONParser(options: JSONOptions(leniency: leniency))
    do {
        return try parser.withDocument(bytes, body)
    } catch let error as JSONSyntaxError {
        invariant(
            (0...bytes.count).contains(error.offset),
            "the error's offset \(error.offset) is outside of \(bytes.count) bytes")
        invariant(
            error.line >= 1 && error.column >= 1 && !error.description.isEmpty, "the error has no position or no text")
        return nil
    } catch {
        return nil
    }
}
