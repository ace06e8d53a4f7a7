/// Where a container or a decoder stands in the coding path.
///
/// Most stand at a depth: the steps to them are the first ones of the session's path. Those that were handed out by
/// a container may be used while the path leads elsewhere, so the session keeps their last steps.
struct Place {
    static let root = Place(raw: 0)

    private let raw: UInt32

    private init(raw: UInt32) { self.raw = raw }

    init(depth: Int) { raw = UInt32(truncatingIfNeeded: depth) & 0x7FFF_FFFF }

    init(handedOut index: Int) { raw = UInt32(truncatingIfNeeded: index) | 0x8000_0000 }

    /// The number of steps; nil for a place that the session keeps.
    @inline(__always)
    var depth: Int? { raw < 0x8000_0000 ? Int(raw) : nil }

    /// Which of the places that the session keeps this is.
    var index: Int { Int(raw & 0x7FFF_FFFF) }

    /// A number below `count` that is rarely that of another place in use.
    @inline(__always)
    func slot(of count: Int) -> Int { Int(raw & UInt32(truncatingIfNeeded: count &- 1)) }
}
