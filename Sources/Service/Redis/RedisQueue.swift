import Cache
import EventLoop

/// The commands of a connection that have no answer yet, in their order.
///
/// All commands have the same time, so the first ones expire first. An expired command stays until its answer has come:
/// the answer of the next one follows.
struct RedisQueue {
    struct Entry {
        /// Nil for a probe of the breaker.
        let operation: RedisOperation?
        let start: MonotonicTime
        /// Nil once the command has been sent.
        var command: RedisCommand?
        /// Nil once the command has expired.
        var finish: ((Result<RedisReply, SharedFault>) -> Void)?
    }

    private var entries: [Entry] = []
    private var head = 0
    private var expired = 0

    var count: Int { entries.count - head }
    var isEmpty: Bool { count == 0 }
    /// When the oldest command began.
    var oldest: MonotonicTime? { count > 0 ? entries[head].start : nil }
    /// When the oldest command began that has not expired.
    var oldestWaiting: MonotonicTime? { expired < count ? entries[head + expired].start : nil }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    mutating func removeFirst() -> Entry? {
        guard count > 0 else { return nil }
        let entry = entries[head]
        // The closure and what it holds must not stay.
        entries[head].finish = nil
        head += 1
        expired = max(0, expired - 1)
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 256, 2 * head >= entries.count {
            entries.removeFirst(head)
            head = 0
        }
        return entry
    }

    /// Takes the first command out of those that wait, if it began at `latest` at the latest; it keeps its place.
    mutating func expire(_ latest: MonotonicTime) -> Entry? {
        guard let start = oldestWaiting, start <= latest else { return nil }
        let index = head + expired
        expired += 1
        defer { entries[index].finish = nil }
        return entries[index]
    }

    /// Removes all commands.
    mutating func removeAll() -> [Entry] {
        defer { self = RedisQueue() }
        return Array(entries[head...])
    }

    /// Passes the commands that have not been sent to `send`; those that have expired leave the queue.
    mutating func sendAll(_ send: (RedisCommand) -> Void) {
        var left = RedisQueue()
        for var entry in entries[head...] where entry.finish != nil || entry.operation == nil {
            if let command = entry.command { send(command) }
            entry.command = nil
            left.append(entry)
        }
        self = left
    }
}
