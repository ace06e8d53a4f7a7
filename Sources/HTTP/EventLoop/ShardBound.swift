/// A value that belongs to one shard: any thread can pass it on, only the shard's thread can access it.
public struct ShardBound<Value>: @unchecked Sendable {
    // Unchecked: `value` is passed out on its shard's thread only.

    /// The shard that the value belongs to.
    public let shard: Shard
    @usableFromInline let value: Value

    /// Binds `value`, which nothing else references, to `shard`.
    public init(_ value: Value, to shard: Shard) {
        self.value = value
        self.shard = shard
    }

    /// The value; traps if the caller does not run on its shard.
    @inlinable
    public var open: Value {
        precondition(shard.isCurrent, "a value of shard \(shard.index) was accessed on another thread")
        return value
    }

    /// Runs `body` with the value on its shard: immediately if the caller runs there, otherwise as soon as possible.
    public func run(_ body: @escaping @Sendable (Value) -> Void) {
        if shard.isCurrent { body(value) } else { post(body) }
    }

    /// Runs `body` with the value on its shard as soon as possible.
    public func post(_ body: @escaping @Sendable (Value) -> Void) {
        shard.post { body(value) }
    }
}
