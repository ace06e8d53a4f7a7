import Configuration
import Telemetry
import EventLoop
import Gateway
import Glibc
import Synchronization

/// The command `weir serve`.
enum ServeCommand {
    /// `weir serve`: answers requests until SIGTERM or SIGINT.
    static let command = Command(
        name: "serve", summary: "Serve until SIGTERM; a second SIGTERM cuts the requests in flight.",
        options: [
            .config,
            Command.Option(
                name: "--listen", placeholder: "HOST:PORT|unix:PATH|fd:NUMBER",
                help: "Address to listen on; default: as configured. Port 0 takes a free port."),
            Command.Option(
                name: "--shards", placeholder: "N",
                help: "Number of event loops, 1 to 128; default: as configured, or one per processor."),
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
        let (configuration, file) = try serviceConfiguration(invocation, waits: true)
        isReading.store(false, ordering: .relaxed)
        return try await serve(configuration, from: file, invocation, requests, request)
    }

    /// What a signal asks for.
    private enum Request {
        case stop, reload
    }

    /// Returns the configuration with what the options change in it; with `waits`, its file may be a pipe.
    private static func serviceConfiguration(
        _ invocation: Invocation, waits: Bool
    ) throws -> (configuration: Configuration, file: ConfigurationFile) {
        var (configuration, file) = try invocation.configuration(waits: waits)
        if let listen = invocation.value("--listen") {
            guard SocketAddress(listen) != nil else {
                throw CommandError.usage("--listen takes HOST:PORT, unix:PATH or fd:NUMBER, not \"\(listen)\"")
            }
            configuration.listen = ListenAddresses(listen)
        }
        if let shards = invocation.value("--shards") {
            guard let count = Int(shards), 1...Shard.maximumCount ~= count else {
                throw CommandError.usage("--shards takes a number from 1 to \(Shard.maximumCount), not \"\(shards)\"")
            }
            configuration.shards = count
        }
        return (configuration, file)
    }

    private static func serve(
        _ configuration: Configuration, from file: ConfigurationFile, _ invocation: Invocation,
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
                ["address": "\(address)", "shards": "\(service.shards.count)", "version": weirVersion])
        }
        if let operations = service.operationsAddress {
            log.write(.info, "listening for monitoring", ["address": "\(operations)"])
        }
        var drain: Task<Void, Never>?
        var reloads = 0
        for await next in requests {
            switch (next, drain) {
            case (.reload, nil):
                reloads += 1
                await reload(service, invocation, number: reloads, log)
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
                    log.write(cut == 0 ? .info : .warning, "stopped", ["connectionsCut": "\(cut)"])
                    request.finish()
                }
            }
        }
        return .ok
    }

    /// Reads the configuration again; the service takes it over, or keeps the old one if it has a fault.
    private static func reload(_ service: Service, _ invocation: Invocation, number: Int, _ log: Log) async {
        do {
            let (configuration, file) = try serviceConfiguration(invocation, waits: false)
            try configuration.requireStacks()
            let fixed = try await service.reload(configuration, from: file)
            log.write(.info, "configuration reloaded", ["file": file.path, "number": "\(number)"])
            guard !fixed.isEmpty else { return }
            log.write(.warning, "settings need a restart", ["settings": fixed.joined(separator: ", ")])
        } catch let error as CommandError {
            log.write(.warning, "configuration refused", ["detail": error.message, "number": "\(number)"])
        } catch {
            log.write(.warning, "configuration refused", ["detail": "\(error)", "number": "\(number)"])
        }
    }
}
