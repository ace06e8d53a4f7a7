/// Values that arrive in order from any thread, for which one task waits without blocking a thread.
package final class Arrivals<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Adds a value.
    package func add(_ value: Value) { continuation.yield(value) }

    /// Waits for the next `count` values; returns fewer if the task is cancelled, as a test's time limit does.
    package func next(_ count: Int) async -> [Value] {
        var values: [Value] = []
        guard count > 0 else { return values }
        for await value in stream {
            values.append(value)
            if values.count == count { break }
        }
        return values
    }
}

/// An event that may occur several times.
package typealias Event = Arrivals<Void>

extension Arrivals where Value == Void {
    /// Reports an occurrence.
    package func occur() { add(()) }

    /// Waits for the next `count` occurrences; returns early if the task is cancelled.
    package func wait(_ count: Int = 1) async { _ = await next(count) }
}
