import Dispatch

/// Runs work that would hold an event loop for too long, on as many threads as there are processors.
public enum WorkPool {
    /// The result of `work`, which must not block.
    public static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }
}
