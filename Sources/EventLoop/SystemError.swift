import Glibc

/// A call to the system that failed: which one, on what, and the system's reason.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, such as `listen on 127.0.0.1:8080`.
    public let action: String
    /// The system's error number.
    public let code: Int32

    init(_ action: String, code: Int32 = errno) {
        self.action = action
        self.code = code
    }

    /// `cannot listen on 127.0.0.1:8080: Address already in use`.
    public var description: String { "cannot \(action): \(String(cString: strerror(code)))" }
}
