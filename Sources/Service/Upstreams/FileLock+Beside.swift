import EventLoop
import Telemetry

extension FileLock {
    /// Locks the file `<path>.lock`, or tells the log that another process uses the file at `path`, too.
    ///
    /// `kind` is the word for the file in the log. Nil if another process has the lock, or if there can be none.
    static func beside(_ path: String, _ kind: String, ifShared detail: String, _ log: Log) -> FileLock? {
        do {
            // A file of its own, because the other one is replaced.
            if let lock = try FileLock(path: path + ".lock") { return lock }
            log.write(.warning, "\(kind) shared", ["file": path, "detail": detail])
        } catch {
            log.write(.warning, "\(kind) not locked", ["file": path, "detail": "\(error)"])
        }
        return nil
    }
}
