import Dispatch

/// Long work that keeps no other test waiting: tests that wait for a socket need the pool's few threads.
enum Aside {
    private static let queue = DispatchQueue(label: "documentation")

    /// What `work` gives, done on a thread of its own, one work after another.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
