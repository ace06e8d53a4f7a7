import Foundation
import Glibc

/// The memory of this process.
package enum ProcessMemory {
    /// The resident memory in bytes.
    package static var resident: Int {
        get throws {
            let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        }
    }
}
