import Glibc

/// Why a snapshot could not be read or written; its text follows the name of the file in a log line.
public enum SnapshotFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no such file: the first start.
    case absent
    /// A call of the system failed, such as `write`, with its error number.
    case system(call: String, code: Int32)
    /// The file, or what was to be written, has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// The records have another version than the caller's.
    case otherVersion(found: UInt32, expected: UInt32)
    /// The content is not what was written, and why.
    case damaged(String)
    /// There is something at the path that is no snapshot, so that it is not replaced.
    case foreign
    /// Another process, or another thread, is writing the file.
    case busy

    /// A text such as `is damaged: it has 17 bytes less than its header says`.
    public var description: String {
        switch self {
        case .absent: "does not exist"
        case .system(let call, let code): "cannot be used: \(call): \(String(cString: strerror(code)))"
        case .tooLarge(let limit): "is larger than the limit of \(limit) bytes"
        case .otherVersion(let found, let expected): "has version \(found) instead of \(expected)"
        case .damaged(let reason): "is damaged: \(reason)"
        case .foreign: "is no snapshot, and so it is not replaced; remove it, or name another file"
        case .busy: "is being written by another process"
        }
    }
}
