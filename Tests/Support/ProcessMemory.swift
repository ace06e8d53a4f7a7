import Foundation
import Glibc

/// The memory of this process.
package enum ProcessMemory {
    /// The resident memory in bytes.
    package static var resident: Int { get throws { try resident(of: "self") } }

    /// The resident memory of a process in bytes.
    static func resident(of process: String) throws -> Int {
        let fields = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        return (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}

extension WeirProcess {
    /// The resident memory in bytes.
    package var residentMemory: Int { get throws { try ProcessMemory.resident(of: "\(identifier)") } }

    /// The number of open descriptors.
    package var descriptorCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count }
    }
}
