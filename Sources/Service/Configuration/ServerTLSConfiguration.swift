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

    /// Reads the files; calls `note` with the setting and the detail of each that cannot be used.
    package func context(
        in file: ConfigurationFile, _ note: (_ setting: String, _ detail: String) -> Void
    ) -> TLSContext? {
        guard let version = TLSContext.Version(rawValue: minimumVersion) else { return nil }
        return TLSContext(
            certificateFile: certificateFile, keyFile: keyFile, minimumVersion: version, in: file, note)
    }
}

extension TLSContext {
    private static let maximumFileBytes = 1 << 20

    /// Reads a certificate and its key, which is in the same file without a `keyFile`; calls `note` with the setting and
    /// the detail of each file that cannot be used.
    package convenience init?(
        certificateFile: String, keyFile: String?, minimumVersion: Version = .tls12, in file: ConfigurationFile,
        _ note: (_ setting: String, _ detail: String) -> Void
    ) {
        func read(_ path: String, _ setting: String) -> [UInt8]? {
            do {
                return try FileContents.read(path: file.resolve(path), limit: Self.maximumFileBytes)
            } catch let error as FileContents.TooLarge {
                note(setting, "names \(path), which \(error)")
            } catch let error as FileContents.NotAFile {
                note(setting, "names \(path), which \(error)")
            } catch {
                note(setting, "cannot be used: \(error)")
            }
            return nil
        }
        let certificate = read(certificateFile, "certificateFile")
        let key = keyFile.map { read($0, "keyFile") } ?? certificate
        guard let certificate, let key else { return nil }
        do throws(Fault) {
            try self.init(certificate: certificate, key: key, minimumVersion: minimumVersion)
        } catch {
            if case .key = error, let keyFile {
                note("keyFile", "names \(keyFile), which \(error)")
            } else {
                note("certificateFile", "names \(certificateFile), which \(error)")
            }
            return nil
        }
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
        var faults = ConfigurationFaults()
        let context = tls.context(in: file) { faults.note("server.tls.\($0)", $1) }
        if !faults.list.isEmpty { throw file.error(faults) }
        if let flaw = context?.flaw(at: Int64(now)) {
            warn("server.tls.certificateFile names \(tls.certificateFile), which \(flaw), so clients refuse it")
        }
        return context
    }
}

extension TLSContext {
    /// Returns why the certificate is not valid at `now`, in unix seconds, such as `has expired at …`; nil if it is.
    func flaw(at now: Int64) -> String? {
        func text(_ moment: Int64) -> String {
            ISO8601Timestamp.format(secondsSinceEpoch: Double(moment)) ?? "\(moment)"
        }
        if now < validity.from { return "is not valid before \(text(validity.from))" }
        return now > validity.until ? "has expired at \(text(validity.until))" : nil
    }
}
