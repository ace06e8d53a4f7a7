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

    /// The same text from its second byte on.
    @inlinable package var withoutFirst: PaddedText {
        @inline(__always) get { PaddedText(start: start + 1, count: count &- 1) }
    }
}

extension JSONWriter {
    /// Writes text as it is.
    @inlinable @inline(__always)
    package mutating func write(_ text: PaddedText) {
        let room = UnsafeMutableRawPointer(reserve(max(text.count, PaddedText.blockLength)))
        if text.count <= PaddedText.blockLength {
            room.copyMemory(from: text.start, byteCount: PaddedText.blockLength)
        } else {
            room.copyMemory(from: text.start, byteCount: text.count)
        }
        advance(by: text.count)
    }
}
