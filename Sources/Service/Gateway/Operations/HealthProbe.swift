import HTTPClient

/// Asks a running service whether it is ready.
public enum HealthProbe {
    /// The outcome of a probe.
    public enum Outcome: Sendable {
        /// The service answered 200.
        case healthy
        /// The service did not answer, or not with 200, for this reason.
        case unhealthy(String)
        /// The URL is malformed or has another scheme.
        case invalidURL
    }

    /// Asks `url`, which is an http or https URL or `unix:PATH`, and waits for at most three seconds.
    public static func ask(_ url: String) async -> Outcome {
        do {
            let response = try await OperationsRequest.get(url, target: "/readyz")
            return response.status == 200 ? .healthy : .unhealthy("it answered with status \(response.status)")
        } catch TransferError.invalidURL {
            return .invalidURL
        } catch {
            return .unhealthy("\(error)")
        }
    }
}
