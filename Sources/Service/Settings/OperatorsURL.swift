import HTTPCore
import JSONText
import Records

extension ConfigurationFile {
    /// The address that commands ask, a URL without a path or `unix:PATH`: that for operators, or else the first of `listen`.
    ///
    /// Other faults of the file do not matter, because a service that has refused it goes on with the former one.
    /// - Returns: Nil if the port is known to the service alone, or the socket is another process's.
    /// - Throws: `ConfigurationError` if the file is not JSON.
    public func operatorsURL() throws(ConfigurationError) -> String? {
        let document = try resolvedDocument()
        let server = document[\Configuration.server]
        let operations = server?[\ServerConfiguration.operationsListen]?.stringValue
        let listen = document[\Configuration.listen]
        let text = operations ?? listen?.stringValue ?? listen?[0]?.stringValue ?? Configuration().listen.texts[0]
        let hasTLS = operations == nil && server?[\ServerConfiguration.tls]?.members != nil
        switch SocketAddress(text) {
        case .network(_, port: 0), .inherited, nil: return nil
        case .unix: return text
        case .network(let host, let port):
            // A socket at every address is reached at the loopback.
            let reached = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
            return "\(hasTLS ? "https" : "http")://\(SocketAddress.network(host: reached, port: port))"
        }
    }
}
