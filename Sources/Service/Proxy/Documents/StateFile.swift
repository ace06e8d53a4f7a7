import Dispatch
import EventLoop
import JSONText
import Records
import Synchronization
package import Operations

/// A file that keeps a state over restarts, as JSON: it is read once, and replaced as a whole, so it is readable whenever the
/// process ends.
final class StateFile<Content: FieldValue>: Sendable {
    private struct State {
        var isScheduled = false
        var lastWrite: MonotonicTime?
    }

    /// What the file had when it was opened; nil if there was none, or if it had something else.
    let content: Content?
    let writes: FileWrites
    private let path: String
    /// Nil without `ifShared`, if another process uses the file, too, or if it cannot be locked.
    private let lock: FileLock?
    private let clock: Clock
    private let queue = DispatchQueue(label: "weir.state")
    private let state = Mutex(State())

    /// Reads the file at `path`, if there is one of at most `maximumBytes`, with `read`.
    ///
    /// A file with another content is logged, and gets the name `<path>.unread` if it can be somebody's.
    init(
        path: String, maximumBytes: Int, _ messages: StateFileMessages, keepsUnread: Bool, log: Log, clock: Clock,
        read: (JSONNode) throws -> Content
    ) {
        (self.path, self.clock) = (path, clock)
        writes = FileWrites(messages.file, path: path, messages.unwritten, log: log, clock: clock)
        var content: Content?
        do {
            let bytes = try FileContents.read(path: path, limit: maximumBytes)
            var parser = JSONParser(options: JSONOptions(maximumBytes: maximumBytes))
            content = try parser.withDocument(bytes) { try read($0) }
        } catch let error as SystemError where error.isNotFound {
            // The first start.
        } catch {
            var detail = "\(error)"
            if keepsUnread, (try? FileContents.move(path: path, to: path + ".unread")) != nil {
                detail += "; its name is now \(path).unread"
            }
            log.write(.warning, messages.unread, ["file": path, "detail": detail])
        }
        self.content = content
        lock = messages.ifShared.flatMap { WriterLock.lock(beside: path, messages.name, ifShared: $0, log) }
    }

    /// Writes what `snapshot` returns, at once or a second after the last write; nothing if it returns nil, as after the end
    /// of what it describes.
    func noteChange(_ snapshot: @escaping @Sendable () -> Content?) {
        let delay = state.withLock { state -> Duration? in
            guard !state.isScheduled else { return nil }
            state.isScheduled = true
            return state.lastWrite.map { max(.zero, $0 + .seconds(1) - clock.now()) } ?? .zero
        }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [self] in replace(snapshot) }
    }

    /// Writes what `snapshot` returns, before it returns; returns false if the file cannot be written.
    @discardableResult
    func write(_ snapshot: () -> Content?) -> Bool { queue.sync { replace(snapshot) } }

    @discardableResult
    private func replace(_ snapshot: () -> Content?) -> Bool {
        // Before the snapshot: what changes during the write is in the next one.
        state.withLock { ($0.isScheduled, $0.lastWrite) = (false, clock.now()) }
        guard let content = snapshot() else { return true }
        do {
            let text = JSONWriter.bytes(expecting: 4096) { content.write(to: &$0) }
            try FileContents.replace(path: path, with: text + [UInt8(ascii: "\n")])
        } catch {
            let fault = (error as? SystemError).map { "cannot be written: \($0.reason)" }
            writes.noteFailure("\(error)", fault: fault ?? "\(error)")
            return false
        }
        writes.noteSuccess()
        return true
    }
}

/// How the writes of a file that outlives the process have ended: for health, metrics and the log.
package final class FileWrites: Sendable {
    package struct State: Sendable {
        /// When the file was written last, in unix seconds.
        package var written: Int?
        /// Why the latest write has failed, to follow "it", without addresses; nil if it has not.
        package var fault: String?
        package var failures = 0
    }

    /// The name in metrics and checks: `quotas`, `drift` or `snapshot`.
    package let name: String
    private let path: String, message: String
    private let log: Log
    private let clock: Clock
    private let latest = Mutex(State())

    /// No writes yet of the file at `path`; the log gets `message` when writes begin to fail.
    init(_ name: String, path: String, _ message: String, log: Log, clock: Clock) {
        (self.name, self.path, self.message, self.log, self.clock) = (name, path, message, log, clock)
    }

    /// How the writes have ended.
    package var state: State { latest.withLock { $0 } }

    func noteSuccess() { latest.withLock { ($0.written, $0.fault) = (clock.seconds, nil) } }

    /// Notes a write that has failed, and writes `detail` to the log if the write before has not.
    func noteFailure(_ detail: String, fault: String) {
        let isNew = latest.withLock { state in
            state.failures += 1
            defer { state.fault = fault }
            return state.fault == nil
        }
        if isNew { log.write(.warning, message, ["file": path, "detail": detail]) }
    }

    /// The metrics of several files.
    package static let table: [Figure<[FileWrites]>] = [
        Figure(
            "weir_file_last_success_timestamp_seconds", .gauge, ["file"],
            "When a file was written last, in seconds since 1970; absent before the first time.",
            note: """
                The files are `quotas` (`fetching.quotaFile`), `snapshot` (`cache.snapshotFile`) and `drift`, which is beside it. \
                Quotas and drift are written when they have changed.
                """
        ) { files in files.compactMap { file in file.state.written.map { FigureSample($0, file.name) } } },
        Figure("weir_file_failures_total", .counter, ["file"], "Writes of a file that have failed.") { files in
            files.map { FigureSample($0.state.failures, $0.name) }
        },
    ]
}

/// What the log says of a file: that it cannot be read or not be written, and, of one with a lock, that it is shared.
struct StateFileMessages: Sendable {
    let name: String, unread: String, unwritten: String
    /// The name in metrics and checks.
    let file: String
    var ifShared: String?
}

/// The lock of a file that one process writes and replaces as a whole.
enum WriterLock {
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
