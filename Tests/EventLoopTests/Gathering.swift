/// Values that arrive from anywhere, in order; a test's time limit ends the waiting for them.
final class Gathering<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func add(_ value: Value) { continuation.yield(value) }

    /// The first `count` values; fewer when the time is up.
    func first(_ count: Int) async -> [Value] {
        var values: [Value] = []
        guard count > 0 else { return values }
        for await value in stream {
            values.append(value)
            if values.count == count { break }
        }
        return values
    }
}
