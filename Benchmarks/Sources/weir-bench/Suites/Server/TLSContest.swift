import Foundation

/// The stored answer over TLS 1.3, with one P-256 certificate for Weir and nginx: requests on open connections, and full
/// handshakes with one request each.
///
/// Per second of the server's processor time, because the client of a handshake works more than the server.
struct TLSContest {
    static let names = ["server.tls.requests", "server.tls.handshakes"]

    private static let ports = (weir: 18334, nginx: 18335)

    func run(_ load: Load, _ folder: BenchFolder, seconds: Double, _ report: (Figure) -> Void) throws {
        guard try Self.makeCertificate(in: folder), let weir = try Self.weir(folder), let nginx = try Self.nginx(folder)
        else { return Terminal.say("skipped: server.tls, it needs openssl and nginx") }
        let servers = [weir, nginx]
        for (name, bar) in zip(Self.names, [0.9, 0.8]) {
            var load = load
            (load.target, load.scheme) = ("/", "https")
            if name == "server.tls.handshakes" {
                for server in servers { load.fields[server.name] = "Connection: close" }
            }
            for server in servers { _ = try load.run(on: server, seconds: 1) }
            let runs = try load.takeTurns(on: servers, seconds: seconds * 0.5)
            load.say(runs, of: name)
            let value = zip(runs[weir.name] ?? [], runs[nginx.name] ?? []).map {
                $0.requestsPerCoreSecond / $1.requestsPerCoreSecond
            }.median
            report(Figure(name: name, value: value, bar: .atLeast(bar)))
        }
    }

    private static func makeCertificate(in folder: BenchFolder) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-out", folder.path + "/certificate.pem", "-keyout", folder.path + "/key.pem",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func weir(_ folder: BenchFolder) throws -> BenchServer? {
        try BenchServer.stored(
            folder, port: ports.weir, certificate: [folder.path + "/certificate.pem", folder.path + "/key.pem"])
    }

    private static func nginx(_ folder: BenchFolder) throws -> BenchServer? {
        let file = try folder.fill("tls.conf", ["port": "\(ports.nginx)"])
        return try BenchServer("nginx", core: BenchServer.ownCore, port: ports.nginx, ["nginx", "-c", file])
    }
}
