import Store

/// The service's own cache, with places of 1 KiB each, bookkeeping and ghosts included in its size.
struct WeirStore: Policy {
    static let name = "weir"

    private static let bytes = 1024
    private let cache: ByteBoundedCache<UInt32, Bool>

    init(capacity: Int, trace: AccessTrace) {
        cache = ByteBoundedCache(maximumBytes: capacity * Self.bytes, stripes: 8)
    }

    func access(_ place: UInt32, at index: Int) -> Bool {
        if cache.value(for: place) != nil { return true }
        cache.insert(true, for: place, cost: Self.bytes - ByteBoundedCache<UInt32, Bool>.overhead)
        return false
    }
}
