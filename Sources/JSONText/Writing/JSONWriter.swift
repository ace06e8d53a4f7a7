import CScan

/// Writes compact JSON.
///
/// Keys and commas are the caller's; numbers, strings and their escapes are the writer's.
///
///     let bytes = JSONWriter.bytes(expecting: 64) { writer in
///         writer.write(raw: "{\"time\":")
///         writer.write(Int64(1_767_290_437))
///         writer.write(byte: UInt8(ascii: "}"))
///     }
public struct JSONWriter: ~Copyable {
    @usableFromInline var buffer: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// How many bytes have been written.
    @usableFromInline var written = 0
    /// Whether the buffer is the writer's own, to be freed by it.
    private var isOwner = true

    /// How many bytes have been written.
    ///
    ///     writer.count  // 4 after null
    @inlinable public var count: Int { written }

    /// A writer with room for `capacity` bytes before it must grow.
    ///
    ///     var writer = JSONWriter(capacity: 4096)
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

    /// What `body` writes, as an array that is not copied unless it outgrows `capacity` bytes.
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
            if writer.isOwner { outgrown = writer.bytes } else { count = writer.written }
        }
        return outgrown ?? bytes
    }

    /// A copy of the bytes so far.
    ///
    ///     String(decoding: writer.bytes, as: UTF8.self)
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: buffer, count: written)) }

    /// Hands the bytes so far to `body` without copying them; they are valid until it returns.
    ///
    ///     let checksum = writer.withBytes { bytes in bytes.reduce(0) { $0 &+ $1 } }
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(UnsafeBufferPointer(start: buffer, count: written))
    }

    /// The bytes so far, which the writer then forgets.
    ///
    /// Its memory stays for what is written next.
    ///
    ///     let line = writer.takeBytes()
    ///     writer.count  // 0
    public mutating func takeBytes() -> [UInt8] {
        defer { reset() }
        return bytes
    }

    /// Forgets what was written and keeps the memory for what is written next.
    ///
    ///     writer.reset()
    ///     writer.count  // 0
    public mutating func reset() { written = 0 }

    /// Room for `length` more bytes, which the caller then accounts for with `advance`.
    @inlinable @inline(__always)
    mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- written < length { grow(by: length) }
        return buffer + written
    }

    /// Accounts for bytes written into reserved room.
    @inlinable @inline(__always)
    mutating func advance(by length: Int) { written &+= length }

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
    }

    /// Writes a text of at most `length` bytes as it is.
    @inlinable @inline(__always)
    package mutating func write(atMost length: Int, _ body: (inout Room) -> Void) {
        let start = reserve(length)
        var room = Room(start)
        body(&room)
        advance(by: room.end - start)
    }

    @usableFromInline @inline(never)
    mutating func grow(by length: Int) {
        capacity = max(capacity * 2, written + length)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: buffer, count: written)
        if isOwner { buffer.deallocate() }
        buffer = larger
        isOwner = true
    }
}

extension JSONWriter {
    /// Writes one byte as it is: a bracket, a comma, a colon.
    ///
    ///     writer.write(byte: UInt8(ascii: "["))
    @inlinable
    public mutating func write(byte: UInt8) {
        reserve(1).pointee = byte
        advance(by: 1)
    }

    /// Puts another byte where one has been written.
    ///
    ///     writer.overwrite(at: 0, with: UInt8(ascii: "{"))
    public mutating func overwrite(at index: Int, with byte: UInt8) {
        precondition(index < count, "nothing has been written there")
        buffer[index] = byte
    }

    /// Writes bytes as they are: JSON text prepared elsewhere.
    ///
    ///     "[]".utf8.withContiguousStorageIfAvailable { writer.write(raw: $0) }
    @inlinable
    public mutating func write(raw bytes: UnsafeBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else { return }
        reserve(bytes.count).update(from: base, count: bytes.count)
        advance(by: bytes.count)
    }

    /// Writes text as it is: JSON text prepared elsewhere.
    ///
    ///     writer.write(raw: "{\"time\":")
    @inlinable
    public mutating func write(raw text: StaticString) {
        write(raw: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes bytes as they are: JSON text prepared elsewhere.
    ///
    ///     writer.write(raw: bytes)
    @inlinable
    public mutating func write(raw bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { write(raw: $0) }
    }

    /// Writes `null`.
    ///
    ///     writer.writeNull()  // null
    @inlinable
    public mutating func writeNull() { write(raw: "null") }

    /// Writes `true` or `false`.
    ///
    ///     writer.write(true)  // true
    @inlinable
    public mutating func write(_ value: Bool) { write(raw: value ? "true" : "false") }
}
