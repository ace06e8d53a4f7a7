// Unsafe: inotify's events are copied from bytes that `read` has filled, within their count.
@preconcurrency import Dispatch
import Glibc

/// Calls a function after the file at a path has changed: its content, or a symbolic link on the way to it.
///
/// The folders are watched and not the file, because a new file can take its name (inotify(7)). A Kubernetes volume changes
/// the link `..data` beside the file.
public final class FileWatch: Sendable {
    /// The properties that differ after a change.
    private struct Identity: Equatable {
        var device = UInt64(0), inode = UInt64(0), size = 0
        var seconds = 0, nanoseconds = 0

        /// The file at the end of all links; zeros if there is none.
        init(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return }
            (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int(status.st_size))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// The time after the first event in which further ones belong to the same change.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    /// The most links that are followed, as the kernel does.
    private static let maximumLinks = 40
    private static let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR)

    private let source: any DispatchSourceRead

    /// Calls `changed` on a queue of its own after each change of the file at `path`, while this object exists.
    /// - Throws: `SystemError` if the folder cannot be watched.
    public init(_ path: String, changed: @escaping @Sendable () -> Void) throws {
        let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard number >= 0 else { throw SystemError("watch \(path)") }
        guard Self.watchFolders(of: path, number) else {
            let error = SystemError("watch \(path)")
            close(number)
            throw error
        }
        let queue = DispatchQueue(label: "weir.watch")
        source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        // Only the queue touches them.
        nonisolated(unsafe) var (known, isWaiting) = (Identity(path), false)
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 16 << 10)
            while read(number, &bytes, bytes.count) > 0 {}
            if isWaiting { return }
            isWaiting = true
            queue.asyncAfter(deadline: .now() + Self.pause) {
                isWaiting = false
                // Links may lead to other folders now.
                _ = Self.watchFolders(of: path, number)
                let found = Identity(path)
                if found != known { changed() }
                known = found
            }
        }
        source.setCancelHandler { close(number) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Watches the folder of `path` and of each link on the way; returns false if the first cannot be watched.
    private static func watchFolders(of path: String, _ number: Int32) -> Bool {
        var path = path
        for link in 0..<maximumLinks {
            let slash = path.lastIndex(of: "/")
            let folder = slash.map { String(path[...$0]) } ?? "./"
            let isWatched = inotify_add_watch(number, folder, events) >= 0
            if link == 0, !isWatched { return false }
            var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            guard readlink(path, &target, Int(PATH_MAX)) > 0 else { break }
            let name = target.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
            path = name.hasPrefix("/") ? name : folder + name
        }
        return true
    }
}
