import EventLoop
import HTTPCore
import HTTPServer
import JSONText
import LenientCoding

/// An upstream in miniature: answers on a loopback port like the real one, from a folder of hand-written documents.
///
/// It is fetched like any other.
public final class SampleUpstream: Sendable {
    /// Where it answers, such as `http://127.0.0.1:40123`.
    public let baseURL: String
    private let server: Server
    private let shard: Shard

    /// Starts the sample of `folder` on a free loopback port.
    /// - Throws: `SystemError`, or `ConfigurationError` naming what is wrong with the folder.
    public init(folder: String) throws {
        shard = try Shard(index: 0)
        let routes = try Self.routes(folder: folder)
        server = try Server(.network(host: "127.0.0.1", port: 0), shards: [shard], handler: routes)
        baseURL = "http://\(server.address)"
        shard.start()
        server.start()
    }

    /// Closes its listener and its connections at once, as an upstream that dies does.
    public func stop() async {
        server.cut()
        _ = await server.drain()
        shard.stop()
    }

    private static func routes(folder: String) throws -> SampleHandler {
        let file = folder + "/sample.json"
        let configuration: SampleConfiguration
        do {
            var parser = JSONParser(options: JSONOptions(maximumDepth: 64, allowsComments: true))
            let bytes = try FileContents.read(path: file, limit: 1 << 20)
            configuration = try parser.withDocument(bytes) { try SampleConfiguration.readStrictly($0) }
        } catch let error as SystemError {
            throw error
        } catch {
            throw ConfigurationError(file: file, faults: ["\(error)"])
        }
        let answers = try configuration.answers.map { answer in
            let bytes = try FileContents.read(path: "\(folder)/\(answer.body)", limit: 16 << 20)
            let document = SampleDocument(bytes: bytes, clock: answer.clock, steps: answer.steps)
            do {
                _ = try document.rewritten(now: answer.clock ?? 0, values: [:])
            } catch {
                throw ConfigurationError(file: "\(folder)/\(answer.body)", faults: ["\(error)"])
            }
            return SampleHandler.Answer(answer, document, commonHeaders: configuration.headers)
        }
        return SampleHandler(answers: answers, configuration: configuration)
    }
}
