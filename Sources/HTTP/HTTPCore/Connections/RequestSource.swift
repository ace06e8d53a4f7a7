/// Who has sent a request.
public struct RequestSource: Sendable {
    /// The client: the last hop that is not a trusted proxy.
    public let client: ClientAddress
    /// Whether the request came from a trusted proxy, which sets fields that no client can write.
    public let isFromProxy: Bool

    /// A request of `client`, which came from the client itself unless `isFromProxy` says otherwise.
    public init(client: ClientAddress, isFromProxy: Bool = false) {
        (self.client, self.isFromProxy) = (client, isFromProxy)
    }
}
