import Foundation
import Glibc

/// A DNS server on an address of loopback, and a command that makes a process ask it in place of the system's.
package final class NameServer: Sendable {
    /// What the server does with a question.
    package enum Reaction: UInt8, Sendable {
        /// The address 127.0.0.1.
        case answer = 0
        /// SERVFAIL (RFC 1035 §4.1.1).
        case failure = 2
        /// NXDOMAIN.
        case unknown = 3
        case silence = 0xFF
    }

    /// Whether this process may use port 53, and give another one a folder `/etc` with other files.
    package static let isPossible: Bool = {
        guard let server = try? NameServer(.silence) else { return false }
        defer { server.stop() }
        return (try? Tool.run(server.launcher + ["true"]).status) == 0
    }()

    /// What the server does from now on.
    package let reaction: Watched<Reaction>
    private let socket: Int32
    private let folder: TemporaryFolder
    private let hasEnded = Gate()

    package init(_ reaction: Reaction) throws {
        self.reaction = Watched(reaction)
        // An address of this process's own: others may run these tests at the same time.
        let process = Int(getpid())
        let address = "127.\(64 + process / 62_500 % 64).\(process / 250 % 250).\(1 + process % 250)"
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        (name.sin_port, name.sin_addr.s_addr) = (UInt16(53).bigEndian, inet_addr(address))
        let code = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(socket)
            throw Failure("port 53 of \(address): \(errorText())")
        }
        (self.socket, folder) = (socket, try TemporaryFolder())
        try folder.write("nameserver \(address)\noptions timeout:1 attempts:2\n", to: "resolv.conf")
        try folder.write("hosts: files dns\n", to: "nsswitch.conf")
        Thread.detachNewThread { [self] in
            while answer() {}
            hasEnded.open()
        }
    }

    /// The command, to which that of the process is added.
    package var launcher: [String] {
        let mounts = ["resolv.conf", "nsswitch.conf"].map { "mount --bind '\(folder.path)/\($0)' /etc/\($0)" }
        let script = "\(mounts.joined(separator: " && ")) && exec \"$@\""
        return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sh"]
    }

    package func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        hasEnded.pass()
        close(socket)
        folder.remove()
    }

    /// Answers one question; returns false at the end.
    private func answer() -> Bool {
        var question = [UInt8](repeating: 0, count: 512)
        var client = sockaddr()
        var size = socklen_t(MemoryLayout<sockaddr>.size)
        let count = recvfrom(socket, &question, question.count, 0, &client, &size)
        let reaction = reaction.current
        // The end of a socket arrives as an empty datagram.
        guard count > 12, let end = question[12..<count].firstIndex(of: 0) else { return count > 0 }
        guard reaction != .silence else { return true }
        // The name, the type and the class; only the type A has an address.
        let asked = question[12..<min(count, end + 5)]
        let hasAddress = reaction == .answer && question[end + 2] == 1
        var answer = Array(question[..<2])
        answer += [0x81, 0x80 | reaction.rawValue, 0, 1, 0, hasAddress ? 1 : 0, 0, 0, 0, 0]
        answer += asked
        if hasAddress { answer += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1] }
        sendto(socket, answer, answer.count, Int32(MSG_NOSIGNAL), &client, size)
        return true
    }
}
