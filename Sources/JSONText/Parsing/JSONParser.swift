/// Parses JSON text to a tape in one pass.
///
/// Strict RFC 8259 unless its options say otherwise.
///
/// A parser costs nothing to make: the memory for its tapes comes from a bounded pool of the process. It is used by
/// one thread at a time.
///
///     var parser = JSONParser()
///     let title = try parser.withDocument(bytes) { root in root["title"]?.string }
public struct JSONParser: ~Copyable {
    let options: JSONOptions

    /// A parser with the given leniencies and limits.
    ///
    ///     var parser = JSONParser(options: JSONOptions(leniency: .comments))
    public init(options: JSONOptions = JSONOptions()) { self.options = options }

    /// Parses `bytes` and hands the root value to `body`.
    ///
    /// The nodes are valid only until `body` returns.
    ///
    ///     let sum = try parser.withDocument(Array("[1,2]".utf8)) { root in
    ///         root.elements.reduce(0) { $0 + ($1.int64 ?? 0) }
    ///     }  // 3
    ///
    /// - Throws: `JSONSyntaxError`, or what `body` throws.
    public mutating func withDocument<Result>(
        _ bytes: [UInt8], _ body: (JSONNode) throws -> Result
    ) throws -> Result {
        try bytes.withUnsafeBufferPointer { try withDocument($0, body) }
    }

    /// Parses `bytes`, which must stay as they are meanwhile, and hands the root value to `body`.
    ///
    /// Copies nothing unless strings must be repaired. The nodes are valid only until `body` returns.
    ///
    ///     let count = try bytes.withUnsafeBufferPointer { text in
    ///         try parser.withDocument(text) { root in root.count }
    ///     }
    ///
    /// - Throws: `JSONSyntaxError`, or what `body` throws.
    public mutating func withDocument<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (JSONNode) throws -> Result
    ) throws -> Result {
        var reading = try DocumentReading(bytes, options)
        defer { reading.finish() }
        let root = try reading.next()
        try reading.expectEnd()
        return try body(root)
    }

    /// Parses the values that stand in `bytes` one after another, and hands each to `body` in turn.
    ///
    /// Without the leniency `concatenated` more than one is an error. Values before a fault have been handed on when
    /// it is found. The nodes are valid only until `body` returns.
    ///
    ///     var parser = JSONParser(options: JSONOptions(leniency: .concatenated))
    ///     try parser.withDocuments(Array("{} [1]".utf8)) { root in print(root.kind) }  // object, then array
    ///
    /// - Throws: `JSONSyntaxError`, its offset counted from the start of `bytes`, or what `body` throws.
    public mutating func withDocuments(_ bytes: [UInt8], _ body: (JSONNode) throws -> Void) throws {
        try bytes.withUnsafeBufferPointer { try withDocuments($0, body) }
    }

    /// Parses the values that stand in `bytes` one after another, and hands each to `body` in turn.
    ///
    /// As `withDocuments` with an array does; `bytes` must stay as they are meanwhile.
    ///
    ///     try bytes.withUnsafeBufferPointer { text in
    ///         try parser.withDocuments(text) { root in print(root.kind) }
    ///     }
    ///
    /// - Throws: `JSONSyntaxError`, or what `body` throws.
    public mutating func withDocuments(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (JSONNode) throws -> Void
    ) throws {
        var reading = try DocumentReading(bytes, options)
        defer { reading.finish() }
        repeat {
            let root = try reading.next()
            if !options.leniency.contains(.concatenated) { try reading.expectEnd() }
            try body(root)
        } while try !reading.isAtEnd()
    }
}
