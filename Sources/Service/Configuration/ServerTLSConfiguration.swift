import CivilDates
import EventLoop
package import HTTPServer
package import Records

/// The certificate of the service; paths are relative to the configuration file.
package struct ServerTLSConfiguration: Record {
    package var certificateFile = ""
    package var keyFile: String?
    package var minimumVersion = TLSContext.Version.tls12.rawValue

    package init() {}

    package static let schema = Schema<ServerTLSConfiguration>(.exact, .defaulted) {
        Field(
            \.certificateFile, .required, .takes("a path"), .example(#""/run/secrets/weir.pem""#),
            .note("The certificate, followed by those that lead to its authority."))
        Field(
            \.keyFile, .takes("a path", orElse: "that of the certificate"), .example(#""/run/secrets/weir.key""#),
            .note("The file with the key of that certificate, without a passphrase."))
        Field(
            \.minimumVersion, .oneOf(TLSContext.Version.allCases.map(\.rawValue)), .example(#""1.3""#),
            .note("The lowest version of TLS that is accepted."))
    }

    /// Reads the files, and notes those that cannot be used.
    package func context(in file: ConfigurationFile, _ note: SettingNotes<Self>) -> TLSContext? {
        guard let version = TLSContext.Version(rawValue: minimumVersion) else { return nil }
        return TLSContext(
            certificate: (\.certificateFile, certificateFile), key: keyFile.map { (\.keyFile, $0) },
            minimumVersion: version, in: file, note)
    }
}

extension TLSContext {
    private static let maximumFileBytes = 1 << 20

    /// Reads a certificate and its key, which is in the same file without a file for `key`, and notes the files that
    /// cannot be used.
    package convenience init?<Settings: Record>(
        certificate: (setting: PartialKeyPath<Settings>, path: String),
        key: (setting: PartialKeyPath<Settings>, path: String)?, minimumVersion: Version = .tls12,
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

extension Configuration {
    /// Reads the certificate of the service; nil without one.
    ///
    /// One that is not valid at `now`, in unix seconds, is used nevertheless; `warn` gets the reason why clients refuse it.
    package func readCertificate(
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
