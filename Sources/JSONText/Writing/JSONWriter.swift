import CSystem

/// Writes compact JSON.
///
/// Keys and commas are the caller's; numbers, strings and their escapes are the writer's.
public struct JSONWriter: ~Copyable {
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// How many bytes have been written.
    public private(set) var count = 0

    /// A writer with room for `capacity` bytes before it must grow.
    public init(capacity: Int = 1024) {
        self.capacity = max(capacity, 64)
        buffer = .allocate(capacity: self.capacity)
    }

    deinit { buffer.deallocate() }

    /// The bytes so far.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: buffer, count: count)) }

    /// Room for `length` more bytes, which the caller then accounts for in `count`.
    @inline(__always)
    mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < length { grow(by: length) }
        return buffer + count
    }

    @inline(never)
    private mutating func grow(by length: Int) {
        capacity = max(capacity * 2, count + length)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: buffer, count: count)
        buffer.deallocate()
        buffer = larger
    }

    /// Accounts for bytes written into reserved room.
    @inline(__always)
    mutating func advance(by length: Int) { count += length }

    /// Writes one byte as it is: a bracket, a comma, a colon.
    public mutating func write(byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }

    /// Puts another byte where one has been written.
    public mutating func overwrite(at index: Int, with byte: UInt8) {
        precondition(index < count, "nothing has been written there")
        buffer[index] = byte
    }

    /// Writes bytes as they are: JSON text prepared elsewhere.
    public mutating func write(raw bytes: UnsafeBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else { return }
        reserve(bytes.count).update(from: base, count: bytes.count)
        count += bytes.count
    }

    /// Writes text as it is: JSON text prepared elsewhere.
    public mutating func write(raw text: StaticString) {
        write(raw: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes bytes as they are: JSON text prepared elsewhere.
    public mutating func write(raw bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { write(raw: $0) }
    }

    /// Writes `null`.
    public mutating func writeNull() { write(raw: "null") }

    /// Writes `true` or `false`.
    public mutating func write(_ value: Bool) { write(raw: value ? "true" : "false") }

    /// Writes a string with its quotes and the escapes JSON asks for; `/` and text that is not ASCII stay as they are.
    public mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { write(string: $0) }
    }

    /// Writes a string that is given as valid UTF-8.
    public mutating func write(string text: UnsafeBufferPointer<UInt8>) {
        write(byte: UInt8(ascii: "\""))
        if var cursor = text.baseAddress {
            let end = cursor + text.count
            while true {
                let stop = weir_scan_escapes(cursor, end) ?? end
                write(raw: UnsafeBufferPointer(start: cursor, count: stop - cursor))
                if stop == end { break }
                write(escaped: stop.pointee)
                cursor = stop + 1
            }
        }
        write(byte: UInt8(ascii: "\""))
    }

    /// A control character as JSON spells it.
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
            let digits = Array("0123456789abcdef".utf8)
            write(raw: "\\u00")
            write(byte: digits[Int(byte >> 4)])
            write(byte: digits[Int(byte & 15)])
        }
    }

    /// Writes a string value that is still on the tape, its escapes copied, without decoding it.
    public mutating func write(stringOf node: JSONNode) {
        write(byte: UInt8(ascii: "\""))
        write(raw: node.text)
        write(byte: UInt8(ascii: "\""))
    }
}
