import CScan

/// A scan for the places where one of several texts may be, also if its characters are encoded.
///
/// It finds a pair of neighbouring bytes of each text, and the escapes of ASCII characters in JSON, URLs and HTML.
///
/// Unsafe: passes pointers into the two arrays, which are alive meanwhile, to C.
package struct PairScan: Sendable {
    /// 32 bytes for each pair: each of its bytes 16 times.
    private let pairs: [UInt8]
    private let count: Int
    private let hasPunctuation: Bool

    /// A scan for `pairs`; `hasPunctuation` tells whether a text contains a slash, a quote or a backslash.
    package init(_ pairs: [(UInt8, UInt8)], hasPunctuation: Bool) {
        self.pairs = pairs.flatMap { pair in
            [pair.0, pair.1].flatMap { [UInt8](repeating: $0, count: 16) }
        }
        count = pairs.count
        self.hasPunctuation = hasPunctuation
    }

    /// Returns the first place from `start` on; the end of `bytes` if there is none.
    package func next(in bytes: [UInt8], from start: Int) -> Int {
        guard start < bytes.count else { return bytes.count }
        return bytes.withUnsafeBufferPointer { bytes in
            pairs.withUnsafeBufferPointer { pairs in
                // Without pairs, C does not read behind the pointer.
                guard let base = bytes.baseAddress else { return start }
                let end = base + bytes.count
                return weir_scan_pairs(base + start, end, pairs.baseAddress ?? base, count, hasPunctuation) - base
            }
        }
    }
}
