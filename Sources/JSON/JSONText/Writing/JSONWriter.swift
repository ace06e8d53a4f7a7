import CScan

/// A writer of compact JSON.
///
/// The caller writes the brackets, commas and colons; the writer spells numbers and strings.
///
///     let bytes = JSONWriter.bytes(expecting: 64) { writer in
///         writer.write(raw: "{\"time\":")
///         writer.write(Int64(1_767_290_437))
///         writer.write(byte: UInt8(ascii: "}"))
///     }
///
/// Unsafe: writes through a pointer without bounds checks. Every write first reserves room for all of its bytes.
public struct JSONWriter: ~Copyable {
    @usableFromInline var buffer: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var written = 0
    /// Whether the writer allocated the buffer and frees it.
    private var isOwner = true

    /// The number of bytes written.
    @inlinable public var count: Int { written }

    /// A writer with room for `capacity` bytes before it must grow.
    public init(capacity: Int = 1024) {
        self.capacity = max(capacity, 64)
        buffer = .allocate(capacity: self.capacity)
    }

    private init(borrowing room: UnsafeMutableBufferPointer<UInt8>, at base: UnsafeMutablePointer<UInt8>) {
        buffer = base
        capacity = room.count
        isOwner = false
    }

    deinit { if isOwner { buffer.deallocate() } }

    /// Returns what `body` writes.
    ///
    /// Writes into the array's memory, without a copy, as long as `capacity` bytes suffice.
    ///
    ///     JSONWriter.bytes(expecting: 16) { writer in writer.write("Wind") }  // "Wind"
    public static func bytes(
        expecting capacity: Int, _ body: (inout JSONWriter) throws -> Void
    ) rethrows -> [UInt8] {
        var outgrown: [UInt8]?
        let bytes = try [UInt8](unsafeUninitializedCapacity: max(capacity, 64)) { room, count in
            guard let base = room.baseAddress else { return }
            var writer = JSONWriter(borrowing: room, at: base)
            try body(&writer)
            if writer.isOwner { outgrown = writer.bytes } else { count = writer.count }
        }
        return outgrown ?? bytes
    }

    /// Returns what `body` writes, which is valid UTF-8, as text.
    package static func text<Failure>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> String {
        var writer = JSONWriter(capacity: 64)
        try body(&writer)
        return writer.text(from: 0)
    }

    /// A copy of the bytes written.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: buffer, count: count)) }

    /// Returns the text written from `start` on, which the caller has written as valid UTF-8.
    package func text(from start: Int) -> String {
        precondition(start >= 0 && start <= count, "no byte has been written at this index")
        var text = UTF8Span(unchecked: UnsafeBufferPointer(start: buffer + start, count: count - start).span)
        // A string that knows to be ASCII is compared, hashed and converted to lower case faster.
        _ = text.checkForASCII()
        return String(copying: text)
    }

    /// Passes the bytes written to `body`, without a copy; they are valid until it returns.
    ///
    ///     let checksum = writer.withBytes { bytes in bytes.reduce(0) { $0 &+ $1 } }
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(UnsafeBufferPointer(start: buffer, count: count))
    }

    /// Returns the bytes written and starts anew, in the same memory.
    ///
    ///     let line = writer.takeBytes()
    ///     writer.count  // 0
    public mutating func takeBytes() -> [UInt8] {
        defer { reset() }
        return bytes
    }

    /// Returns the byte at `index`, which has been written.
    package func byte(at index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "no byte has been written at this index")
        return buffer[index]
    }

    /// Takes back what was written after the first `count` bytes.
    package mutating func cut(to count: Int) {
        precondition(count >= 0 && count <= written, "no byte has been written at this index")
        written = count
    }

    /// Starts anew, in the same memory.
    public mutating func reset() { written = 0 }

    /// Returns room for `length` more bytes, which the caller accounts for with `advance`.
    @inlinable @inline(__always)
    mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- written < length { grow(by: length) }
        return buffer + written
    }

    /// Accounts for bytes written into reserved room.
    @inlinable @inline(__always)
    mutating func advance(by length: Int) { written &+= length }

    @usableFromInline @inline(never)
    mutating func grow(by length: Int) {
        capacity = max(capacity * 2, count + length)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: buffer, count: count)
        if isOwner { buffer.deallocate() }
        buffer = larger
        isOwner = true
    }
}

// MARK: Raw text

extension JSONWriter {
    /// Writes one byte as it is: a bracket, a comma, a colon.
    ///
    ///     writer.write(byte: UInt8(ascii: "["))
    @inlinable
    public mutating func write(byte: UInt8) {
        reserve(1).pointee = byte
        advance(by: 1)
    }

    /// Replaces the byte at `index`, which has been written.
    public mutating func overwrite(at index: Int, with byte: UInt8) {
        precondition(index < count, "no byte has been written at this index")
        buffer[index] = byte
    }

    /// Writes bytes as they are: JSON text prepared elsewhere.
    @inlinable
    public mutating func write(raw bytes: UnsafeBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else { return }
        reserve(bytes.count).update(from: base, count: bytes.count)
        advance(by: bytes.count)
    }

