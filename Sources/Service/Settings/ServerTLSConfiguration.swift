import HTTPCore
package import Records

/// The certificate of the service; paths are relative to the configuration file.
package struct ServerTLSConfiguration: Record {
    package var certificateFile = ""
    package var keyFile: String?
    package var minimumVersion = TLSVersion.tls12.rawValue

    package init() {}

    package static let schema = Schema<ServerTLSConfiguration>(.exact, .defaulted) {
        Field(
            \.certificateFile, .required, .takes("a path"), .example(#""/run/secrets/weir.pem""#),
            .note("The certificate, followed by those that lead to its authority."))
        Field(
            \.keyFile, .takes("a path", orElse: "that of the certificate"), .example(#""/run/secrets/weir.key""#),
            .note("The file with the key of that certificate, without a passphrase."))
        Field(
            \.minimumVersion, .oneOf(TLSVersion.allCases.map(\.rawValue)), .example(#""1.3""#),
            .note("The lowest version of TLS that is accepted."))
    }
}
