import Foundation

extension BenchServer {
    /// Starts nginx as the upstream, which serves the document on loopback.
    static func upstream(_ folder: BenchFolder) throws -> BenchServer? {
        let file = try folder.fill("upstream.conf", ["port": "18310"])
        return try BenchServer("upstream", core: otherCore, port: 18310, ["nginx", "-c", file])
    }

    /// The names of the contestants and the functions that start them; these return nil if a program is not installed.
    static var contestants: [(name: String, start: (BenchFolder, Int) throws -> BenchServer?)] {
        [("weir", weir), ("nginx", nginx), ("node", node), ("nodeAgent", nodeAgent), ("fastapi", fastAPI)]
    }

    private static func weir(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        let configuration = try folder.write(
            """
            {"listen": "127.0.0.1:18311", "shards": 1, "cache": {"maximumBytes": 0}, "server": {"accessLog": {"format": "none"}},
             "upstreams": [{"name": "source", "dialect": "darkSky", "baseURL": "http://127.0.0.1:\(upstream)",
                            "key": {"environment": "WEIR_BENCH_KEY"}}],
             "weather": {"upstreams": ["source"]}}
            """, as: "weir.json")
        let command = [".build/release/weir", "serve", "--config", configuration]
        return try BenchServer(
            "weir", core: ownCore, port: 18311, ["env", "WEIR_BENCH_KEY=-"] + imageVariables + command)
    }

    private static func nginx(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        guard let modules = Peers.luaModules else { return nil }
        let words = ["port": "18312", "upstream": "\(upstream)", "modules": modules]
        let file = try folder.fill("nginx.conf", words)
        return try BenchServer("nginx", core: ownCore, port: 18312, ["nginx", "-c", file])
    }

    /// Starts Node with its built-in `fetch`.
    private static func node(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        let program = Peers.folder + "/gateway.mjs"
        return try BenchServer(
            "node", core: ownCore, port: 18313, ["node", program, "18313", "\(upstream)", "fetch"])
    }

    /// Starts Node with `http.get` and an agent that keeps connections alive.
    private static func nodeAgent(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        let program = Peers.folder + "/gateway.mjs", port = "18315"
        return try BenchServer(
            "nodeAgent", core: ownCore, port: 18315, ["node", program, port, "\(upstream)", "agent"])
    }

    private static func fastAPI(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        let program = Peers.folder + "/gateway.py"
        return try BenchServer("fastapi", core: ownCore, port: 18314, ["python3", program, "18314", "\(upstream)"])
    }
}
