import JSONText
import LenientCoding

extension TwitterV1 {
    /// A user, made the contract's as soon as it is read: one that is none fails.
    struct SentUser: FieldValue {
        var user: User

        static var expectation: String { "a user" }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentUser? {
            var profile = Profile()
            guard reader.fill(&profile, from: node) else { return nil }
            guard profile.complete(&reader) else { return reader.fail(.invalid) }
            var sent = SentUser(user: User())
            swap(&sent.user, &profile.user)
            return sent
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { user.write(to: &writer, style: style) }
    }
}

extension TwitterV1.Profile {
    /// Puts in what the contract has in another form; false, and a failure, where there is no id.
    fileprivate mutating func complete(_ reader: inout RecordReader) -> Bool {
        guard let id = reader.demand((idText ?? self.id)?.text, "id") else { return false }
        user.id = id
        user.createdAt = createdAt?.moment
        user.profileImageUrl = (secureImage ?? image)?.text.withSecureScheme
        user.profileBannerUrl = user.profileBannerUrl?.withSecureScheme
        user.withheldInCountries = withheldInCountries?.codes
        return true
    }
}

extension String {
    /// The URL by https: Twitter serves its pictures both ways.
    var withSecureScheme: String {
        let plain: StaticString = "http://", length = plain.utf8CodeUnitCount
        guard utf8.count >= length, utf8.span.holds(plain, at: 0) else { return self }
        return "https://" + self[utf8.index(startIndex, offsetBy: length)...]
    }
}
