import Dispatch
import EventLoop
import JSONText
import Records
import Synchronization
import Operations

/// A file that keeps a state over restarts, as JSON: it is read once, and replaced as a whole, so it is readable whenever the
/// process ends.
final class StateFile<Content: FieldValue>: Sendable {
    private struct State {
        var isScheduled = false
        var lastWrite: MonotonicTime?
        var hasFailed = false
    }

    /// What the file had when it was opened; nil if there was none, or if it had something else.
    let content: Content?
    private let path: String
    private let messages: StateFileMessages
    /// Nil without `ifShared`, if another process uses the file, too, or if it cannot be locked.
    private let lock: FileLock?
    private let log: Log
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
        (self.path, self.messages, self.log, self.clock) = (path, messages, log, clock)
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
        var failure: (any Error)?
        do {
            let text = JSONWriter.bytes(expecting: 4096) { content.write(to: &$0) }
            try FileContents.replace(path: path, with: text + [UInt8(ascii: "\n")])
        } catch {
            failure = error
        }
        let isNew = state.withLock { state in
            defer { state.hasFailed = failure != nil }
            return failure != nil && !state.hasFailed
        }
        if isNew, let failure { log.write(.warning, messages.unwritten, ["file": path, "detail": "\(failure)"]) }
        return failure == nil
    }
}

/// What the log says of a file: that it cannot be read or not be written, and, of one with a lock, that it is shared.
struct StateFileMessages: Sendable {
    let name: String, unread: String, unwritten: String
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
