import EventLoop
import HTTPCore

// What differs with TLS.
extension Connection {
    /// Reads the header in which a proxy names the client, which precedes the handshake, and no byte of the handshake.
    func receiveProxyHeader() {
        host.withWorkspace { work in
            var input: [UInt8] = []
            swap(&input, &work.input)
            defer { swap(&input, &work.input) }
            switch transport.socket.peek(into: &input) {
            case .bytes(let count):
                takeProxyHeader(input.span.extracting(..<count), &work)
                // An incomplete header is taken too: otherwise its bytes would be reported again and again.
                let surplus = awaitsProxyHeader ? 0 : arriving?.count ?? 0
                if !awaitsProxyHeader { arriving = nil }
                var header = [UInt8](repeating: 0, count: count - surplus)
                _ = transport.socket.receive(into: &header)
            case .wouldBlock: break
            case .end, .failed: close(.clientLeft)
            }
        }
    }

    /// Ends the connection, which has failed; a client that speaks plain HTTP in place of TLS gets a 400.
    func transportFailed() {
        guard let session = transport.session, session.isOpen, !session.isEstablished else { return close(.clientLeft) }
        guard session.isPlainHTTP else { return drop(.handshake) }
        session.release()
        refuse(RequestFailure(status: .badRequest, detail: "This port takes HTTPS; the request was plain HTTP."))
    }
}
