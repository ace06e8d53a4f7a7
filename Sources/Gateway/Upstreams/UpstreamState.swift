import EventLoop
import Synchronization

/// What is known about an upstream, for all shards: its places, its quotas and how long it takes.
final class UpstreamState: Sendable {
    /// The requests that may be under way at a time, from the transfer until the document is read.
    let places: Admission
    let quotas = SpentQuotas()
    private let latency = Mutex(LatencyHistogram())

    init(_ configuration: UpstreamConfiguration) {
        places = Admission(
            capacity: configuration.maximumConcurrent, maximumWaiting: configuration.maximumWaiting)
    }

    /// How long its transfers took.
    var latencies: LatencyHistogram { latency.withLock { $0 } }

    func noteTransfer(_ duration: Duration) { latency.withLock { $0.add(duration) } }

    /// Takes new limits over; what is under way is not affected.
    fileprivate func update(_ configuration: UpstreamConfiguration) {
        places.resize(capacity: configuration.maximumConcurrent, maximumWaiting: configuration.maximumWaiting)
    }
}

/// The states of the upstreams by their names, and what all upstreams share; it outlives a configuration.
public final class UpstreamRegistry: Sendable {
    let pool = DocumentPool()
    private let states = Mutex<[String: UpstreamState]>([:])

    /// A registry that knows no upstream.
    public init() {}

    /// Returns the state of the upstream with this name, with its new limits if it exists already.
    func state(for configuration: UpstreamConfiguration) -> UpstreamState {
        states.withLock { states in
            if let state = states[configuration.name] {
                state.update(configuration)
                return state
            }
            let state = UpstreamState(configuration)
            states[configuration.name] = state
            return state
        }
    }
}
