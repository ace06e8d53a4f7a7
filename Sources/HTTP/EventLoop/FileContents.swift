// Unsafe: `write` gives the kernel a pointer into an array, which stays valid for the duration of the call. `withBytes` maps a file
// that nobody may write while it is mapped, as the file of a running program.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Reads files up to a size limit, and accesses the standard streams.
///
/// The calls block: use them at start-up and on the command line, never on an event loop.
public enum FileContents {
    /// The error for a file that is larger than the caller allows.
    public struct TooLarge: Error, Sendable, CustomStringConvertible {
        /// The maximum number of bytes.
        public let limit: Int
        /// A text to follow the name of the file.
        public var description: String { "is larger than the limit of \(limit) bytes" }
    }

    /// The error for a device, a folder or the like in place of a file.
    public struct NotAFile: Error, Sendable, CustomStringConvertible {
        /// A text to follow the name of the file.
        public var description: String { "is no regular file" }
    }

    /// Returns the bytes of the regular file at `path`; it never waits for the writer of a pipe.
    /// - Throws: `SystemError` if it cannot be read, `NotAFile` if there is something else at `path`, `TooLarge` if it has
    ///   more than `limit` bytes.
    public static func read(path: String, limit: Int) throws -> [UInt8] {
        // To open a named pipe waits for a writer without O_NONBLOCK; a regular file is read as ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError("read \(path)") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("read \(path)") }
        guard isRegular(status) else { throw NotAFile() }
        return try readAll(descriptor, "read \(path)", limit: limit)
    }

    /// Returns the bytes of the file, pipe or device at `path` up to its end, for which it waits.
    /// - Throws: `SystemError` if it cannot be read, `TooLarge` if it has more than `limit` bytes.
    public static func readStream(path: String, limit: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("read \(path)") }
        defer { close(descriptor) }
        return try readAll(descriptor, "read \(path)", limit: limit)
    }

    /// Calls `body` with the bytes of the file at `path`, which are valid during the call and take up no memory of the process.
    /// - Throws: `SystemError` if it cannot be read, or is empty.
    package static func withBytes<Result>(
        of path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) throws -> Result {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("read \(path)") }
        let count = Int(status.st_size)
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw SystemError("read \(path)")
        }
        defer { munmap(start, count) }
        return body(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count))
    }

    /// Replaces the file at `path`, or creates it; a reader sees the old content or the new one.
    /// - Throws: `SystemError` if it cannot be written, `NotAFile` if there is something else at `path`.
    public static func replace(path: String, with bytes: [UInt8]) throws {
        var status = stat()
        if stat(path, &status) == 0, !isRegular(status) { throw NotAFile() }
        let temporary = path + ".new"
        let descriptor = open(
            temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw SystemError("write \(temporary)") }
        do {
            defer { close(descriptor) }
            try writeAll(bytes, to: descriptor)
            // Otherwise the new name can precede the content after a power failure.
            guard fsync(descriptor) == 0 else { throw SystemError("write \(temporary)") }
        }
        guard rename(temporary, path) == 0 else { throw SystemError("replace \(path)") }
    }

    /// Creates the file at `path`, where nothing may be.
    /// - Throws: `SystemError` if there is something, or if the file cannot be written.
    public static func create(path: String, with bytes: [UInt8]) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("write \(path)") }
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor)
    }

    /// Gives the regular file at `path` another name, which another file may have had.
    /// - Throws: `SystemError` if that fails, `NotAFile` if there is something else at `path`.
    public static func move(path: String, to name: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError("read \(path)") }
        guard isRegular(status) else { throw NotAFile() }
        guard rename(path, name) == 0 else { throw SystemError("rename \(path)") }
    }

    /// Whether there is a regular file at `path` that this process may read.
    public static func isReadable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && isRegular(status) && access(path, R_OK) == 0
    }

    /// Whether there is something at `path`, perhaps behind a folder that this process may not search.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 || errno == EACCES
    }

    /// Whether there is a folder at `path`.
    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Puts `/dev/null` in the place of each standard stream that is closed, so that no other file gets its descriptor.
    ///
    /// To use such a stream fails as before. Call it before anything else opens a file.
    public static func openStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Returns the bytes of standard input up to its end.
    /// - Throws: `SystemError` if it cannot be read, `TooLarge` if it has more than `limit` bytes.
    public static func readStandardInput(limit: Int) throws -> [UInt8] {
        try readAll(STDIN_FILENO, "read standard input", limit: limit)
    }

    /// Writes all of `bytes` to standard output.
    /// - Throws: `SystemError` if its reader has closed it, or the disk is full.
    public static func writeStandardOutput(_ bytes: [UInt8]) throws { try writeAll(bytes, to: STDOUT_FILENO) }

    /// Writes all of `bytes` to standard error; a failure is ignored, because nothing could report it.
    public static func writeStandardError(_ bytes: [UInt8]) { try? writeAll(bytes, to: STDERR_FILENO) }

    /// Returns a function that writes lines to a descriptor, and returns whether it has written all of them.
    ///
    /// A full disk can leave half a line behind: then the next lines follow a line end.
    public static func lineOutput(to descriptor: Int32) -> @Sendable ([UInt8]) -> Bool {
        let isCut = Mutex(false)
        return { lines in
            isCut.withLock { isCut in
                let bytes = isCut ? [UInt8(ascii: "\n")] + lines : lines
                let (written, error) = write(bytes, to: descriptor)
                if written > 0 { isCut = bytes[written - 1] != UInt8(ascii: "\n") }
                return error == nil
            }
        }
    }

    /// Whether standard output is a terminal.
    public static var standardOutputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
        if let error = write(bytes, to: descriptor).error { throw error }
    }

    /// Writes `bytes`, and returns how many have been written before an error, if there is one.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> (written: Int, error: SystemError?) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // Another process that shares the descriptor has made it non-blocking.
                var full = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&full, 1, -1)
            } else if errno != EINTR {
                return (written, SystemError("write"))
            }
        }
        return (written, nil)
    }

    private static func readAll(_ descriptor: Int32, _ action: String, limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(action)
            }
            if bytes.count + count > limit { throw TooLarge(limit: limit) }
            bytes += chunk[..<count]
        }
    }
}

