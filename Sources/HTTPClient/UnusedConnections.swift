// Unsafe: descriptors of libcurl are closed here, each once, at libcurl's request.
import CCurl
import EventLoop

// Connections between transfers: bytes that arrive on them belong to no request.
extension MultiHandle: TransferOwner {
    /// Ends the unused connection from a local port if something has arrived on it, before libcurl uses it.
    ///
    /// Several connections can have the port, to several upstreams.
    func inspectConnection(from port: Int32) {
        let sockets = socketsByPort[port] ?? Array(sockets.values)
        if sockets.count == 1 {
            retire(sockets[0])
        } else {
            for socket in inspector.readable(sockets.filter { $0.idleOrigin != nil }) { retire(socket) }
        }
    }

    /// Ends an unused connection on which something has arrived.
    func retire(_ socket: UpstreamSocket) {
        guard let origin = socket.idleOrigin else { return }
        switch inspector.look(at: socket, isTLS: origin.isTLS) {
        case .nothing: return
        case .ended: break
        case .surplus: suspects.insert(origin, at: shard.now)
        }
        inspector.end(socket)
    }

    /// Closes a socket for libcurl.
    func close(_ descriptor: curl_socket_t) -> Int32 {
        forget(descriptor)
        return ConnectionInspector.close(descriptor)
    }

    func forget(_ descriptor: curl_socket_t) {
        guard let socket = sockets.removeValue(forKey: descriptor) else { return }
        socket.unwatch()
        guard let port = socket.localPort else { return }
        socketsByPort[port]?.removeAll { $0 === socket }
        if socketsByPort[port]?.isEmpty == true { socketsByPort[port] = nil }
    }

    private func idle(_ socket: UpstreamSocket, origin: Origin) {
        if socket.localPort == nil { socketsByPort[socket.findLocalPort(), default: []].append(socket) }
        socket.idle(origin: origin)
    }

    /// libcurl uses `socket` for a transfer.
    func begin(_ handle: EasyHandle, on socket: UpstreamSocket) {
        socket.origin = handle.origin
        handle.isWatched = true
    }

    /// libcurl does not use a socket any more for a transfer.
    func end(_ handle: EasyHandle, on descriptor: curl_socket_t) {
        guard let socket = sockets[descriptor] else { return }
        if handle.idleSocket == descriptor {
            idle(socket, origin: handle.origin)
        } else if handle.isHTTP2 {
            socket.unwatch()
        } else {
            forget(descriptor)
        }
    }
}
