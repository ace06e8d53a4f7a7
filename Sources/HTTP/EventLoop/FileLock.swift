import Glibc

/// A lock on a file that ends with this value, at the latest with the process (flock(2)).
public final class FileLock: Sendable {
    private let number: Int32

    /// Locks the file at `path`, which is created if it does not exist.
    /// - Returns: Nil if it is locked already.
    /// - Throws: `SystemError` if it cannot be opened or locked.
    public init?(path: String) throws {
        number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError("lock \(path)") }
        if flock(number, LOCK_EX | LOCK_NB) == 0 { return }
        guard errno == EWOULDBLOCK else { throw SystemError("lock \(path)") }
        return nil
    }

    deinit { if number >= 0 { close(number) } }
}
