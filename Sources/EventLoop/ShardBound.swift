/// A value that lives on one shard.
///
/// It can be carried anywhere and opened only there.
public struct ShardBound<Value>: @unchecked Sendable {
    // Unchecked: `value` is handed out on its shard's thread only.

    /// Where the value lives.
    public let shard: Shard
    private let value: Value

    /// Binds `value`, which nobody else touches, to `shard`.
    public init(_ value: Value, to shard: Shard) {
        self.value = value
        self.shard = shard
    }

    /// The value.
    ///
    /// To be called on its shard.
    public var open: Value {
        precondition(shard.isCurrent, "a value of shard \(shard.index) was opened elsewhere")
        return value
    }

    /// Runs `body` with the value on its shard: at once where that is here, else soon.
    public func run(_ body: @escaping @Sendable (Value) -> Void) {
        if shard.isCurrent { body(value) } else { post(body) }
    }

    /// Runs `body` with the value on its shard, soon.
    public func post(_ body: @escaping @Sendable (Value) -> Void) {
        shard.post { body(value) }
    }
}
