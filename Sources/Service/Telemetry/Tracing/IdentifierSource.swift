/// Makes ids of traces and spans: SplitMix64 from a random start.
///
/// The ids are unique, not secret: the system's generator takes a system call for each.
public struct IdentifierSource: Sendable {
    private var state: UInt64

    /// A source with a random start.
    public init() { state = .random(in: .min ... .max) }

    /// A source with a given start, for tests.
    public init(seed: UInt64) { state = seed }

    /// Returns a number that is not 0.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        number ^= number >> 31
        return number == 0 ? 1 : number
    }

    /// Returns a number of 128 bits that is not 0.
    public mutating func next128() -> UInt128 { UInt128(next()) << 64 | UInt128(next()) }
}
