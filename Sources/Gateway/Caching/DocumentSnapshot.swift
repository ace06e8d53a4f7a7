import Cache
import Dispatch
import HTTPClient
import HTTPCore
import Synchronization

/// The file that keeps the documents of the cache over restarts.
///
/// It is written now and then, on a queue of its own, and replaced as a whole. A file that is damaged is not used.
final class DocumentSnapshot: Sendable {
    /// The version of the records; a file with another one is ignored.
    private static let version: UInt32 = 1

    private let file: SnapshotFile
    private let cache: DocumentCache
    private let log: Log
    private let queue = DispatchQueue(label: "weir.snapshot")
    private let interval: DispatchTimeInterval
    private let hasFailed = Atomic<Bool>(false)

    /// The file at `path` for the documents of `cache`, written every `seconds`.
    ///
    /// Documents take up less memory than `maximumBytes`.
    init(path: String, of cache: DocumentCache, maximumBytes: Int, seconds: Int, log: Log) {
        file = SnapshotFile(path: path, version: Self.version, maximumBytes: maximumBytes + (1 << 20))
        (self.cache, self.log, interval) = (cache, log, .seconds(seconds))
    }

    /// Puts the documents of the file into the cache; `policy` returns how the documents of an upstream at an address are
    /// kept, or nil if it is none of the configuration.
    func restore(_ policy: (DocumentKey) -> CachePolicy?) {
        do {
            var restored = 0
            try file.read { record in
                guard let document = CachedDocument(decoding: record, policy: policy) else { return }
                cache.insert(document)
                restored += 1
            }
            log.write(.info, "documents restored", ["file": file.path, "documents": "\(restored)"])
        } catch SnapshotFault.absent {
            // The first start.
        } catch {
            log.write(.warning, "documents not restored", ["file": file.path, "detail": "it \(error)"])
        }
    }

    /// Begins to write the file now and then, as long as the object exists.
    func start() {
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            self?.write()
            self?.start()
        }
    }

    /// Writes the file before it returns.
    func finish() { queue.sync { write() } }

    private func write() {
        do {
            try file.write { writer in
                try cache.forEach { document in
                    guard document.freshness != nil, document.failure == nil else { return }
                    try writer.append(document.encoded)
                }
            }
            hasFailed.store(false, ordering: .relaxed)
        } catch {
            guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
            log.write(.warning, "documents not saved", ["file": file.path, "detail": "it \(error)"])
        }
    }
}

extension CachedDocument {
    /// The record of the document: texts with their lengths, and the fields that decide about its use.
    fileprivate var encoded: [UInt8] {
        var record: [UInt8] = [policy == Caching.lookups ? 1 : 0]
        for part in 0..<8 { record.append(UInt8(truncatingIfNeeded: key.address >> (8 * part))) }
        record.append(text: Array(key.upstream.utf8))
        record.append(text: Array(key.target.utf8))
        record.append(text: Array((content.response.headers["Link"] ?? "").utf8))
        record.append(text: content.response.body)
        freshness?.encode(into: &record)
        return record
    }

    /// Reads a record; nil if it is not one, or if the document is not kept any longer.
    fileprivate convenience init?(decoding record: [UInt8], policy: (DocumentKey) -> CachePolicy?) {
        var input = record[...]
        guard let isLookUp = input.popFirst(), input.count >= 8 else { return nil }
        let address = input.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        input.removeFirst(8)
        guard let upstream = input.text(), let target = input.text(), let link = input.text(), let body = input.text()
        else { return nil }
        let key = DocumentKey(
            upstream: String(decoding: upstream, as: UTF8.self), address: address,
            target: String(decoding: target, as: UTF8.self))
        guard let documents = policy(key) else { return nil }
        let policy = isLookUp == 1 ? Caching.lookups : documents
        guard let freshness = CachedResponse(decoding: &input, policy: policy) else { return nil }
        let links = link.isEmpty ? [] : [(name: "Link", value: String(decoding: link, as: UTF8.self))]
        let response = IncomingResponse(headers: HeaderFields(links), body: body)
        self.init(key, DocumentContent(response), freshness, policy)
    }
}

extension [UInt8] {
    /// Appends a text behind its length.
    fileprivate mutating func append(text: [UInt8]) {
        for part in 0..<4 { append(UInt8(truncatingIfNeeded: text.count >> (8 * part))) }
        self += text
    }
}

extension ArraySlice<UInt8> {
    /// Removes a text behind its length; nil if there is no such text.
    fileprivate mutating func text() -> [UInt8]? {
        guard count >= 4 else { return nil }
        let length = prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count - 4 >= length else { return nil }
        removeFirst(4)
        defer { removeFirst(length) }
        return Array(prefix(length))
    }
}
