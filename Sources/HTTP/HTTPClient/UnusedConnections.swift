// Unsafe: descriptors of libcurl are closed here, each once: at libcurl's request or, instead, when nothing listens to it.
import CCurl
import EventLoop

// Connections between transfers: bytes that arrive on them belong to no request.
extension MultiHandle: TransferOwner {
    /// The number of sockets that are listened to after their last answer.
    private static let maximumLeaving = 64

    /// Ends the unused connection from a local port if something has arrived on it, before libcurl uses it.
    ///
    /// Several connections can have the port, such as all to Unix sockets; then it counts as open, and no socket is returned.
    func inspectConnection(
        to origin: Origin, from port: Int32
    ) -> (isOpen: Bool, isLast: Bool, socket: UpstreamSocket?) {
        var sockets = socketsByPort[port] ?? Array(sockets.values)
        // Nearly always there is one, and it is the upstream's: then the array is not copied.
        if sockets.contains(where: { $0.origin != origin }) { sockets.removeAll { $0.origin != origin } }
        var isOpen = true
        if sockets.count == 1 {
            isOpen = !retire(sockets[0])
        } else {
            for socket in inspector.readable(sockets.filter { $0.idleOrigin != nil }) { retire(socket) }
        }
        // libcurl may never name the socket of a transfer that is answered at once.
        return (isOpen, sockets.contains { $0.uses.isLast(at: shard.now) }, sockets.count == 1 ? sockets[0] : nil)
    }

    /// Ends an unused connection on which something has arrived, and returns whether it did.
    @discardableResult
    func retire(_ socket: UpstreamSocket) -> Bool {
        guard let origin = socket.idleOrigin else { return false }
        switch inspector.look(at: socket, tlsLayers: origin.tlsLayers) {
        case .nothing: return false
        case .ended: break
        case .surplus: suspects.insert(origin, at: shard.now)
        }
        if leaving[socket.descriptor] == nil { inspector.end(socket) } else { leave(socket) }
        return true
    }

    /// Closes a socket for libcurl, or listens to it for a while if it leaves because of its uses.
    func close(_ descriptor: curl_socket_t) -> Int32 {
        let socket = sockets[descriptor]
        forget(descriptor)
        guard let socket, socket.isLeaving, let origin = socket.origin, !isStopped,
            leaving.count < Self.maximumLeaving
        else { return ConnectionInspector.close(descriptor) }
        socket.idle(origin: origin)
        let end = shard.now + socket.uses.watch(from: shard.now)
        leaving[descriptor] = (socket, shard.schedule(at: end) { [weak self] in self?.leave(socket) })
        return 0
    }

    /// Really closes a socket that libcurl has closed.
    func leave(_ socket: UpstreamSocket) {
        leaving.removeValue(forKey: socket.descriptor)?.timer.cancel()
        socket.unwatch()
        _ = ConnectionInspector.close(socket.descriptor)
    }

    func forget(_ descriptor: curl_socket_t) {
        guard let socket = sockets.removeValue(forKey: descriptor) else { return }
        if floods.remove(descriptor), let origin = socket.origin { flooding.insert(origin, at: shard.now) }
        socket.unwatch()
        guard let port = socket.localPort else { return }
        socketsByPort[port]?.removeAll { $0 === socket }
        if socketsByPort[port]?.isEmpty == true { socketsByPort[port] = nil }
    }

    private func idle(_ socket: UpstreamSocket, origin: Origin) {
        socket.uses.end(at: shard.now)
        socket.user = nil
        if socket.localPort == nil { socketsByPort[socket.findLocalPort(), default: []].append(socket) }
        socket.idle(origin: origin)
    }

    /// The socket of a transfer's connection, unless libcurl has closed it.
    func openSocket(of handle: EasyHandle) -> UpstreamSocket? {
        (handle.transfer.sharedSocket ?? handle.transfer.socket).flatMap { sockets[$0.descriptor] === $0 ? $0 : nil }
    }

    /// libcurl uses `socket` for a transfer.
    func begin(_ handle: EasyHandle, on socket: UpstreamSocket) {
        (socket.origin, socket.user) = (handle.origin, ObjectIdentifier(handle))
        // It is another one if libcurl goes on with the next address, or if the connection has ended.
        let latest = handle.transfer.sharedSocket ?? handle.transfer.socket
        guard !handle.transfer.isWatched || latest !== socket else { return }
        handle.transfer.isWatched = true
        if handle.isHTTP2 {
            handle.transfer.sharedSocket = socket
            return
        }
        handle.transfer.socket = socket
        socket.uses.begin(at: shard.now)
        if socket.uses.isUp { handle.forbidReuse() }
    }

    /// libcurl does not use a socket any more for a transfer.
    func end(_ handle: EasyHandle, on descriptor: curl_socket_t) {
        guard let socket = sockets[descriptor] else { return }
        if handle.origin.isTLS, !handle.hasBegun { handle.noteTLSError(on: descriptor) }
        if handle.isPaused {
            // The transfer goes on. The socket that the handle had last could be this one, too.
            socket.unwatch()
        } else if handle.idleSocket == descriptor {
            idle(socket, origin: handle.origin)
            (handle.transfer.socket, handle.transfer.isSocketUnused) = (socket, true)
        } else if handle.isHTTP2 {
            socket.unwatch()
        } else if socket.uses.isUp, handle.hasWholeAnswer {
            // `close` follows.
            socket.unwatch()
            socket.isLeaving = true
        } else {
            forget(descriptor)
        }
    }

    /// Takes the connection of a transfer back that has ended without a word of libcurl's about its socket.
    ///
    /// Either libcurl had not named the socket yet, or it had let it go when the transfer paused.
    func noteUnseenEnd(of handle: EasyHandle) {
        guard let descriptor = handle.idleSocket else { return }
        let socket = sockets[descriptor] ?? addSocket(descriptor)
        if !handle.transfer.isWatched { socket.uses.begin(at: shard.now) }
        if socket.user == nil || socket.user == ObjectIdentifier(handle) {
            idle(socket, origin: handle.origin)
        } else {
            // libcurl has begun the next transfer on the connection in the meantime.
            socket.uses.end(at: shard.now)
        }
        (handle.transfer.socket, handle.transfer.isSocketUnused) = (socket, true)
    }
}
