/// What a descriptor is ready for, or is watched for.
public struct Readiness: OptionSet, Sendable {
    /// The kernel's event bits.
    public let rawValue: UInt32

    /// The kernel's event bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There is something to read, or the end of it.
    public static let readable = Readiness(rawValue: 0x001)
    /// There is room to write.
    public static let writable = Readiness(rawValue: 0x004)
    /// The descriptor failed.
    ///
    /// Always watched for.
    public static let failed = Readiness(rawValue: 0x008)
    /// Both directions are closed.
    ///
    /// Always watched for.
    public static let hungUp = Readiness(rawValue: 0x010)
    /// The peer has sent all it will send.
    public static let peerFinished = Readiness(rawValue: 0x2000)
    /// Of the loops that watch the descriptor, wake one.
    static let exclusive = Readiness(rawValue: 1 << 28)
}

/// What is told that a descriptor is ready.
///
/// It belongs to one shard and is called on it.
public protocol ReadinessHandler: AnyObject {
    /// The watched descriptor is ready. What is not taken now is told again.
    func descriptorIsReady(_ readiness: Readiness)
}
