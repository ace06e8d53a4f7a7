import EventLoop
import Telemetry

/// A file that one process writes and replaces as a whole.
enum SharedFile {
    /// Locks the file `<path>.lock`, or tells the log that another process uses the file at `path`, too.
    ///
    /// The lock is on a file of its own, because the file at `path` is replaced. `kind` is the word for the replaced file in the log.
    /// - Returns: Nil if another process has the lock, or if there can be none.
    static func lock(beside path: String, _ kind: String, ifShared detail: String, _ log: Log) -> FileLock? {
        do {
            if let lock = try FileLock(path: path + ".lock") { return lock }
            log.write(.warning, "\(kind) shared", ["file": path, "detail": detail])
        } catch {
            log.write(.warning, "\(kind) not locked", ["file": path, "detail": "\(error)"])
        }
        return nil
    }
}
