import Foundation
import Glibc
import TestSupport

/// A server that sends the same bytes to each client, after the first command has arrived, and then reads what comes.
///
/// With `delay`, the server sends the bytes for each GET and each EVAL, so many microseconds later.
final class ScriptedRedis: Sendable {
    let port: UInt16
    private let listener: Descriptor
    private let isStopped = Watched(false)
    private let isDone = Gate()

    init(_ bytes: [UInt8], closes: Bool = false, delay: Watched<UInt32>? = nil) throws {
        listener = try Descriptor(family: AF_INET)
        try listener.bind(to: "127.0.0.1:0")
        port = listener.port
        guard listen(listener.number, 16) == 0 else { throw Failure("cannot listen") }
        Thread.detachNewThread { [listener, isStopped, isDone] in
            while !isStopped.current {
                guard listener.wait(for: POLLIN, seconds: 60), let client = listener.accept() else { continue }
                if let delay {
                    while case .bytes(let commands) = client.receive(seconds: 60) {
                        usleep(delay.current)
                        let count = String(decoding: commands, as: UTF8.self).matches(of: /(GET|EVAL)\r\n/).count
                        for _ in 0..<count { _ = client.send(bytes, seconds: 60) }
                    }
                } else {
                    _ = client.receive(seconds: 60)
                    _ = client.send(bytes, seconds: 60)
                    if !closes { while case .bytes = client.receive(seconds: 60) {} }
                }
                client.close()
            }
            isDone.open()
        }
    }

    func stop() {
        isStopped.update { $0 = true }
        listener.end()
        isDone.pass()
        listener.close()
    }
}
