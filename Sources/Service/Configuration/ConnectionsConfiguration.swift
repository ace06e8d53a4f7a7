import Contracts
import EventLoop
package import HTTPClient
import HTTPServer

/// What is demanded of an upstream's TLS, and what it is shown.
package struct TLSConfiguration: Codable, Sendable, Equatable {
    /// The path of a file with the certificates to trust in place of the system's.
    var caFile: String?
    /// The lowest version of TLS: 1.2 or 1.3.
    package var minimumVersion = TLSPolicy.Version.tls12.rawValue
    /// The paths of the client's certificate and of its key.
    package var certificateFile: String?, keyFile: String?
    /// The hashes of the keys that the upstream may have, as curl writes them.
    var pinnedPublicKey: String?

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        caFile = settings.optional(.caFile)
        settings.read(&minimumVersion, .minimumVersion)
        certificateFile = settings.optional(.certificateFile)
        keyFile = settings.optional(.keyFile)
        pinnedPublicKey = settings.optional(.pinnedPublicKey)
        try settings.finish()
    }

    /// The files by their settings.
    package var files: [(setting: String, path: String)] {
        [("caFile", caFile), ("certificateFile", certificateFile), ("keyFile", keyFile)].compactMap { setting, path in
            path.map { (setting, $0) }
        }
    }

    /// The size of the largest list of authorities: the system's has 220 KB.
    private static let maximumAuthoritiesBytes = 16 << 20

    /// Calls `note` with the setting and the detail of each file that cannot be used.
    package func checkFiles(in file: ConfigurationFile, _ note: (_ setting: String, _ detail: String) -> Void) {
        let unreadable = files.filter { !FileContents.isReadable(file.resolve($0.path)) }
        for (setting, path) in unreadable { note(setting, "names \(path), which cannot be read") }
        guard unreadable.isEmpty else { return }
        if let caFile {
            do {
                let bytes = try FileContents.read(path: file.resolve(caFile), limit: Self.maximumAuthoritiesBytes)
                try TLSContext.checkCertificates(in: bytes)
            } catch {
                note("caFile", "names \(caFile), which \(error)")
            }
        }
        if let certificateFile {
            _ = TLSContext(certificateFile: certificateFile, keyFile: keyFile, in: file, note)
        }
    }

    package func policy(in file: ConfigurationFile) -> TLSPolicy {
        var policy = TLSPolicy()
        policy.authorities = caFile.map { file.resolve($0) }
        policy.minimumVersion = TLSPolicy.Version(rawValue: minimumVersion) ?? .tls12
        policy.certificate = certificateFile.map { file.resolve($0) }
        policy.key = keyFile.map { file.resolve($0) }
        policy.publicKeys = pinnedPublicKey
        return policy
    }
}

/// How long the connections and the addresses of an upstream are used.
package struct ConnectionsConfiguration: Codable, Sendable {
    /// The time after which an unused connection is not used again.
    var idleSeconds = 60
    /// The age from which on a connection is not used again; nil for none.
    package var maximumAgeSeconds: Int?
    /// The time for which the addresses of the host's name are used.
    var dnsSeconds = 60

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&idleSeconds, .idleSeconds, in: 1...86_400)
        maximumAgeSeconds = settings.optional(.maximumAgeSeconds, in: 1...86_400)
        settings.read(&dnsSeconds, .dnsSeconds, in: 0...86_400)
        try settings.finish()
    }
}

extension UpstreamConfiguration {
    static let redirectChoices = ["never", "sameHost"]

    package var redirectPolicy: RedirectPolicy { redirects == "sameHost" ? .sameHost : .never }

    /// How to connect to the upstream at `baseURL`; paths are relative to `file`.
    package func connectionPolicy(to baseURL: String, in file: ConfigurationFile) -> ConnectionPolicy {
        // URLs were validated at load.
        (try? BaseURL(baseURL)).map { connectionPolicy(for: $0, in: file) } ?? .standard
    }

    /// How to connect to the token endpoint: as to the upstream, but never through its Unix socket.
    package func tokenConnectionPolicy(in file: ConfigurationFile) -> ConnectionPolicy {
        var settings = self
        settings.unixSocket = nil
        return settings.connectionPolicy(to: oauth2?.tokenURL ?? "", in: file)
    }

