import EventLoop
import Gateway

extension Command {
    /// `weir serve`: answers requests until SIGTERM or SIGINT.
    static let serve = Command(
        name: "serve", summary: "Serve until SIGTERM; a second SIGTERM cuts the requests in flight.",
        options: [
            .config,
            Option(
                name: "--listen", placeholder: "HOST:PORT|unix:PATH",
                help: "Address to listen on; default: as configured. Port 0 takes a free port."),
            Option(
                name: "--shards", placeholder: "N",
                help: "Number of event loops, 1 to 256; default: as configured, or one per processor."),
        ]
    ) { invocation in
        var (configuration, file) = try invocation.configuration()
        if let listen = invocation.value("--listen") {
            guard SocketAddress(listen) != nil else {
                throw CommandError.usage("--listen takes HOST:PORT or unix:PATH, not \"\(listen)\"")
            }
            configuration.listen = listen
        }
        if let shards = invocation.value("--shards") {
            guard let count = Int(shards), 1...256 ~= count else {
                throw CommandError.usage("--shards takes a number from 1 to 256, not \"\(shards)\"")
            }
            configuration.shards = count
        }
        return try await serve(configuration, from: file)
    }

    private static func serve(_ configuration: Configuration, from file: ConfigurationFile) async throws -> ExitCode {
        let (stops, stop) = AsyncStream<Void>.makeStream()
        let signals = Signals { stop.yield() }
        OpenFileLimit.raise()
        FreedMemory.keep()
        let log = Log.standard
        defer { log.flush() }
        let service = try Service(configuration, from: file, log: log)
        service.start()
        log.write(
            .info, "listening",
            ["address": "\(service.address)", "shards": "\(service.shards.count)", "version": weirVersion])
        var drain: Task<Void, Never>?
        for await _ in stops {
            if let drain {
                log.write(.warning, "stopping at once")
                drain.cancel()
                service.cut()
                continue
            }
            log.write(.info, "draining")
            drain = Task {
                let cut = await service.drain()
                log.write(cut == 0 ? .info : .warning, "stopped", ["connectionsCut": "\(cut)"])
                stop.finish()
            }
        }
        _ = signals
        return .ok
    }
}
