package import Operations
import Store
import Dispatch
import EventLoop
import HTTPClient
package import HTTPCore

/// The file that keeps the documents of the cache over restarts.
///
/// It is written now and then, on a queue of its own, and replaced as a whole. A file that is damaged is not used.
package final class DocumentSnapshot: Sendable {
    /// The versions of the records that are read, of which the last one is written.
    ///
    /// Records of version 2 have no requests of clients.
    static let versions: ClosedRange<UInt32> = 2...3

    private let file: SnapshotFile
    /// Nil if another process uses the file, too, or if it cannot be locked.
    private let lock: FileLock?
    private let cache: DocumentCache
    private let drift: DriftBook
    private let driftFile: DriftBook.File
    private let writes: FileWrites
    private let log: Log
    private let queue = DispatchQueue(label: "weir.snapshot")
    private let interval: DispatchTimeInterval

    /// The file at `path` for the documents of `cache`, written every `seconds`, and the one beside it for `drift`.
    ///
    /// Documents take up less memory than `maximumBytes`.
    package init(
        path: String, of cache: DocumentCache, _ drift: DriftBook, maximumBytes: Int, seconds: Int, log: Log,
        clock: Clock = .system
    ) {
        file = SnapshotFile(
            path: path, version: Self.versions.upperBound, oldest: Self.versions.lowerBound,
            maximumBytes: maximumBytes + (1 << 20))
        lock = WriterLock.lock(
            beside: path, "snapshot",
            ifShared: "Another process writes its own documents there. Give each process a file.", log)
        self.drift = drift
        driftFile = drift.file(besideSnapshot: path)
        (self.cache, self.log, interval) = (cache, log, .seconds(seconds))
        writes = FileWrites("snapshot", path: path, "documents not saved", log: log, clock: clock)
    }

    /// How the writes of the snapshot and of the drift have ended.
    package var files: [FileWrites] { [writes, driftFile.writes] }

    /// Puts the documents of the file into the cache; `policy` returns how the documents of an upstream at an address are
    /// kept, or nil if it is none of the configuration.
    package func restore(_ policy: (DocumentKey) -> CachePolicy?) {
        if let content = driftFile.content { drift.restore(content) }
        do {
            var restored = 0
            try file.read { record in
                guard let document = CachedDocument(decoding: record, policy: policy) else { return }
                cache.insert(document)
                restored += 1
            }
            log.write(.info, "documents restored", ["file": file.path, "documents": restored])
        } catch SnapshotFault.absent {
            // The first start.
        } catch {
            log.write(.warning, "documents not restored", ["file": file.path, "detail": "it \(error)"])
        }
    }

    /// Begins to write the file now and then, as long as the object exists.
    package func start() {
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            self?.write()
            self?.start()
        }
    }

    /// Writes the file soon, such as after documents have been purged.
    package func update() { queue.async { [self] in _ = write() } }

    /// Writes the file before it returns.
    package func finish() { queue.sync { _ = write() } }

    /// Writes the file now; nil if it cannot be written, for the reason in `files`.
    package func writeNow() async -> (documents: Int, bytes: Int)? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: write()) }
        }
    }

    @discardableResult
    private func write() -> (documents: Int, bytes: Int)? {
        if !driftFile.write({ drift.changedContent }) { drift.noteLoss() }
        var (documents, bytes) = (0, 0)
        do {
            try file.write { writer in
                try cache.forEach { document in
                    guard let record = document.encoded else { return }
                    try writer.append(record)
                    (documents, bytes) = (documents + 1, bytes + record.count)
                }
            }
            writes.noteSuccess()
            return (documents, bytes)
        } catch {
            writes.noteFailure("it \(error)", fault: "\(error)")
            return nil
        }
    }
}

extension CachedDocument {
    /// The record of the document; nil if it must not be kept.
    fileprivate var encoded: [UInt8]? {
        guard failure == nil, let freshness else { return nil }
        var record = DocumentRecord(
            address: key.address, upstream: key.upstream, target: key.digest,
            fields: content.response.headers.lines, body: content.response.body)
        record.origin = origin
        record.isLookUp = policy == .lookups(beside: policy)
        return record.encoded(freshness)
    }

    /// Reads a record; nil if it is not one, or if the document is not kept any longer.
    fileprivate convenience init?(decoding bytes: [UInt8], policy: (DocumentKey) -> CachePolicy?) {
        var input = bytes[...]
        guard let record = DocumentRecord(&input) else { return nil }
        let key = DocumentKey(upstream: record.upstream, address: record.address, digest: record.target)
        guard let documents = policy(key) else { return nil }
        let policy = record.isLookUp ? .lookups(beside: documents) : documents
        guard let freshness = CachedResponse(decoding: &input, policy: policy), input.isEmpty else { return nil }
        let response = IncomingResponse(headers: HeaderFields(lines: record.fields), body: record.body)
        self.init(key, DocumentContent(response), freshness, policy, origin: record.origin)
    }
}

extension HeaderFields {
    /// The fields as lines; a Link has no name, as in records of former versions.
    var lines: String {
        pairs.map { name, value in name.lowercased() == "link" ? value : "\(name): \(value)" }.joined(separator: "\n")
    }

    init(lines: String) {
        self.init(
            lines.split(separator: "\n").map { line in
                let parts = line.split(separator: ": ", maxSplits: 1)
                let isNamed = parts.count == 2 && !line.hasPrefix("<")
                return isNamed ? (String(parts[0]), String(parts[1])) : ("Link", String(line))
            })
    }
}
