import JSONText

/// Stops the run with the input at hand when something does not hold that must.
func invariant(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

/// The input as libFuzzer hands it over.
func input(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
}

/// `bytes` for a message: as text, shortened.
func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(2000), as: UTF8.self) }

/// What `body` makes of the document; nil when it is none.
func reading<Result>(
    _ bytes: [UInt8], leniency: JSONLeniency = [], _ body: (JSONNode) throws -> Result
) -> Result? {
    var parser = JSONParser(options: JSONOptions(leniency: leniency))
    do {
        return try parser.withDocument(bytes, body)
    } catch let error as JSONSyntaxError {
        invariant((0...bytes.count).contains(error.offset), "an error at \(error.offset) of \(bytes.count)")
        invariant(error.line >= 1 && error.column >= 1 && !error.description.isEmpty, "an error nowhere")
        return nil
    } catch {
        return nil
    }
}
