import EventLoop
import JSONText
import Records
import Synchronization
import Operations

/// The file that keeps a book of drift over restarts, beside the snapshot of the cache.
///
/// The file is replaced as a whole; one with another content is not used, and is overwritten.
final class DriftFile: Sendable {
    /// The content of the file.
    struct Content: Record {
        var sources: [DriftSource] = [], patterns: [DriftPattern] = []

        static let schema = Schema<Content> {
            Field(\.sources)
            Field(\.patterns)
        }
    }

    /// 500 patterns with the longest paths take about 1 MB.
    private static let maximumBytes = 4 << 20

    private let path: String
    private let book: DriftBook
    private let log: Log
    private let hasFailed = Atomic(false)

    /// The file for `book` beside the snapshot at `path`.
    init(besideSnapshot path: String, of book: DriftBook, log: Log) {
        (self.path, self.book, self.log) = (path + ".drift", book, log)
    }

    /// Puts the content of the file into the book.
    func restore() {
        do {
            let bytes = try FileContents.read(path: path, limit: Self.maximumBytes)
            var parser = JSONParser(options: JSONOptions(maximumBytes: Self.maximumBytes))
            book.restore(try parser.withDocument(bytes) { try Content.read($0).record })
        } catch let error as SystemError where error.isNotFound {
            // The first start.
        } catch {
            log.write(.warning, "drift not restored", ["file": path, "detail": "\(error)"])
        }
    }

    /// Writes the book, if the book has changed.
    func write() {
        guard let content = book.changedContent else { return }
        do {
            try FileContents.replace(path: path, with: JSONWriter.bytes(expecting: 65_536) { content.write(to: &$0) })
            hasFailed.store(false, ordering: .relaxed)
        } catch {
            book.noteLoss()
            guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
            log.write(.warning, "drift not saved", ["file": path, "detail": "\(error)"])
        }
    }
}
