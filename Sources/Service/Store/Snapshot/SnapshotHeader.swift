import CZlib
import HTTPCore

/// The first 40 bytes of a snapshot, in little-endian order.
///
///     0  magic, "WEIRSNAP"          24  bytes of the records, 8 bytes
///     8  format of the file, 4      32  CRC-32 of the records, 4
///     12 version of the records, 4  36  CRC-32 of the bytes before, 4
///     16 number of records, 8
///
/// A record is its length in 4 bytes and its bytes.
struct SnapshotHeader: Equatable {
    static let size = 40
    static let magic = Array("WEIRSNAP".utf8)
    private static let format: UInt32 = 1

    let version: UInt32
    var count: UInt64 = 0
    var length: UInt64 = 0
    var checksum: UInt32 = 0

    init(version: UInt32) { self.version = version }

    /// Reads the header of a file of `size` bytes.
    init(_ bytes: [UInt8], versions: ClosedRange<UInt32>, size: Int) throws(SnapshotFault) {
        // A file that grows while it is read can have more bytes than its size.
        guard bytes.count == Self.size, size >= Self.size else { throw .damaged("it ends within its header") }
        guard bytes.starts(with: Self.magic) else { throw .damaged("it does not begin as a snapshot does") }
        guard UInt32(littleEndian: bytes, at: 36) == Checksum(of: Array(bytes[..<36])).value else {
            throw .damaged("its header has another checksum")
        }
        guard UInt32(littleEndian: bytes, at: 8) == Self.format else { throw .damaged("its format is unknown") }
        let found = UInt32(littleEndian: bytes, at: 12)
        guard versions.contains(found) else { throw .otherVersion(found: found, expected: versions.upperBound) }
        version = found
        count = UInt64(littleEndian: bytes, at: 16)
        length = UInt64(littleEndian: bytes, at: 24)
        checksum = UInt32(littleEndian: bytes, at: 32)
        guard length == UInt64(size - Self.size) else {
            throw .damaged("it has \(size - Self.size) bytes of records, and its header says \(length)")
        }
        guard count <= length / 4 else { throw .damaged("it is too short for \(count) records") }
    }

    var bytes: [UInt8] {
        var bytes = Self.magic
        bytes.append(littleEndian: Self.format)
        bytes.append(littleEndian: version)
        bytes.append(littleEndian: count)
        bytes.append(littleEndian: length)
        bytes.append(littleEndian: checksum)
        bytes.append(littleEndian: Checksum(of: bytes).value)
        return bytes
    }
}

/// A CRC-32 of bytes that come in parts.
struct Checksum {
    private var state: UInt = 0

    init() {}

    init(of bytes: [UInt8]) { add(bytes) }

    var value: UInt32 { UInt32(truncatingIfNeeded: state) }

    /// Adds less than 4 GiB.
    mutating func add(_ bytes: [UInt8]) { state = crc32(state, bytes, UInt32(bytes.count)) }
}

extension FixedWidthInteger {
    /// Reads an integer at `offset`, where the bytes have one.
    init(littleEndian bytes: [UInt8], at offset: Int) {
        self = bytes[offset..<offset + Self.bitWidth / 8].reversed().reduce(0) { $0 << 8 | Self($1) }
    }
}
