/// What runs transfers, and is told of what happens in libcurl's callbacks; it outlives them.
protocol TransferOwner: AnyObject {
    /// Called with the local port of a used connection to `origin` before libcurl sends a request on it; returns whether it is
    /// open, whether to close it after the answer, and its socket, unless several have the port.
    func inspectConnection(
        to origin: Origin, from port: Int32
    ) -> (isOpen: Bool, isLast: Bool, socket: UpstreamSocket?)
    /// Called with the local port of a used connection of HTTP/2; returns whether it is older than `seconds`
    /// and there can be another one.
    func isTooOld(_ origin: Origin, from port: Int32, seconds: Int) -> Bool
    /// Called for each part of a body that libcurl offers.
    func noteProgress()
    /// Called when a transfer `needsTurn`.
    func transferNeedsTurn()
}
