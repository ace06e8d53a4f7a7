// Unsafe: libcurl's C interface, with handles that MultiHandle references.
import CCurl
import EventLoop

// What libcurl 7.88 forgets about the transfers that it runs: the time of one that waits for a connection or that it has
// begun again, and to go on with the next address of a host name until something else happens.
extension MultiHandle {
    /// The time between two looks at transfers that have no connection yet.
    private static let interval = Duration.milliseconds(10)
    /// The transfers that are woken in one look: each takes 7 us if there is no connection for it.
    private static let maximumWoken = 32
    /// The time after which libcurl has not ended a transfer by itself, whose reason is better.
    private static let grace = Duration.milliseconds(10)

    /// Looks at the active transfers soon: one of them begins.
    func watchTransfers() {
        let moment = shard.now + Self.interval
        if let nextLook, nextLook.moment <= moment { return }
        scheduleLook(at: moment)
    }

    /// libcurl opens a socket for a transfer: if it has had a connection already, that has ended, and libcurl takes another.
    ///
    /// A Unix socket, which has no port, is connected at once: libcurl names it when the request is on its way.
    func noteNewConnection(of transfer: Active, on descriptor: curl_socket_t) {
        guard transfer.handle.hasConnected, case let port = weir_local_port(descriptor), port != 0,
            port != transfer.handle.transfer.admittedPort
        else { return }
        transfer.handle.transfer.reconnection = shard.now
        watchTransfers()
    }

    private func scheduleLook(at moment: MonotonicTime) {
        nextLook?.timer.cancel()
        nextLook = (moment, shard.schedule(at: moment) { [weak self] in self?.lookAtTransfers() })
    }

    private func lookAtTransfers() {
        nextLook = nil
        var next: MonotonicTime?
        var (waiting, origin, hasOthers) = (0, Origin?.none, false)
        for transfer in active where transfer.place != nil && transfer.code == nil {
            guard let moment = look(at: transfer) else { continue }
            next = min(next ?? moment, moment)
            guard transfer.handle.waitsForConnection else { continue }
            waiting += 1
            hasOthers = hasOthers || origin.map { $0 != transfer.handle.origin } ?? false
            origin = transfer.handle.origin
        }
        if hasOthers { wake(waiting) }
        startWaiting()
        if let next { scheduleLook(at: next) }
    }

    /// Lets up to `count` of the transfers that wait for connections look for one.
    ///
    /// libcurl wakes those that have waited longest, two at the end of a transfer, even if the connections that they wait
    /// for are in use and others wait for the one that is free. It also wakes one when any handle is removed.
    private func wake(_ count: Int) {
        if bell == nil {
            bell = curl_easy_init()
            weir_set_long(bell, CURLOPT_NOSIGNAL, 1)
        }
        for _ in 0..<min(count, Self.maximumWoken) {
            curl_multi_add_handle(multi, bell)
            curl_multi_remove_handle(multi, bell)
        }
    }

    /// Ends a transfer that has taken too long for libcurl to end it.
    func giveUp(_ transfer: Active, _ error: TransferError) {
        // First, because libcurl would finish it with the end of its connection, and it would be begun again.
        remove(transfer)
        retireSilent(after: transfer)
        finish(transfer, .failure(error))
    }

    /// Ends a transfer whose time is over, or lets it go on and returns when to look at it again.
    private func look(at transfer: Active) -> MonotonicTime? {
        let end = transfer.waiting.deadline + Self.grace
        let hasConnected = transfer.handle.hasConnected
        let start = transfer.handle.transfer.reconnection ?? transfer.start
        let connectEnd = hasConnected ? end : start + transfer.waiting.request.connectTimeout + Self.grace
        if min(end, connectEnd) <= shard.now {
            giveUp(transfer, connectEnd < end ? .connectTimedOut : transfer.handle.overdue)
            return nil
        }
        if hasConnected { return end }
        transfer.handle.wake()
        return shard.now + Self.interval
    }
}

extension EasyHandle {
    /// Whether libcurl has no connection for the transfer, and has not begun to make one.
    fileprivate var waitsForConnection: Bool { !transfer.isWatched && !hasConnected }

    /// Makes libcurl look at the transfer in its next turn, as it does when a transfer is not paused any more.
    fileprivate func wake() {
        curl_easy_pause(pointer, CURLPAUSE_SEND)
        curl_easy_pause(pointer, CURLPAUSE_CONT)
    }
}
