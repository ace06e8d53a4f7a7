import API
import CivilDates
import EventLoop
import HTTPCore
import HTTPServer
import Records
public import Settings
import Store

// What the settings take from the system: files, addresses, memory. The settings themselves are values.
extension ConfigurationFile {
    private static let maximumBytes = 1 << 20

    /// Reads the file at `path`; with `waits`, it may also be a pipe, whose end is waited for.
    /// - Throws: `SystemError` if it cannot be read, `ConfigurationError` if it is no file, or larger than 1 MiB.
    public init(path: String, overrides: [SettingOverride] = [], waits: Bool = false) throws {
        let read = waits ? FileContents.readStream : FileContents.read
        do {
            self.init(path: path, overrides: overrides, bytes: try read(path, Self.maximumBytes))
        } catch let error where error is FileContents.TooLarge || error is FileContents.NotAFile {
            throw ConfigurationError("\(path): \(error)")
        }
    }

    /// Reads the file again, which must not be a pipe.
    /// - Throws: As `init` does.
    func reread() throws -> ConfigurationFile { try ConfigurationFile(path: path, overrides: overrides) }
}

extension Configuration {
    /// The most threads beside those of event loops and processors: look-ups of host names, logs, the quota file, signals.
    private static let otherThreads = 12

    /// Checks that the process's limit of address space has room for the threads and the answers of upstreams.
    /// - Throws: `SystemError` if it does not: the service would hang.
    public func requireAddressSpace() throws {
        let processors = Processors.available
        let loops = (shards ?? processors) + upstreams.count { $0.sample != nil }
        try AddressSpaceLimit.require(
            threads: loops + 2 * processors + Self.otherThreads, bytes: fetching.maximumBodyBytes)
    }

    /// Checks that the process's limit of stacks has room for documents as deep as upstreams may send them.
    /// - Throws: `SystemError` if it does not: the service would crash.
    public func requireStacks() throws {
        // Expressions of 256 levels, shapes of 64, and 2 around the documents of parts.
        let ofRoutes = routes.isEmpty ? 0 : 322
        try StackLimit.require(depth: (upstreams.isEmpty ? 0 : UpstreamConfiguration.maximumDepth) + ofRoutes)
    }

    /// Reads the certificate of the service; nil without one.
    ///
    /// One that is not valid at `now`, in unix seconds, is used nevertheless; `warn` gets the reason why clients refuse it.
    func readCertificate(
        in file: ConfigurationFile, now: Int, _ warn: (_ detail: String) -> Void
    ) throws(ConfigurationError) -> TLSContext? {
        guard let tls = server.tls else { return nil }
        let note = SettingNotes<Self>()
        let context = tls.context(in: file, note[\.server.tls])
        if !note.faults.list.isEmpty { throw file.error(note.faults) }
        if let flaw = context?.flaw(at: Int64(now)) {
            let setting = note.path(of: \.server.tls?.certificateFile)
            warn("\(setting) names \(tls.certificateFile), which \(flaw), so clients refuse it")
        }
        return context
    }
}

extension ServerTLSConfiguration {
    /// Reads the files, and notes those that cannot be used.
    func context(in file: ConfigurationFile, _ note: SettingNotes<Self>) -> TLSContext? {
        guard let version = TLSVersion(rawValue: minimumVersion) else { return nil }
        return TLSContext(
            certificate: (\.certificateFile, certificateFile), key: keyFile.map { (\.keyFile, $0) },
            minimumVersion: version, in: file, note)
    }
}

extension TLSConfiguration {
    /// The size of the largest list of authorities: the system's has 220 KB.
    private static let maximumAuthoritiesBytes = 16 << 20

    /// Notes the files that cannot be used.
    func checkFiles(in file: ConfigurationFile, _ note: SettingNotes<Self>) {
        let unreadable = files.filter { !FileContents.isReadable(file.resolve($0.value)) }
        for (setting, path) in unreadable { note(setting, "names \(path), which cannot be read") }
        guard unreadable.isEmpty else { return }
        if let caFile {
            do {
                let bytes = try FileContents.read(path: file.resolve(caFile), limit: Self.maximumAuthoritiesBytes)
                try TLSContext.checkCertificates(in: bytes)
            } catch {
                note(\.caFile, "names \(caFile), which \(error)")
            }
        }
        if let certificateFile {
            let key = keyFile.map { (\Self.keyFile as PartialKeyPath<Self>, $0) }
            _ = TLSContext(certificate: (\.certificateFile, certificateFile), key: key, in: file, note)
        }
    }
}

extension TLSContext {
    private static let maximumFileBytes = 1 << 20

    /// Reads a certificate and its key, which is in the same file without a file for `key`, and notes the files that
    /// cannot be used.
    convenience init?<Settings: Record>(
        certificate: (setting: PartialKeyPath<Settings>, path: String),
        key: (setting: PartialKeyPath<Settings>, path: String)?, minimumVersion: TLSVersion = .tls12,
        in file: ConfigurationFile, _ note: SettingNotes<Settings>
    ) {
        func read(_ source: (setting: PartialKeyPath<Settings>, path: String)) -> [UInt8]? {
            do {
                return try FileContents.read(path: file.resolve(source.path), limit: Self.maximumFileBytes)
            } catch {
                let isWrong = error is FileContents.TooLarge || error is FileContents.NotAFile
                note(source.setting, isWrong ? "names \(source.path), which \(error)" : "cannot be used: \(error)")
            }
            return nil
        }
        let certificateBytes = read(certificate)
        guard let keyBytes = key.map(read) ?? certificateBytes, let certificateBytes else { return nil }
        do throws(Fault) {
            try self.init(certificate: certificateBytes, key: keyBytes, minimumVersion: minimumVersion)
        } catch {
            let wrong = if case .key = error { key ?? certificate } else { certificate }
            note(wrong.setting, "names \(wrong.path), which \(error)")
            return nil
        }
    }

