import Foundation

extension BenchServer {
    /// The contestants of the pass-through and the functions that start them; these return nil if a program is missing.
    static var proxies: [(name: String, start: (BenchFolder, Int) throws -> BenchServer?)] {
        [("weir", passthrough), ("nginx", proxy), ("resty", resty), ("go", tunedGo), ("goDefault", defaultGo)]
    }

    /// An upstream that answers each request after 200 ms.
    static func slowUpstream(_ folder: BenchFolder) throws -> BenchServer? {
        guard let modules = Peers.luaModules else { return nil }
        let file = try folder.fill("slow.conf", ["port": "18326", "modules": modules])
        return try BenchServer("slow", core: otherCore, port: 18326, ["nginx", "-c", file])
    }

    /// Starts `passthrough` in front of the upstream at the port `upstream`.
    static func passthrough(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        try passthrough(port: 18321, upstream)
    }

    static func passthrough(port: Int, _ upstream: Int) throws -> BenchServer? {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/passthrough"
        let command = [program, "\(port)", "http://127.0.0.1:\(upstream)"]
        return try BenchServer("weir", core: ownCore, port: port, ["env"] + imageVariables + command)
    }

    private static func proxy(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        let file = try folder.fill("proxy.conf", ["port": "18322", "upstream": "\(upstream)"])
        return try BenchServer("nginx", core: ownCore, port: 18322, ["nginx", "-c", file])
    }

    private static func resty(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        let libraries = ["/usr/local/share/lua/5.1", "/usr/share/lua/5.1", "/usr/local/openresty/lualib"]
        let isThere = { FileManager.default.fileExists(atPath: $0 + "/resty/http.lua") }
        guard let modules = Peers.luaModules, let library = libraries.first(where: isThere) else { return nil }
        let words = ["port": "18323", "upstream": "\(upstream)", "modules": modules, "library": library]
        let file = try folder.fill("resty.conf", words)
        return try BenchServer("resty", core: ownCore, port: 18323, ["nginx", "-c", file])
    }

    private static func tunedGo(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        try go("go", port: 18324, upstream, ["tuned"])
    }

    private static func defaultGo(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        try go("goDefault", port: 18327, upstream)
    }

    private static func go(_ name: String, port: Int, _ upstream: Int, _ more: [String] = []) throws -> BenchServer? {
        let program = Peers.folder + "/proxy/proxy"
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        let command = ["env", "GOMAXPROCS=1", program, "\(port)", "http://127.0.0.1:\(upstream)"] + more
        return try BenchServer(name, core: ownCore, port: port, command)
    }
}
