import EventLoop
import HTTPServer

/// A small upstream that answers on a loopback port like the real one, from a folder of hand-written documents.
public final class SampleUpstream: Sendable {
    /// The address, such as `http://127.0.0.1:40123`.
    public let baseURL: String
    private let server: Server
    private let shard: Shard

    /// Starts the sample in `folder` on a free loopback port.
    /// - Throws: `SystemError`, or `ConfigurationError` naming what is wrong with the folder.
    public init(folder: String) throws {
        shard = try Shard(index: 0)
        let handler = try SampleHandler(folder: folder)
        server = try Server(.network(host: "127.0.0.1", port: 0), shards: [shard], handler: handler)
        baseURL = "http://\(server.address)"
        shard.start()
        server.start()
    }

    /// Closes its listener and its connections at once.
    public func stop() async {
        server.cut()
        _ = await server.drain()
        shard.stop()
    }
}