/// A lock on a file that ends with this value, at the latest with the process (flock(2)).
public final class FileLock: Sendable {
    private let number: Int32

    /// Locks the file at `path`, which is created if it does not exist.
    /// - Returns: Nil if it is locked already.
    /// - Throws: `SystemError` if it cannot be opened or locked.
    public init?(path: String) throws {
        number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw SystemError("lock \(path)") }
        if flock(number, LOCK_EX | LOCK_NB) == 0 { return }
        guard errno == EWOULDBLOCK else { throw SystemError("lock \(path)") }
        return nil
    }

    deinit { if number >= 0 { close(number) } }
}

/// Calls a function after the file at a path has changed: its content, or a symbolic link on the way to it.
///
/// The file is looked at four times a second, as a new file can take its name, and any link can lead elsewhere: a Kubernetes
/// volume changes the link `..data` beside the file.
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

    private static let interval = DispatchTimeInterval.milliseconds(250)

    private let timer: any DispatchSourceTimer

    /// Calls `changed` on a queue of its own after each change of the file at `path`, while this object exists.
    public init(_ path: String, changed: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "weir.watch"))
        // Only the timer's queue touches the two identities after this line.
        nonisolated(unsafe) var (known, latest) = (Identity(path), Identity(path))
        timer.setEventHandler {
            let found = Identity(path)
            defer { latest = found }
            // A file that is still being written is looked at again.
            guard found == latest, found != known else { return }
            known = found
            changed()
        }
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
        timer.resume()
    }

    deinit { timer.cancel() }
}