    /// Writes bytes as they are; up to 15 bytes more are read where that is possible before `end`.
    @inline(__always)
    mutating func write(raw start: UnsafePointer<UInt8>, _ length: Int, before end: UnsafePointer<UInt8>) {
        weir_copy(reserve(length &+ 15), start, length, end)
        advance(by: length)
    }

    /// Writes text as it is: JSON text prepared elsewhere.
    ///
    ///     writer.write(raw: "{\"time\":")
    @inlinable
    public mutating func write(raw text: StaticString) {
        write(raw: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes bytes as they are: JSON text prepared elsewhere.
    @inlinable
    public mutating func write(raw bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { write(raw: $0) }
    }

    /// Writes bytes as they are: JSON text prepared elsewhere.
    @inlinable @inline(__always)
    package mutating func write(raw bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { write(raw: $0) }
    }

    /// Writes elements with commas between two brackets.
    @inlinable
    package mutating func write<Elements: Sequence, Failure>(
        _ start: StaticString, _ end: StaticString, _ elements: Elements,
        each: (Elements.Element, inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        write(raw: start)
        var isFirst = true
        for element in elements {
            if !isFirst { write(byte: UInt8(ascii: ",")) }
            isFirst = false
            try each(element, &self)
        }
        write(raw: end)
    }

    /// Writes `null`.
    @inlinable
    public mutating func writeNull() { write(raw: "null") }

    /// Writes `true` or `false`.
    @inlinable
    public mutating func write(_ value: Bool) { write(raw: value ? "true" : "false") }
}

// MARK: Strings

extension JSONWriter {
    /// Writes a string in quotes with the escapes that JSON requires; `/` and text beyond ASCII stay as they are.
    ///
    ///     writer.write("Wind \"Ida\"\n")  // "Wind \"Ida\"\n"
    public mutating func write(_ value: String) {
        // `withUTF8` would need a copy of the string.
        if value.utf8.withContiguousStorageIfAvailable({ write(string: $0) }) == nil {
            var value = value
            value.withUTF8 { write(string: $0) }
        }
    }

    /// Writes a string that is given as valid UTF-8.
    public mutating func write(string text: UnsafeBufferPointer<UInt8>) {
        guard var cursor = text.baseAddress else { return write(raw: "\"\"") }
        let end = cursor + text.count
        write(byte: UInt8(ascii: "\""))
        while true {
            let left = end - cursor
            let plain = weir_copy_unescaped(reserve(left + 1), cursor, left)
            advance(by: plain)
            cursor += plain
            if cursor == end { break }
            write(escaped: cursor.pointee)
            cursor += 1
        }
        write(byte: UInt8(ascii: "\""))
    }

    /// Writes a string that is given as valid UTF-8.
    package mutating func write(string text: Span<UInt8>) {
        text.withUnsafeBufferPointer { write(string: $0) }
    }

    /// Writes the string of a node with the escapes of its source.
    ///
    /// The escape of a lone surrogate, which no Unicode text can hold, becomes `\ufffd`.
    ///
    ///     if let title = root["title"] { writer.write(stringOf: title) }
    public mutating func write(stringOf node: JSONNode) {
        // With the quotes of the source.
        let length = node.length &+ 2
        let room = reserve(length &+ 15)
        weir_copy(room, node.source + (node.offset - 1), length, node.sourceEnd)
        if node.kind == .escapedString { EscapedText.replaceLoneSurrogates(in: room, length) }
        advance(by: length)
    }

    /// Returns the escape of a control character.
    static func escape(of byte: UInt8) -> [UInt8] {
        var writer = JSONWriter(capacity: 8)
        writer.write(escaped: byte)
        return writer.bytes
    }

    private mutating func write(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): write(raw: "\\\"")
        case UInt8(ascii: "\\"): write(raw: "\\\\")
        case 0x08: write(raw: "\\b")
        case 0x09: write(raw: "\\t")
        case 0x0A: write(raw: "\\n")
        case 0x0C: write(raw: "\\f")
        case 0x0D: write(raw: "\\r")
        default:
            write(raw: "\\u00")
            write(byte: Hex.digit(byte >> 4))
            write(byte: Hex.digit(byte & 15))
        }
    }
}

// MARK: Values of a transform, each with a comma behind it

extension JSONWriter {
    /// Writes a scalar as it is in the source, or a non-finite number as `null`, and a comma.
    @inline(__always)
    mutating func write(scalar node: JSONNode) {
        if node.becomesNull { return write(raw: "null,") }
        let quotes = node.isString ? 1 : 0
        let length = node.length &+ 2 &* quotes
        let room = reserve(length &+ 16)
        weir_copy(room, node.source + (node.offset &- quotes), length, node.sourceEnd)
        if node.kind == .escapedString { EscapedText.replaceLoneSurrogates(in: room, length) }
        room[length] = UInt8(ascii: ",")
        advance(by: length &+ 1)
    }

