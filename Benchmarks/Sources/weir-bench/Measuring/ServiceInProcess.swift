import EventLoop
import Foundation
import Gateway
import HTTPCore
import HTTPServer
import Operations
import Settings

/// The service in this process, with one event loop, and its upstream on another thread; both end with this object.
final class ServiceInProcess {
    private let service: Service
    private let shard: Shard
    private let upstream: Server

    /// Starts the service with the configuration that `configuration` makes of the upstream's address.
    init(upstream handler: any RequestHandler, _ configuration: (_ address: SocketAddress) -> String) throws {
        shard = try Shard(index: 0)
        upstream = try Server(.network(host: "127.0.0.1", port: 0), shards: [shard], handler: handler)
        let file = ConfigurationFile(path: "weir.json", bytes: Array(configuration(upstream.address).utf8))
        service = try Service(file.configuration(), from: file, log: .standard)
        shard.start()
        upstream.start()
        service.start()
    }

    deinit {
        service.cut()
        upstream.cut()
        for shard in service.shards + [shard] { shard.stop() }
    }

    /// The event loop of the service.
    var loop: Shard { service.shards[0] }

    /// A connection to the service; nil if this process may open no more files.
    func connection() -> BenchConnection? {
        guard case .network(_, let port) = service.address else { return nil }
        return BenchConnection(port: Int(port))
    }
}