    /// Returns why the certificate is not valid at `now`, in unix seconds, such as `has expired at …`; nil if it is.
    func flaw(at now: Int64) -> String? {
        func text(_ moment: Int64) -> String {
            ISO8601Timestamp.format(secondsSinceEpoch: Double(moment)) ?? "\(moment)"
        }
        if now < validity.from { return "is not valid before \(text(validity.from))" }
        return now > validity.until ? "has expired at \(text(validity.until))" : nil
    }
}

extension ListenAddresses {
    /// Notes the addresses, and the one for monitoring, at which the service cannot listen beside others of the list.
    func checkOverlaps(withOperations operations: String?, _ note: SettingNotes<Configuration>) {
        for (index, text) in texts.enumerated() {
            guard let other = Self.overlap(of: text, among: texts[..<index]) else { continue }
            note(
                \.listen, at: place(index),
                "must be unique, but \(Quotation.quote(text)) overlaps \(Quotation.quote(other))")
        }
        guard let operations, let other = Self.overlap(of: operations, among: texts[...]) else { return }
        note(
            \.server.operationsListen,
            "must be unique, but \(Quotation.quote(operations)) overlaps \(Quotation.quote(other)) of listen")
    }

    private static func overlap(of text: String, among others: ArraySlice<String>) -> String? {
        guard let address = SocketAddress(text) else { return nil }
        return others.first { SocketAddress($0)?.overlaps(address) == true }
    }
}

extension Configuration {
    /// Reads what the shared store needs, with its passwords and authorities; nil without a shared store.
    /// - Throws: `ConfigurationError` naming each password that does not exist and each file that cannot be used.
    func readShared(in file: ConfigurationFile) throws(ConfigurationError) -> RedisSettings? {
        guard let shared else { return nil }
        let all = SettingNotes<Self>()
        let settings = shared.settings(in: file, all[\.shared])
        if !all.faults.list.isEmpty { throw file.error(all.faults) }
        return settings
    }
}

extension SharedConfiguration {
    private static let maximumAuthoritiesBytes = 4 << 20

    /// Notes the settings that are malformed.
    func check(_ note: SettingNotes<Self>) {
        do throws(BaseURL.Fault) {
            let url = try RedisURL(redis)
            if case .unix = url.address, sentinel != nil {
                note(\.redis, "must begin with redis:// or rediss://: sentinels name a host")
            }
            if caFile != nil, !url.usesTLS { note(\.caFile, "must be left out, unless redis begins with rediss://") }
        } catch {
            note(\.redis, error.detail)
        }
        if let fault = pathFault(caFile) { note(\.caFile, fault) }
        if let user, !user.isWord { note(\.user, "must be a name of visible ASCII without spaces") }
        if user != nil, password == nil { note(\.password, "is missing: there is a user") }
        if prefix.utf8.count > 64 || !prefix.isWord { note(\.prefix, "must be 1 to 64 characters of visible ASCII") }
        check([(\.password, password)], note)
        guard let sentinel else { return }
        let inner = note[\.sentinel]
        if !(1...16).contains(sentinel.addresses.count) { inner(\.addresses, "must be a list of 1 to 16 addresses") }
        for (index, text) in sentinel.addresses.enumerated() {
            if case .network = SocketAddress(text) { continue }
            inner(\.addresses, at: "[\(index)]", "must be HOST:PORT")
        }
        if !sentinel.master.isWord { inner(\.master, "must be a name of visible ASCII without spaces") }
        sentinel.check([(\.password, sentinel.password)], inner)
    }

    fileprivate func settings(in file: ConfigurationFile, _ note: SettingNotes<Self>) -> RedisSettings? {
        guard let url = try? RedisURL(redis) else { return nil }
        var settings = RedisSettings(address: url.address)
        if case .unix(let path) = url.address { settings.address = .unix(path: file.resolve(path)) }
        (settings.user, settings.database, settings.prefix) = (user, url.database, prefix)
        settings.timeout = .milliseconds(timeoutMilliseconds)
        settings.password = password?.password(in: file) { note(\.password, $0) }
        if url.usesTLS { settings.tls = tls(in: file, note) }
        settings.sentinel = sentinel.map { sentinel in
            RedisSentinel(
                addresses: sentinel.addresses.compactMap { SocketAddress($0) }, master: sentinel.master,
                password: sentinel.password?.password(in: file) { note[\.sentinel](\.password, $0) })
        }
        return settings
    }

    private func tls(in file: ConfigurationFile, _ note: SettingNotes<Self>) -> TLSClientContext? {
        let path = caFile.map { file.resolve($0) }
        do {
            if let path {
                try TLSContext.checkCertificates(
                    in: FileContents.read(path: path, limit: Self.maximumAuthoritiesBytes))
            }
            // Without a context, the connection would not be encrypted.
            guard let context = TLSClientContext(authorities: path) else {
                throw KeyFault(description: "cannot be used")
            }
            return context
        } catch {
            note(\.caFile, "names \(caFile ?? "the system's authorities"), which \(error)")
            return nil
        }
    }
}

extension KeyConfiguration {
    /// Reads a password, which is read again from its file later; nil if an optional one does not exist.
    fileprivate func password(in file: ConfigurationFile, _ note: (String) -> Void) -> RedisPassword? {
        do throws(KeyFault) {
            guard case .key(let password) = try readWord(in: file) else { return nil }
            return RedisPassword(password) {
                guard case .key(let password)? = try? readWord(in: file) else { return nil }
                return password
            }
        } catch {
            note(error.description)
            return nil
        }
    }
}

extension String {
    fileprivate var isWord: Bool { !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
