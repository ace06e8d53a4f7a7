public import Settings
import API
import EventLoop
import Glibc
import HTTPCore
import HTTPServer
import JSONText
import Records
import Proxy

/// The outcome of reading an upstream's keys.
enum KeyReading: Sendable, Equatable {
    case credentials(Credentials)
    /// The key is optional and does not exist, so the upstream is omitted.
    case missing(reason: String)

    fileprivate var secrets: [Secret] {
        switch self {
        case .credentials(let credentials): credentials.secrets
        case .missing: []
        }
    }
}

extension Configuration {
    /// Checks what the settings name: every key exists, samples and certificates can be used, addresses are different, and
    /// files that are written have folders.
    /// - Returns: What a service would serve at `now`, in unix seconds.
    public func checkResources(in file: ConfigurationFile, now: Int) throws(ConfigurationError) -> ServedConfiguration {
        let note = SettingNotes<Self>()
        listen.checkOverlaps(withOperations: server.operationsListen, note)
        for (setting, path) in values(of: [\.fetching.quotaFile, \.cache.snapshotFile]) {
            let folder = file.resolve(path).split(separator: "/", omittingEmptySubsequences: false).dropLast()
            let name = folder.isEmpty ? "." : folder == [""] ? "/" : folder.joined(separator: "/")
            if !FileContents.isFolder(name) { note(setting, "must be in a folder that exists, but \(name) does not") }
        }
        if !note.faults.list.isEmpty { throw file.error(note.faults) }
        let keys = try readKeys(in: file)
        _ = try readShared(in: file)
        _ = try readTraces(in: file)
        var flaw: String?
        let certificate = try readCertificate(in: file, now: now) { flaw = $0 }
        return ServedConfiguration(
            self, keys, certificateEnd: certificate?.validity.until, certificateFlaw: flaw, now: now)
    }

    /// Returns the settings with their defaults as JSON, without keys: neither those that the settings name nor parts of
    /// a URL's path that may be one.
    public func printed(in file: ConfigurationFile) throws -> [UInt8] { printed(without: try readKeys(in: file)) }

    /// Returns the settings as `printed(in:)` does, without these keys.
    func printed(without keys: [KeyReading]) -> [UInt8] {
        var configuration = self
        for (index, upstream) in upstreams.enumerated() {
            for setting in [\UpstreamConfiguration.baseURL, \.historyURL, \.archiveURL, \.proxy] {
                configuration.upstreams[index][keyPath: setting] = upstream[keyPath: setting].map(BaseURL.shown)
            }
            configuration.upstreams[index].oauth2?.tokenURL = BaseURL.shown(upstream.oauth2?.tokenURL ?? "")
        }
        configuration.traces?.endpoint = BaseURL.shown(traces?.endpoint ?? "")
        var bytes = JSONWriter.bytes(expecting: 8192) { configuration.write(to: &$0) }
        _ = KeyScrubber(keys.flatMap(\.secrets)).scrub(&bytes)
        return bytes
    }

    /// Returns the keys of the upstreams, in their order.
    /// - Throws: `ConfigurationError` naming each required key that does not exist or cannot be used, each sample and
    ///   certificate that cannot be used, and the weather route if the keys of all its upstreams are missing.
    func readKeys(in file: ConfigurationFile) throws(ConfigurationError) -> [KeyReading] {
        let all = SettingNotes<Self>()
        var missing: Set<String> = []
        let keys = upstreams.enumerated().map { index, upstream in
            let note = all[\.upstreams, index]
            let reading = upstream.readKeys(in: file, note)
            if case .missing = reading {
                missing.insert(upstream.name)
                return reading
            }
            upstream.tls.checkFiles(in: file, note[\.tls])
            if let fault = upstream.socketFault(in: file) { note(\.unixSocket, fault) }
            for detail in upstream.sampleFaults(in: file) { note(\.sample, detail) }
            return reading
        }
        _ = server.tls?.context(in: file, all[\.server.tls])
        do throws(KeyFault) { _ = try cache.credentialKey?.readWord(in: file) } catch {
            all(\.cache.credentialKey, error.description)
        }
        if !weather.upstreams.isEmpty, missing.isSuperset(of: weather.upstreams) {
            all(\.weather.upstreams, "names only upstreams whose keys do not exist")
        }
        if !all.faults.list.isEmpty { throw file.error(all.faults) }
        return keys
    }
}

/// Why a key cannot be used, without the key.
struct KeyFault: Error, CustomStringConvertible {
    let description: String
}

extension UpstreamConfiguration {
    /// Reads the keys again from their files; nil if there are none, or if a key cannot be used.
    func reread(in file: ConfigurationFile) -> Credentials? {
        guard keySources.contains(where: { $0.value.file != nil }) else { return nil }
        let note = SettingNotes<Self>()
        guard case .credentials(let keys) = readKeys(in: file, note), note.faults.list.isEmpty else { return nil }
        return keys
    }

    /// Reads the keys, and notes those that cannot be used.
    func readKeys(in file: ConfigurationFile, _ note: SettingNotes<Self>) -> KeyReading {
        var keys: [KeyPath<Self, KeyConfiguration?>: Secret] = [:]
        var reason: String?
        for (setting, source) in keySources {
            do throws(KeyFault) {
                switch try setting == \.jwt?.privateKey ? source.readText(in: file) : source.readWord(in: file) {
                case .key(let key): keys[setting] = key
                case .missing(let missing): reason = reason ?? missing
                }
            } catch {
                note(setting, error.description)
            }
        }
        if let reason { return .missing(reason: reason) }
        return .credentials(credentials(keys, note))
    }

