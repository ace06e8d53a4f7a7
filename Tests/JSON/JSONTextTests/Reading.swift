import JSONText

/// Parses `text` and returns the result of `body` for its root.
func reading<Result>(
    _ text: String, options: JSONOptions = JSONOptions(), _ body: (JSONNode) throws -> Result
) throws -> Result {
    var parser = JSONParser(options: options)
    return try parser.withDocument(Array(text.utf8), body)
}

/// Returns the error that the parser throws for `bytes`, or nil if it accepts them.
func refusal(of bytes: [UInt8], options: JSONOptions = JSONOptions()) -> JSONSyntaxError? {
    var parser = JSONParser(options: options)
    do {
        try parser.withDocument(bytes) { _ in }
        return nil
    } catch {
        return error as? JSONSyntaxError
    }
}

/// Returns the error that the parser throws for `text`, or nil if it accepts it.
func refusal(of text: String, options: JSONOptions = JSONOptions()) -> JSONSyntaxError? {
    refusal(of: Array(text.utf8), options: options)
}

/// Returns the text that `body` writes.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}
