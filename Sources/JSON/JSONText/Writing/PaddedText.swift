// Unsafe: reads and copies whole blocks at the start of a text, which has that much memory.

/// Bytes of JSON text prepared to be written often.
///
/// Whole blocks can be read at its start, however short it is: copies of a fixed length take no call.
@usableFromInline package struct PaddedText {
    @usableFromInline package let start: UnsafePointer<UInt8>
    @usableFromInline package let count: Int

    @usableFromInline static let blockLength = 32

    /// A copy of `bytes`, to be freed by whom it is made for.
    package init(copying bytes: [UInt8]) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + Self.blockLength)
        copy.initialize(repeating: 0, count: bytes.count + Self.blockLength)
        copy.update(from: bytes, count: bytes.count)
        start = UnsafePointer(copy)
        count = bytes.count
    }

    @inlinable
    init(start: UnsafePointer<UInt8>, count: Int) {
        self.start = start
        self.count = count
    }

    @inlinable package var bytes: UnsafeBufferPointer<UInt8> {
        @inline(__always) get { UnsafeBufferPointer(start: start, count: count) }
    }

    /// Copies the text to `room`, and whatever follows it if it is shorter than a block.
    @inlinable @inline(__always)
    func copy(to room: UnsafeMutablePointer<UInt8>) {
        let room = UnsafeMutableRawPointer(room)
        if count <= Self.blockLength {
            room.copyMemory(from: start, byteCount: Self.blockLength)
        } else {
            room.copyMemory(from: start, byteCount: count)
        }
    }
}

extension JSONWriter {
    /// Writes text as it is.
    @inlinable @inline(__always)
    package mutating func write(_ text: PaddedText) {
        text.copy(to: reserve(max(text.count, PaddedText.blockLength)))
        advance(by: text.count)
    }
}
