import Dispatch
package import EventLoop
public import HTTPCore
import Synchronization

/// Where Redis is and how to use it.
public struct RedisSettings: Sendable {
    /// The address of Redis; with sentinels only its host counts, as the name in the certificate.
    package var address: SocketAddress
    package var tls: TLSClientContext?
    package var user: String?
    package var password: RedisPassword?
    package var database = 0
    package var sentinel: RedisSentinel?
    /// The time for each command.
    public var timeout = Duration.milliseconds(20)
    /// The beginning of each key.
    package var prefix = "weir:"
    package var maximumDocumentBytes = 1 << 20

    /// Redis at an address, with the defaults of everything else.
    public init(address: SocketAddress) { self.address = address }

    /// The commands that begin a connection, each with a reply.
    ///
    /// A stopped Redis accepts connections, and a full one answers PING, so the last command is the probe.
    var greeting: [RedisGreeting] {
        var greeting: [RedisGreeting] = []
        if let password { greeting.append(.authenticate(user, password)) }
        if database != 0 { greeting.append(.select(database)) }
        if sentinel != nil { greeting.append(.role) }
        return greeting + [.probe(probe)]
    }

    /// The beginning of each key, with the version of their form.
    var names: String { prefix + "v1:" }

    /// The keys of the probe.
    var probeKeys: [String] { [names + "probe", names + "probe:2"] }

    /// The probe with its whole text: Redis may have forgotten the digest.
    var probe: RedisCommand { RedisCommand(["EVAL", RedisScript.probe.source, "2"] + probeKeys) }
}

/// The sentinels that know the address of Redis.
package struct RedisSentinel: Sendable {
    package let addresses: [SocketAddress]
    /// The name of the master.
    package let master: String
    package let password: RedisPassword?

    package init(addresses: [SocketAddress], master: String, password: RedisPassword?) {
        (self.addresses, self.master, self.password) = (addresses, master, password)
    }
}

/// A password, which is read again after Redis has refused it.
package final class RedisPassword: Sendable {
    private static let queue = DispatchQueue(label: "weir.shared.password")

    private let state: Mutex<Secret>
    private let reread: @Sendable () -> Secret?

    /// `reread` reads the password from its source, and may block.
    package init(_ password: Secret, reread: @escaping @Sendable () -> Secret?) {
        state = Mutex(password)
        self.reread = reread
    }

    var current: Secret { state.withLock { $0 } }

    func renew() {
        Self.queue.async { [self] in
            if let password = reread() { state.withLock { $0 = password } }
        }
    }
}

/// A command that begins a connection.
enum RedisGreeting {
    case authenticate(String?, RedisPassword)
    case select(Int)
    case role
    /// Asks a sentinel for the address of the master with this name.
    case master(String)
    case ping
    case probe(RedisCommand)

    /// The words of the command, without the password and the script.
    private var words: [String] {
        switch self {
        case .authenticate(let user, _): ["AUTH"] + (user.map { [$0] } ?? [])
        case .select(let database): ["SELECT", "\(database)"]
        case .role: ["ROLE"]
        case .master(let name): ["SENTINEL", "get-master-addr-by-name", name]
        case .ping: ["PING"]
        case .probe: ["EVAL"]
        }
    }

    var command: RedisCommand {
        switch self {
        case .authenticate(_, let password): password.current.withExposedText { RedisCommand(words + [$0]) }
        case .probe(let command): command
        default: RedisCommand(words)
        }
    }

    /// Returns why the reply ends the connection; nil if it does not.
    func refusal(_ reply: RedisReply) -> RedisEnding? {
        switch self {
        case .master: return nil
        case .authenticate(_, let password) where reply.errorCode != nil: password.renew()
        default: break
        }
        if reply.errorCode == "READONLY" { return .replica }
        if let code = reply.errorCode { return RedisEnding(.refused(code), "Redis answers \(words[0]) with \(code)") }
        switch (self, reply) {
        case (.role, .array(let parts)) where parts.first?.text == "master": return nil
        case (.role, _): return .replica
        case (.ping, _) where reply.text != "PONG": return .broken
        case (.probe, _) where reply != .integer(1): return .broken
        default: return nil
        }
    }
}

/// Why a connection has ended.
struct RedisEnding: Error {
    static let broken = RedisEnding(.refused("PROTOCOL"), "the server does not speak Redis's protocol")

    static let replica = RedisEnding(.refused("READONLY"), "Redis is a replica, which takes no writes")

    let fault: SharedFault
    /// The reason for the log, without secrets.
    let detail: String

    init(_ fault: SharedFault, _ detail: String) { (self.fault, self.detail) = (fault, detail) }
}
