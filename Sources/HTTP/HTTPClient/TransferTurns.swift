import CCurl
import EventLoop

// Transfers whose bodies take long to read or to decode: they share the time of the loop.
extension MultiHandle {
    /// The time for all of them in one turn of the loop, for which clients and other upstreams wait.
    private static let turnTime = Duration.milliseconds(1)

    /// Lets the transfers go on that have had their share of the last turn, as many as there is time for.
    func takeTurns() {
        let (transfers, end) = (active, MonotonicTime.now + Self.turnTime)
        for offset in transfers.indices {
            let index = (nextTurn + offset) % transfers.count
            guard transfers[index].place != nil, transfers[index].handle.needsTurn else { continue }
            takeTurn(transfers[index])
            if .now >= end {
                nextTurn = index + 1
                return
            }
        }
    }

    /// Lets a transfer go on that has had its share of the last turn.
    private func takeTurn(_ transfer: Active) {
        if transfer.waiting.deadline <= shard.now { return finish(transfer, .failure(.unfinished)) }
        let code = transfer.handle.resume(isComplete: transfer.code != nil)
        if code != CURLE_OK {
            settle(transfer, code)
        } else if let code = transfer.code, !transfer.handle.needsTurn {
            settle(transfer, code)
        }
    }
}