    private func credentials(
        _ keys: [KeyPath<Self, KeyConfiguration?>: Secret], _ note: SettingNotes<Self>
    ) -> Credentials {
        if scheme == .oauth1, let key = keys[\.oauth1?.consumerKey], let secret = keys[\.oauth1?.consumerSecret],
            let token = keys[\.oauth1?.token], let tokenSecret = keys[\.oauth1?.tokenSecret]
        {
            return .oauth1(OAuth1(consumerKey: key, consumerSecret: secret, token: token, tokenSecret: tokenSecret))
        }
        if let oauth2, let id = keys[\.oauth2?.clientID], let secret = keys[\.oauth2?.clientSecret] {
            return .oauth2(
                ClientCredentials(tokenURL: oauth2.tokenURL, id: id, secret: secret, scope: oauth2.scope))
        }
        if let jwt, let pem = keys[\.jwt?.privateKey] {
            do throws(ES256Key.Fault) { return .jwt(jwt.token(key: try ES256Key(pem: pem))) } catch {
                note(\.jwt?.privateKey, "cannot be used: \(error)")
            }
            return .none
        }
        if let key = keys[\.key] {
            let isPair = key.withExposedText { $0.contains(/^[^:]+:./) }
            if keyLocation == .basic, !isPair { note(\.key, "cannot be used: basic takes USER:PASSWORD") }
            return .key(key, keyLocation)
        }
        // A sample asks for no key.
        if keySources.isEmpty, sample == nil, needsKey {
            let user = authorization ?? dialect ?? "JSON"
            switch scheme {
            case .oauth1: note(\.oauth1, "is missing: \(user) needs consumerKey, consumerSecret, token and tokenSecret")
            case .oauth2: note(\.oauth2, "is missing: \(user) needs tokenURL, clientID and clientSecret")
            case .jwt: note(\.jwt, "is missing: \(user) needs privateKey, keyID, issuer and subject")
            default: note(\.key, "is missing: \(user) needs one, such as {\"environment\": \"NAME\"}")
            }
        }
        return .none
    }
}

extension KeyConfiguration {
    enum Reading {
        case key(Secret)
        /// The key is optional and does not exist.
        case missing(String)
    }

    private static let maximumBytes = 4096
    private static let maximumTextBytes = 16 << 10

    /// Reads a key of several lines, such as PEM, in which `\n` stands for the end of a line too.
    fileprivate func readText(in settings: ConfigurationFile) throws(KeyFault) -> Reading {
        try read(in: settings, limit: Self.maximumTextBytes) { $0.replacing("\\n", with: "\n") }
    }

    /// Reads a key of one word, or of several if it `takesSpaces`.
    func readWord(in settings: ConfigurationFile, takesSpaces: Bool = false) throws(KeyFault) -> Reading {
        try read(in: settings, limit: Self.maximumBytes) { (content) throws(KeyFault) in
            let text = file == nil ? content : String(content.split(whereSeparator: \.isNewline).first ?? "")
            // A key goes into a path or a header field, so it must be one word of visible ASCII.
            if text.isEmpty { throw KeyFault(description: "cannot be used: it is empty") }
            guard text.utf8.count <= Self.maximumBytes else {
                throw KeyFault(description: "cannot be used: it has more than \(Self.maximumBytes) bytes")
            }
            let allowed: ClosedRange<UInt8> = takesSpaces ? 0x20...0x7E : 0x21...0x7E
            if let index = text.utf8.enumerated().first(where: { !allowed.contains($0.element) })?.offset {
                throw KeyFault(description: "cannot be used: its character \(index + 1) is not visible ASCII")
            }
            // As a segment of a path, it would remove another one.
            if text == "." || text == ".." { throw KeyFault(description: "cannot be used: it consists of dots") }
            return text
        }
    }

    /// Passes the value of the variable or the content of the file to `key`, which returns the key in it.
    private func read(
        in settings: ConfigurationFile, limit: Int, _ key: (String) throws(KeyFault) -> String
    ) throws(KeyFault) -> Reading {
        let text: String
        if let environment {
            text = getenv(environment).map { String(cString: $0) } ?? ""
            if text.isEmpty { return try missing("the environment variable \(environment) is not set") }
        } else {
            do {
                let path = settings.resolve(file ?? "")
                text = String(decoding: try FileContents.read(path: path, limit: limit), as: UTF8.self)
            } catch let error as SystemError where error.isNotFound {
                return try missing("\(error)")
            } catch let error as FileContents.NotAFile {
                throw KeyFault(description: "names \(file ?? ""), which \(error)")
            } catch {
                throw KeyFault(description: "\(error)")
            }
        }
        return .key(Secret(try key(text)))
    }

    private func missing(_ reason: String) throws(KeyFault) -> Reading {
        if optional { return .missing(reason) }
        throw KeyFault(description: "does not exist: \(reason)")
    }
}

extension JWTConfiguration {
    /// Makes tokens with these claims that `key` signs, each for an hour.
    ///
    /// WeatherKit takes the `id` of the team and the service; others must ignore what they do not know (RFC 7515 §4).
    func token(key: ES256Key) -> JSONWebToken {
        JSONWebToken(
            key: key, keyID: keyID, issuer: issuer, subject: subject, id: "\(issuer).\(subject)", lifetime: 3600)
    }
}
