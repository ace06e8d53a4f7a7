import Foundation

/// A value that one thread changes and another waits for.
// Unchecked: `value` is touched with the condition's lock held only.
package final class Watched<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// The value at hand.
    package var current: Value { update { $0 } }

    /// Changes the value and wakes all who wait for it.
    @discardableResult
    package func update<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try change(&value)
    }

    /// Waits until the value is as it should be, and returns what `find` made of it; nil when that takes too long.
    package func wait<Result>(seconds: Double = 20, _ find: (Value) throws -> Result?) rethrows -> Result? {
        let limit = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = try find(value) { return result }
            guard condition.wait(until: limit) else { return try find(value) }
        }
    }
}

/// A gate that is closed until somebody opens it, and stays open.
package struct Gate: Sendable {
    private let isOpen = Watched(false)

    package init() {}

    /// Lets everybody through.
    package func open() { isOpen.update { $0 = true } }

    /// Waits for the gate to open; false when that takes too long.
    @discardableResult
    package func pass(seconds: Double = 20) -> Bool { isOpen.wait(seconds: seconds) { $0 ? true : nil } ?? false }
}
