import FoundationEssentials
import Synchronization

/// The offsets of a time zone from UTC at any time, from the system's time zone database (TZif, RFC 9636).
package struct ZoneRules: Sendable {
    private static let folder = "/usr/share/zoneinfo/"
    /// The zones that were looked up, by their names; nil for those that cannot be used.
    private static let known = Mutex<[String: ZoneRules?]>([:])
    /// The database has about 600 names; the others are not kept, because an upstream could send any number of them.
    private static let maximumKnown = 1024

    /// The first seconds of the spans that have one offset.
    private let starts: [Int]
    /// The offset before the first of these spans, and those of the spans.
    private let offsets: [Int]

    /// Returns the rules of the zone with an IANA name, or nil if the system does not know them.
    package static func named(_ name: String) -> ZoneRules? {
        if let rules = known.withLock({ $0[name] }) { return rules }
        guard isName(name) else { return nil }
        let rules = read(folder + name)
        known.withLock { if $0.count < maximumKnown { $0[name] = .some(rules) } }
        return rules
    }

    /// Whether `name` has the form of a zone's name, up to three parts of letters, digits, `_`, `+` and `-`, and so leads
    /// to no other folder.
    private static func isName(_ name: String) -> Bool {
        let isPart: (Substring.UTF8View) -> Bool = { part in
            !part.isEmpty
                && part.allSatisfy { byte in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || "0123456789_+-".utf8.contains(byte)
                }
        }
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return name.utf8.count <= 64 && parts.count <= 3 && parts.allSatisfy(isPart)
    }

    private static func read(_ path: String) -> ZoneRules? {
        (try? Data(contentsOf: URL(filePath: path))).flatMap { ZoneRules(tzif: [UInt8]($0)) }
    }

    /// The rules of a zone that is always some seconds ahead of UTC.
    package init(offset: Int) { (starts, offsets) = ([], [offset]) }

    /// Reads a file of the database; nil if it is malformed, or if it leaves the rules of today to its footer.
    init?(tzif bytes: [UInt8]) {
        guard let first = Header(bytes[...]), first.version >= UInt8(ascii: "2"),
            case let rest = bytes.dropFirst(Header.size + first.dataSize(timeSize: 4)), let header = Header(rest),
            case let data = rest.dropFirst(Header.size), case let size = header.dataSize(timeSize: 8),
            data.count > size, header.types > 0
        else { return nil }
        let count = header.transitions
        let indices = data.dropFirst(8 * count).prefix(count)
        let records = data.dropFirst(9 * count)
        guard indices.allSatisfy({ $0 < header.types }) else { return nil }
        func offset(_ type: Int) -> Int { Self.integer(records.dropFirst(6 * type).prefix(4)) }
        starts = (0..<count).map { Self.integer(data.dropFirst(8 * $0).prefix(8)) }
        offsets = [offset(0)] + indices.map { offset(Int($0)) }
        guard zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 }), offsets.allSatisfy({ abs($0) <= 26 * 3600 })
        else { return nil }
        // A comma in the footer: the clock changes every year. Usual files list these changes until 2037.
        let lists2036 = starts.last.map { $0 > 2_082_758_400 } ?? false
        if !lists2036, data.dropFirst(size).contains(UInt8(ascii: ",")) { return nil }
    }

    /// Whether the clocks of the zone never change.
    package var isFixed: Bool { starts.isEmpty }

    /// Returns the seconds ahead of UTC at a moment.
    package func offset(at moment: Double) -> Double {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if Double(starts[middle]) <= moment { low = middle + 1 } else { high = middle }
        }
        return Double(offsets[low])
    }

    /// Returns the moment at which clocks show `local`, in seconds since 1970-01-01T00:00:00 local time.
    ///
    /// Returns the first of two moments, and for a time that clocks skip the moment that is as long after the change.
    package func moment(ofLocal local: Double) -> Double {
        let before = offset(at: local - 86400), after = offset(at: local + 86400)
        if before != after, offset(at: local - before) != before, offset(at: local - after) == after {
            return local - after
        }
        return local - before
    }

    /// The head of a block of a TZif file (RFC 9636 §3.1).
    private struct Header {
        static let size = 44
        let version: UInt8
        /// The numbers of UT indicators, standard indicators, leap seconds, transitions, types and characters.
        private let counts: [Int]

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= Self.size, bytes.starts(with: "TZif".utf8) else { return nil }
            version = bytes[bytes.startIndex + 4]
            counts = (0..<6).map { ZoneRules.integer(bytes.dropFirst(20 + 4 * $0).prefix(4)) }
            if counts.contains(where: { $0 < 0 || $0 > 65_536 }) { return nil }
        }

        var transitions: Int { counts[3] }
        var types: Int { counts[4] }

        /// The size of the block's data, with transitions of `timeSize` bytes.
        func dataSize(timeSize: Int) -> Int {
            counts[0] + counts[1] + counts[2] * (timeSize + 4) + counts[3] * (timeSize + 1) + counts[4] * 6 + counts[5]
        }
    }

    /// Reads a big-endian integer with a sign.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(bytes.first.map { $0 >= 0x80 } == true ? -1 : 0) { $0 << 8 | Int($1) }
    }
}
