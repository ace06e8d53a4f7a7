import Foundation

/// A real nginx with TLS on a Unix socket, so that no port is needed.
package final class Nginx: Sendable {
    /// Whether nginx is installed, as `make test` does.
    package static let isInstalled = ["/usr/sbin/nginx", "/usr/bin/nginx"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The path of the socket.
    package let socket: String
    private let process: ShellProcess

    /// Starts nginx with these directives of its server, and the certificate for `localhost`.
    package init(_ certificates: Certificates, protocols: String = "ssl", _ directives: String) throws {
        let folder = certificates.path("nginx-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        socket = "\(folder)/socket"
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);" }
        let text = """
            daemon off;
            master_process off;
            pid pid;
            error_log stderr notice;
            events { worker_connections 512; }
            http {
                access_log off;
                \(temporary.joined(separator: "\n"))
                server {
                    listen unix:socket \(protocols);
                    ssl_certificate \(certificates.path("cert.pem"));
                    ssl_certificate_key \(certificates.path("cert.key"));
                    \(directives)
                }
            }
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/conf"))
        process = try ShellProcess(
            "PATH=$PATH:/usr/sbin exec nginx -p '\(folder)/' -e stderr -c '\(folder)/conf' 2>&1", in: folder)
        // The socket listens before nginx names its event method.
        guard process.line(containing: "event method") != nil else {
            process.end()
            throw Failure("nginx does not start")
        }
    }

    /// Kills nginx.
    package func stop() { process.end() }
}
