import Foundation

/// A server process, which ends with this object.
final class GatewayServer {
    let name: String
    let port: Int
    private let process: Process

    /// Starts `command` on one core and waits until it listens; nil if it exits.
    init?(_ name: String, core: Int, port: Int, _ command: [String]) throws {
        self.name = name
        self.port = port
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["taskset", "-c", "\(core)"] + command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while !Self.isListening(port) {
            guard process.isRunning else { return nil }
            usleep(10_000)
        }
    }

    deinit {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// The processor time of the process and its children, in seconds.
    var processorTime: Double {
        ([process.processIdentifier] + Self.children(of: process.processIdentifier)).reduce(0) { sum, process in
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return sum }
            // Behind the name in parentheses, user and system time are the 12th and the 13th field (proc(5)).
            let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return sum }
            return sum + (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    private static func children(of process: Int32) -> [Int32] {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    private static func isListening(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(of: port)
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func address(of port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return address
    }
}

extension GatewayServer {
    private static let ownCore = 0, otherCore = 1

    /// Starts nginx as the upstream, which serves the document on loopback.
    static func upstream(_ folder: BenchFolder) throws -> GatewayServer? {
        let file = try folder.fill("upstream.conf", ["port": "18310"])
        return try GatewayServer("upstream", core: otherCore, port: 18310, ["nginx", "-c", file])
    }

    /// The names of the contestants and the functions that start them; these return nil if a program is not installed.
    static var contestants: [(name: String, start: (BenchFolder, Int) throws -> GatewayServer?)] {
        [("weir", weir), ("nginx", nginx), ("node", node), ("nodeAgent", nodeAgent), ("fastapi", fastAPI)]
    }

    private static func weir(_ folder: BenchFolder, _ upstream: Int) throws -> GatewayServer? {
        let configuration = try folder.write(
            """
            {"listen": "127.0.0.1:18311", "shards": 1,
             "upstreams": [{"name": "source", "dialect": "darkSky", "baseURL": "http://127.0.0.1:\(upstream)",
                            "key": {"environment": "WEIR_BENCH_KEY"}}],
             "weather": {"upstreams": ["source"]}}
            """, as: "weir.json")
        let command = ["env", "WEIR_BENCH_KEY=-", ".build/release/weir", "serve", "--config", configuration]
        return try GatewayServer("weir", core: ownCore, port: 18311, command)
    }

    private static func nginx(_ folder: BenchFolder, _ upstream: Int) throws -> GatewayServer? {
        let modules = "/usr/lib/nginx/modules"
        guard FileManager.default.fileExists(atPath: modules + "/ngx_http_lua_module.so") else { return nil }
        let words = ["port": "18312", "upstream": "\(upstream)", "modules": modules]
        let file = try folder.fill("nginx.conf", words)
        return try GatewayServer("nginx", core: ownCore, port: 18312, ["nginx", "-c", file])
    }

    /// Starts Node with its built-in `fetch`.
    private static func node(_ folder: BenchFolder, _ upstream: Int) throws -> GatewayServer? {
        let program = Peers.folder + "/gateway.mjs"
        return try GatewayServer(
            "node", core: ownCore, port: 18313, ["node", program, "18313", "\(upstream)", "fetch"])
    }

    /// Starts Node with `http.get` and an agent that keeps connections alive.
    private static func nodeAgent(_ folder: BenchFolder, _ upstream: Int) throws -> GatewayServer? {
        let program = Peers.folder + "/gateway.mjs", port = "18315"
        return try GatewayServer(
            "nodeAgent", core: ownCore, port: 18315, ["node", program, port, "\(upstream)", "agent"])
    }

    private static func fastAPI(_ folder: BenchFolder, _ upstream: Int) throws -> GatewayServer? {
        let program = Peers.folder + "/gateway.py"
        return try GatewayServer("fastapi", core: ownCore, port: 18314, ["python3", program, "18314", "\(upstream)"])
    }
}
