import EventLoop
import HTTPCore
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Listening sockets")
struct ListeningSocketTests {
    private static let loopback = SocketAddress.network(host: "127.0.0.1", port: 0)

    @Test("Port 0 selects a free port, the same for all event loops")
    func freePort() throws {
        let sockets = try ListeningSocket.open(Self.loopback, count: 3)
        #expect(sockets.count == 3)
        guard case .network("127.0.0.1", let port) = sockets[0].address else {
            Issue.record("\(sockets[0].address)")
            return
        }
        #expect(port > 0)
        #expect(sockets.allSatisfy { $0.address == .network(host: "127.0.0.1", port: port) })
    }

    @Test("A port in use is an error that names the address, and can be used once it is free")
    func portInUse() throws {
        var sockets = try ListeningSocket.open(Self.loopback, count: 2)
        let address = sockets[0].address
        let error = #expect(throws: SystemError.self) { try ListeningSocket.open(address, count: 2) }
        #expect(error?.code == EADDRINUSE)
        #expect(error?.description == "cannot listen on \(address): Address already in use")
        sockets = []
        #expect(try ListeningSocket.open(address, count: 2).count == 2)
    }

    @Test("Of two that begin to listen at one port at the same time, one listens")
    func simultaneous() throws {
        for _ in 0..<100 {
            let address = try ListeningSocket.open(Self.loopback, count: 1)[0].address
            let (ready, results) = (Watched(0), Watched([[ListeningSocket]]()))
            for _ in 0..<2 {
                Thread.detachNewThread {
                    ready.update { $0 += 1 }
                    _ = ready.wait { $0 == 2 ? true : nil }
                    let sockets = (try? ListeningSocket.open(address, count: 2)) ?? []
                    results.update { $0.append(sockets) }
                }
            }
            let counts = results.wait { $0.count == 2 ? $0.map(\.count) : nil }
            #expect(counts?.sorted() == [0, 2])
        }
    }

    @Test("Connections are spread over all event loops")
    func spread() throws {
        let sockets = try ListeningSocket.open(Self.loopback, count: 2)
        let clients = try (0..<64).map { _ in try RawClient("\(sockets[0].address)") }
        for socket in sockets {
            guard case .connection = socket.accept() else {
                Issue.record("a socket got none of \(clients.count) connections")
                return
            }
        }
    }

    @Test(
        "An address that does not exist is an error",
        arguments: [
            SocketAddress.network(host: "192.0.2.1", port: 0), .network(host: "no such host", port: 0),
            .unix(path: "/no/such/folder/weir.sock"),
        ])
    func invalidAddress(address: SocketAddress) {
        #expect(throws: SystemError.self) { try ListeningSocket.open(address, count: 1) }
    }

    @Test("Without a waiting client nothing is accepted")
    func withoutClient() throws {
        let sockets = try ListeningSocket.open(Self.loopback, count: 1)
        guard case .none = sockets[0].accept() else {
            Issue.record("a connection was accepted")
            return
        }
    }

    @Test("The socket file of a dead process is replaced, and that of a running one is kept")
    func stalePath() throws {
        let path = "/tmp/weir-listening-\(getpid()).sock"
        defer { unlink(path) }
        var sockets = try ListeningSocket.open(.unix(path: path), count: 2)
        #expect(sockets.count == 2)
        let error = #expect(throws: SystemError.self) { try ListeningSocket.open(.unix(path: path), count: 1) }
        #expect(error?.code == EADDRINUSE)
        sockets = []
        #expect(access(path, F_OK) == 0, "closing keeps the file, as a kill would")
        #expect(try ListeningSocket.open(.unix(path: path), count: 1).count == 1)
    }

    @Test("The file of a socket has the mode that is asked for")
    func mode() throws {
        let path = "/tmp/weir-mode-\(getpid()).sock"
        defer { unlink(path) }
        for mode: UInt32 in [0o600, 0o666] {
            let sockets = try ListeningSocket.open(.unix(path: path), count: 1, mode: mode)
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == mode)
            withExtendedLifetime(sockets) {}
        }
    }

    @Test("A descriptor that does not listen is refused, and left open")
    func inherited() throws {
        let pipe = open("/dev/null", O_RDONLY)
        defer { close(pipe) }
        let unbound = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(unbound) }
        for descriptor in [pipe, unbound, 9999] {
            let error = #expect(throws: SystemError.self) { try ListeningSocket.open(.inherited(descriptor), count: 1) }
            #expect(error?.action == "listen on fd:\(descriptor)")
        }
        #expect(fcntl(pipe, F_GETFD) >= 0)
        #expect(fcntl(unbound, F_GETFD) >= 0)
    }

    @Test("A file that is not a socket is never replaced")
    func otherFile() throws {
        let path = "/tmp/weir-file-\(getpid())"
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        defer { unlink(path) }
        let error = #expect(throws: SystemError.self) { try ListeningSocket.open(.unix(path: path), count: 1) }
        #expect(error?.code == EADDRINUSE)
        #expect(access(path, F_OK) == 0)
    }
}