    /// Writes a name with its colon, a scalar that does not become `null`, and a comma.
    @inline(__always)
    mutating func write(scalar node: JSONNode, named name: PaddedText) {
        let quotes = node.isString ? 1 : 0
        let (first, length, end) = (node.source + (node.offset &- quotes), node.length &+ 2 &* quotes, node.sourceEnd)
        let isEscaped = node.kind == .escapedString
        let start = reserve(name.count &+ PaddedText.blockLength &+ length &+ 16)
        name.copy(to: start)
        let room = start + name.count
        weir_copy(room, first, length, end)
        if isEscaped { EscapedText.replaceLoneSurrogates(in: room, length) }
        room[length] = UInt8(ascii: ",")
        advance(by: name.count &+ length &+ 1)
    }

    /// Writes a closing bracket in the place of the comma behind the last value, if there is one, and a comma.
    @inline(__always)
    mutating func close(with bracket: UInt8) {
        removeComma()
        let room = reserve(2)
        (room[0], room[1]) = (bracket, UInt8(ascii: ","))
        advance(by: 2)
    }

    /// Removes the last byte if it is a comma.
    @inline(__always)
    mutating func removeComma() { if buffer[written - 1] == UInt8(ascii: ",") { written -= 1 } }
}

// MARK: Numbers

extension JSONWriter {
    /// Writes an integer.
    public mutating func write(_ value: Int64) {
        if value < 0 { write(byte: UInt8(ascii: "-")) }
        write(value.magnitude)
    }

    /// Writes an integer.
    public mutating func write(_ value: UInt64) { advance(by: weir_write_decimal(reserve(20), value)) }

    /// Writes a double in the shortest form that reads back as the same double, an integer without `.0`.
    ///
    /// NaN and infinities, which JSON lacks, are written as `null`.
    ///
    ///     writer.write(10.0)  // 10
    ///     writer.write(0.1)  // 0.1
    public mutating func write(_ value: Double) {
        let length = weir_write_short_double(reserve(24), value)
        if length > 0 { return advance(by: length) }
        guard value.isFinite else { return writeNull() }
        var description = value.description
        description.withUTF8 { write(description: $0) }
    }

    /// Writes a double rounded to `places` decimals, half away from zero; returns false, without writing anything, for more
    /// than four places or a number of 10^11 or more.
    ///
    /// One step takes 0.6 of the instructions of rounding a double and then finding its shortest form.
    package mutating func write(_ value: Double, places: Int) -> Bool {
        let length = weir_write_rounded(reserve(24), value, places)
        advance(by: length)
        return length > 0
    }

    /// Writes the standard library's shortest form as ECMAScript spells it: `1e+16` as `10000000000000000`, `1e-06` as
    /// `0.000001`, `1.5e-07` as `1.5e-7`.
    private mutating func write(description text: UnsafeBufferPointer<UInt8>) {
        let mark = text.firstIndex(of: UInt8(ascii: "e")) ?? text.count
        let isIntegral = mark > 2 && text[mark - 2] == UInt8(ascii: ".") && text[mark - 1] == UInt8(ascii: "0")
        let mantissa = text[..<(isIntegral ? mark - 2 : mark)]
        guard let exponent = Int(String(decoding: text[min(mark + 1, text.count)...], as: UTF8.self)) else {
            return write(raw: UnsafeBufferPointer(rebasing: mantissa))
        }
        let digits = mantissa.lazy.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let places = digits.count - 1 - exponent
        if mantissa[0] == UInt8(ascii: "-") { write(byte: UInt8(ascii: "-")) }
        if exponent < 0, places <= 6 {
            write(raw: "0.")
            for _ in digits.count..<places { write(byte: UInt8(ascii: "0")) }
            for digit in digits { write(byte: digit) }
        } else if 0..<21 ~= exponent {
            for digit in digits { write(byte: digit) }
            for _ in 0..<(-places) { write(byte: UInt8(ascii: "0")) }
        } else {
            write(raw: UnsafeBufferPointer(rebasing: mantissa.drop { $0 == UInt8(ascii: "-") }))
            write(byte: UInt8(ascii: "e"))
            write(Int64(exponent))
        }
    }
}

extension JSONWriter {
    /// Room for a text of a few bytes, for which is looked once.
    @usableFromInline
    package struct Room {
        @usableFromInline var end: UnsafeMutablePointer<UInt8>

        @inlinable
        init(_ start: UnsafeMutablePointer<UInt8>) { end = start }

        /// Writes one byte more.
        @inlinable @inline(__always)
        package mutating func write(byte: UInt8) {
            end.pointee = byte
            end += 1
        }

        /// Writes the eight bytes of `word`, the least significant one first.
        @inlinable @inline(__always)
        package mutating func write(bytes word: UInt64) {
            UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
            end += 8
        }
    }

    /// Writes a text of at most `length` bytes as it is.
    @inlinable @inline(__always)
    package mutating func write(atMost length: Int, _ body: (inout Room) -> Void) {
        let start = reserve(length)
        var room = Room(start)
        body(&room)
        advance(by: room.end - start)
    }
}
