import Foundation
import Glibc

/// Collects everything that a process writes to a pipe.
final class OutputReader: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var hasEnded = false
    }

    private let state = Watched(State())

    /// Reads from `descriptor` on a thread until its end, then closes it; without `reads`, keeps it open unread.
    init(_ descriptor: Int32, reads: Bool = true) {
        guard reads else { return }
        Thread.detachNewThread { [state] in
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count > 0 {
                    state.update { $0.bytes += buffer[..<count] }
                } else if count == 0 || errno != EINTR {
                    break
                }
            }
            state.update { $0.hasEnded = true }
            close(descriptor)
        }
    }

    var text: String { String(decoding: state.current.bytes, as: UTF8.self) }

    func waitForEnd() { _ = state.wait { $0.hasEnded ? true : nil } }

    /// Waits for a complete line for which `find` returns a value, and returns that value; nil after a time-out or at the end.
    func waitForLine<Result>(_ find: (String) -> Result?) -> Result? {
        let found: Result?? = state.wait { state in
            let lines = state.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            for line in lines {
                if let found = find(String(decoding: line, as: UTF8.self)) { return found }
            }
            return state.hasEnded ? .some(nil) : nil
        }
        return found ?? nil
    }
}
