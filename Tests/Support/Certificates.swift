import Foundation

/// Certificates and keys in a temporary folder, made with the program `openssl`.
///
/// `ca.pem` is an authority. It signs `cert.pem` for `localhost` and `127.0.0.1`, `expired.pem`, `other.pem` for another
/// host, `renewed.pem` with another key for the first ones, and `client.pem`; `stranger.pem` is signed by itself. Keys end
/// in `.key`, and `locked.key` has a passphrase.
package struct Certificates: Sendable {
    package let folder: TemporaryFolder
    /// The pin of the key of `cert.pem`, as curl writes it.
    package let pin: String

    package init() throws {
        folder = try TemporaryFolder()
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config c"
        let sign = "openssl x509 -req -CA ca.pem -CAkey ca.key -CAcreateserial"
        try ShellProcess.run(
            """
            set -e
            printf '[req]\\ndistinguished_name=dn\\n[dn]\\n[ca]\\nbasicConstraints=critical,CA:TRUE\\n' > c
            printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' > names
            printf 'subjectAltName=DNS:other.example' > others
            openssl req -x509 \(key) -keyout ca.key -out ca.pem -subj /CN=authority -days 30 -extensions ca
            openssl req -x509 \(key) -keyout stranger.key -out stranger.pem -subj /CN=stranger -days 30
            for name in cert client renewed; do
                openssl req \(key) -keyout $name.key -out $name.request -subj /CN=$name
            done
            \(sign) -in cert.request -out cert.pem -days 30 -extfile names
            \(sign) -in cert.request -out expired.pem -days -1 -extfile names
            \(sign) -in cert.request -out other.pem -days 30 -extfile others
            \(sign) -in renewed.request -out renewed.pem -days 30 -extfile names
            \(sign) -in client.request -out client.pem -days 30
            openssl pkcs8 -topk8 -in client.key -out locked.key -passout pass:secret
            """, in: folder.path)
        let digest = try ShellProcess.run(
            "openssl x509 -in cert.pem -pubkey -noout | openssl pkey -pubin -outform der"
                + " | openssl dgst -sha256 -binary | openssl base64", in: folder.path)
        pin = "sha256//\(digest)"
    }

    package func path(_ name: String) -> String { folder.path(name) }

    package func remove() { folder.remove() }

    /// Starts `openssl s_server`, which answers every request with a page; returns it with its port.
    package func serve(certificate: String = "cert.pem", options: String = "") throws -> (ShellProcess, port: String) {
        let server = try ShellProcess(
            "exec openssl s_server -accept 127.0.0.1:0 -cert \(certificate) -key cert.key -www \(options)",
            in: folder.path)
        guard let port = server.line(containing: "ACCEPT 127.0.0.1:") else {
            server.end()
            throw Failure("openssl s_server does not start")
        }
        return (server, port)
    }

    /// Starts a program that accepts TLS and passes what it decrypts on to the port of `url`; returns it with its port.
    package func relay(to url: String) throws -> (ShellProcess, port: String) {
        let program = """
            import select, socket, ssl, threading
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain("cert.pem", "cert.key")
            listener = socket.create_server(("127.0.0.1", 0))
            print("port", listener.getsockname()[1], flush=True)
            def relay(client):
                with context.wrap_socket(client, server_side=True) as outer:
                    with socket.create_connection(("127.0.0.1", \(url.split(separator: ":").last ?? "0"))) as inner:
                        while True:
                            ready = [outer] if outer.pending() else select.select([outer, inner], [], [])[0]
                            for source in ready:
                                data = source.recv(65536)
                                if not data: return
                                (inner if source is outer else outer).sendall(data)
            while True:
                threading.Thread(target=relay, args=(listener.accept()[0],), daemon=True).start()
            """
        try Data(program.utf8).write(to: URL(fileURLWithPath: path("relay.py")))
        let relay = try ShellProcess("exec python3 relay.py 2>&1", in: folder.path)
        guard let port = relay.line(containing: "port ") else {
            relay.end()
            throw Failure("the relay does not start")
        }
        return (relay, port)
    }
}
