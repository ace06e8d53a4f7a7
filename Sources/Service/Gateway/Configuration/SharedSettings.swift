import Settings
import EventLoop
import HTTPCore
import HTTPServer
import Records
import Store

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
        settings.maximumDocumentBytes = maximumDocumentBytes
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