    /// How to connect to `baseURL`; paths are relative to `file`.
    private func connectionPolicy(for baseURL: BaseURL, in file: ConfigurationFile) -> ConnectionPolicy {
        // A literal address and localhost are named by the configuration itself.
        let isNamed = baseURL.isAddress || baseURL.isLocalhost
        let looked = proxy.flatMap { try? BaseURL($0) } ?? baseURL
        var ports = [looked.port]
        if proxy == nil, redirectPolicy == .sameHost, baseURL.port == 80 { ports.append(443) }
        return ConnectionPolicy(
            name: looked.isAddress || looked.isLocalhost
                ? nil : ConnectionPolicy.Name(host: looked.host, ports: ports),
            nameLifetime: .seconds(connections.dnsSeconds),
            addresses: allowsPrivateAddresses || isNamed ? .any : .publicOnly, tls: tls.policy(in: file),
            unixSocketPath: unixSocket.map { file.resolve($0) }, proxy: proxy, idleSeconds: connections.idleSeconds,
            lifetimeSeconds: connections.maximumAgeSeconds)
    }

    /// The longest path of a Unix socket, in bytes (`sockaddr_un`, without its NUL).
    private static let longestSocketPath = 107

    /// Why the path of the Unix socket cannot be used with the folder of `file`; nil if it can.
    package func socketFault(in file: ConfigurationFile) -> String? {
        guard let unixSocket, case let path = file.resolve(unixSocket), path.utf8.count > Self.longestSocketPath else {
            return nil
        }
        return "is \(path), which has more than \(Self.longestSocketPath) bytes"
    }

    /// Calls `note` with the path below the upstream and the detail of each fault.
    package func checkConnection(_ note: (_ path: String, _ detail: String) -> Void) {
        if !Self.redirectChoices.contains(redirects) {
            note(".redirects", "must be one of never, sameHost, not \(Quotation.quote(redirects))")
        }
        if scheme == .oauth1, redirectPolicy != .never {
            note(".redirects", "must be never, because a signature of OAuth 1.0a is valid for one URL")
        }
        if let proxy {
            do throws(BaseURL.Fault) {
                let url = try BaseURL(proxy)
                if !url.hasPort { note(".proxy", "must have a port") }
                if url.hasPath { note(".proxy", "must end after its port") }
            } catch {
                note(".proxy", error.detail)
            }
        }
        if let unixSocket, !(1...Self.longestSocketPath).contains(unixSocket.utf8.count) || unixSocket.utf8.contains(0)
        {
            note(".unixSocket", "must be a path of 1 to \(Self.longestSocketPath) bytes, without NUL")
        }
        if unixSocket != nil, proxy != nil { note(".proxy", "must be left out if there is a unixSocket") }
        checkTLS(note)
    }

    private func checkTLS(_ note: (_ path: String, _ detail: String) -> Void) {
        let versions = TLSPolicy.Version.allCases.map(\.rawValue)
        if !versions.contains(tls.minimumVersion) {
            note(".tls.minimumVersion", "must be one of \(versions.joined(separator: ", ")), in quotes")
        }
        for (setting, path) in tls.files {
            if let fault = pathFault(path) { note(".tls.\(setting)", fault) }
        }
        if tls.keyFile != nil, tls.certificateFile == nil {
            note(".tls.keyFile", "must be left out, unless there is a certificateFile")
        }
        if let pin = tls.pinnedPublicKey,
            pin.wholeMatch(of: /sha256\/\/[A-Za-z0-9+\/]{43}=(;sha256\/\/[A-Za-z0-9+\/]{43}=)*/) == nil
        {
            note(".tls.pinnedPublicKey", "must be sha256// and 44 characters of base64, or several with ; between them")
        }
        let isHTTPS = [baseURL, proxy].contains { $0?.lowercased().hasPrefix("https://") == true }
        if tls != TLSConfiguration(), !isHTTPS, redirectPolicy == .never {
            note(".tls", "must be left out, unless baseURL or proxy is https")
        }
    }
}
