import CAllocations
import Foundation

/// The processor time of this process.
enum CPUTime {
    /// The time that all threads have used so far.
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// Counts heap allocations.
enum Allocations {
    /// Returns the number of allocations in `body`; nil if this C library does not allow counting.
    static func count(_ body: () -> Void) -> Int? {
        weir_allocations_start()
        body()
        let count = weir_allocations_stop()
        return count < 0 ? nil : count
    }
}
