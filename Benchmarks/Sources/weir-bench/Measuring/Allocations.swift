import CAllocations

/// Heap allocations.
enum Allocations {
    /// How many `body` makes; nil where they cannot be counted.
    static func count(_ body: () -> Void) -> Int? {
        weir_allocations_start()
        body()
        let count = weir_allocations_stop()
        return count < 0 ? nil : count
    }
}
