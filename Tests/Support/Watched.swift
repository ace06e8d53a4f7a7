import Foundation

/// A value that one thread changes while others wait for a condition on it.
// Unchecked: `value` is accessed only with the lock of `condition` held.
package final class Watched<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// The current value.
    package var current: Value { update { $0 } }

    /// Changes the value and wakes all waiting threads.
    @discardableResult
    package func update<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try change(&value)
    }

    /// Waits until `find` returns a result for the value, and returns that result; nil after `seconds`.
    package func wait<Result>(seconds: Double = 60, _ find: (Value) throws -> Result?) rethrows -> Result? {
        let limit = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = try find(value) { return result }
            guard condition.wait(until: limit) else { return try find(value) }
        }
    }
}

extension Watched<Int> {
    /// Adds one, and returns the new value.
    @discardableResult
    package func increase() -> Int {
        update { value -> Int in
            value += 1
            return value
        }
    }
}

/// A gate that starts closed and, once opened, stays open.
package struct Gate: Sendable {
    private let isOpen = Watched(false)

    package init() {}

    /// Opens the gate.
    package func open() { isOpen.update { $0 = true } }

    /// Waits for the gate to open; returns false after `seconds`.
    @discardableResult
    package func pass(seconds: Double = 300) -> Bool { isOpen.wait(seconds: seconds) { $0 ? true : nil } ?? false }
}
