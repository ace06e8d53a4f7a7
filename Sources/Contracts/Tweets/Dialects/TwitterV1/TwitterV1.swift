import LenientCoding

/// Twitter v1.1 as it is sent: compatible, extended and compatibility-plus tweets, their users, entities and media.
///
/// The tables name what the upstream names; what is documented and has no place in the contract is ignored.
enum TwitterV1 {
    /// `Wed Aug 27 13:08:45 +0000 2008`.
    enum Created: FixedDateStrategy {
        static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
    }
}
