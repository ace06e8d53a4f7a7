import API
package import HTTPCore
package import Records

/// What is demanded of an upstream's TLS, and what it is shown.
package struct TLSConfiguration: Record, Equatable {
    package var caFile: String?
    package var minimumVersion = TLSVersion.tls12.rawValue
    package var certificateFile: String?, keyFile: String?
    var pinnedPublicKey: String?

    package init() {}

    package static let schema = Schema<TLSConfiguration>(.exact, .defaulted) {
        Field(
            \.caFile, .takes("a path", orElse: "the system's"), .example(#""/etc/weir/ca.pem""#),
            .note(
                "The certificates to trust, instead of the system's. A changed file is used for new "
                    + "connections after five minutes at most."))
        Field(
            \.minimumVersion, .oneOf(TLSVersion.allCases.map(\.rawValue)), .example(#""1.3""#),
            .note("The lowest version of TLS that is accepted."))
        Field(
            \.certificateFile, .takes("a path"), .example(#""/run/secrets/client.pem""#),
            .note("The certificate that identifies Weir, followed by those that lead to its authority."))
        Field(
            \.keyFile, .takes("a path", orElse: "that of the certificate"), .example(#""/run/secrets/client.key""#),
            .note("The file with the key of that certificate, without a passphrase."))
        Field(
            \.pinnedPublicKey, .takes("`sha256//` and base64, several with `;`"),
            .example(#""sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=""#),
            .note("The keys that the upstream's certificate may have, besides being valid."))
    }

    /// The files by their settings.
    package var files: [(setting: KeyPath<Self, String?>, value: String)] {
        values(of: [\.caFile, \.certificateFile, \.keyFile])
    }

    /// Notes the settings that are malformed, or that other ones exclude.
    fileprivate func check(_ note: SettingNotes<Self>) {
        for (setting, path) in files {
            if let fault = pathFault(path) { note(setting, fault) }
        }
        if keyFile != nil, certificateFile == nil {
            note(\.keyFile, "must be left out, unless there is a certificateFile")
        }
        let form = /sha256\/\/[A-Za-z0-9+\/]{43}=(;sha256\/\/[A-Za-z0-9+\/]{43}=)*/
        if let pinnedPublicKey, pinnedPublicKey.wholeMatch(of: form) == nil {
            note(\.pinnedPublicKey, "must be sha256// and 44 characters of base64, or several with ; between them")
        }
    }

    package func policy(in file: ConfigurationFile) -> TLSPolicy {
        var policy = TLSPolicy()
        policy.authorities = caFile.map { file.resolve($0) }
        policy.minimumVersion = TLSVersion(rawValue: minimumVersion) ?? .tls12
        policy.certificate = certificateFile.map { file.resolve($0) }
        policy.key = keyFile.map { file.resolve($0) }
        policy.publicKeys = pinnedPublicKey
        return policy
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
            addresses: allowsPrivateAddresses || isNamed ? .any : .publicOnly, tls: tls.policy(in: file),
            unixSocketPath: unixSocket.map { file.resolve($0) }, proxy: proxy)
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

    /// Notes the faults of the settings of connections.
    package func checkConnection(_ note: SettingNotes<Self>) {
        if scheme == .oauth1, redirectPolicy != .never {
            note(\.redirects, "must be never, because a signature of OAuth 1.0a is valid for one URL")
        }
        if let proxy {
            do throws(BaseURL.Fault) {
                let url = try BaseURL(proxy)
                if !url.hasPort { note(\.proxy, "must have a port") }
                if url.hasPath { note(\.proxy, "must end after its port") }
            } catch {
                note(\.proxy, error.detail)
            }
        }
        if let unixSocket, !(1...Self.longestSocketPath).contains(unixSocket.utf8.count) || unixSocket.utf8.contains(0)
        {
            note(\.unixSocket, "must be a path of 1 to \(Self.longestSocketPath) bytes, without NUL")
        }
        if unixSocket != nil, proxy != nil { note(\.proxy, "must be left out if there is a unixSocket") }
        tls.check(note[\.tls])
        let isHTTPS = [baseURL, proxy].contains { $0?.lowercased().hasPrefix("https://") == true }
        if tls != TLSConfiguration(), !isHTTPS, redirectPolicy == .never {
            note(\.tls, "must be left out, unless baseURL or proxy is https")
        }
    }
}
