import Settings
import Operations
import EventLoop
import HTTPCore
import Gateway
import Glibc
import Synchronization

/// The command `weir serve`.
enum ServeCommand {
    /// `weir serve`: answers requests until SIGTERM or SIGINT.
    static let command = Command(
        name: "serve", summary: "Serve until SIGTERM; a second SIGTERM cuts the requests in flight.",
        options: [
            .config, .set,
            Command.Option(
                name: "--listen", placeholder: "HOST:PORT|unix:PATH|fd:NUMBER",
                help: "Address to listen on; default: as configured. Port 0 takes a free port."),
            Command.Option(
                name: "--shards", placeholder: "N",
                help: "Number of event loops, 1 to 128; default: as configured, or one per processor."),
            Command.Option(name: "--watch", help: "Reload the configuration whenever its file changes."),
        ]
    ) { invocation in
        let (requests, request) = AsyncStream<Request>.makeStream()
        let isReading = Atomic(true)
        let signals = Signals {
            // A configuration from a pipe may never end.
            if isReading.load(ordering: .relaxed) { exit(ExitCode.ok.rawValue) }
            request.yield(.stop)
        } reload: {
            request.yield(.reload)
        }
        defer { withExtendedLifetime(signals) {} }
        try check(invocation)
        let (configuration, file) = try invocation.configuration()
        isReading.store(false, ordering: .relaxed)
        let watch = invocation.has("--watch") ? FileWatch(file.path) { request.yield(.reload) } : nil
        defer { withExtendedLifetime(watch) {} }
        return try await serve(configuration, from: file, requests, request)
    }

    /// What a signal asks for.
    private enum Request {
        case stop, reload
    }

    /// Checks the values of options that are settings too.
    private static func check(_ invocation: Invocation) throws {
        if let listen = invocation.value("--listen"), SocketAddress(listen) == nil {
            throw CommandError.usage("--listen takes HOST:PORT, unix:PATH or fd:NUMBER, not \"\(listen)\"")
        }
        if let shards = invocation.value("--shards"), !(1...ServerOptions.maximumShards ~= Int(shards) ?? 0) {
            throw CommandError.usage(
                "--shards takes a number from 1 to \(ServerOptions.maximumShards), not \"\(shards)\"")
        }
    }

    private static func serve(
        _ configuration: Configuration, from file: ConfigurationFile,
        _ requests: AsyncStream<Request>, _ request: AsyncStream<Request>.Continuation
    ) async throws -> ExitCode {
        OpenFileLimit.raise()
        try configuration.requireAddressSpace()
        try configuration.requireStacks()
        FreedMemory.keep()
        let log = Log.standard
        defer { log.flush() }
        let service = try Service(configuration, from: file, log: log)
        service.start()
        for address in service.addresses {
            log.write(
                .info, "listening",
                ["address": "\(address)", "shards": service.shards.count, "version": weirVersion])
        }
        if let operations = service.operationsAddress {
            log.write(.info, "listening for monitoring", ["address": "\(operations)"])
        }
        var drain: Task<Void, Never>?
        for await next in requests {
            switch (next, drain) {
            case (.reload, nil): await service.reload()
            // The process ends soon.
            case (.reload, _?): break
            case (.stop, let drain?):
                log.write(.warning, "stopping at once")
                drain.cancel()
                service.cut()
            case (.stop, nil):
                log.write(.info, "draining")
                drain = Task {
                    let cut = await service.drain()
                    log.write(cut == 0 ? .info : .warning, "stopped", ["connectionsCut": cut])
                    request.finish()
                }
            }
        }
        return .ok
    }
}
