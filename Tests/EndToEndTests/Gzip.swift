import TestSupport

/// Encodes bytes as gzip (RFC 1952) without compression, and decodes gzip.
enum Gzip {
    /// Decodes gzip with the system's gzip.
    static func inflate(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let result = try Tool.run(["gzip", "-dc", try folder.write(bytes, to: "body.gz")])
        guard result.status == 0 else { throw Failure(result.errors) }
        return result.output
    }

    /// Encodes at most 65,535 bytes as one stored block (RFC 1951 §3.2.4).
    ///
    /// The last `cut` bytes are left out.
    static func frame(_ bytes: [UInt8], cutting cut: Int = 0) -> [UInt8] {
        precondition(bytes.count <= 0xFFFF)
        let length = UInt16(bytes.count)
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let block = [1] + littleEndian(length) + littleEndian(~length) + bytes
        let tail = littleEndian(checksum(bytes)) + littleEndian(UInt32(bytes.count))
        return Array((head + block + tail).dropLast(cut))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var remainder: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~remainder
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
