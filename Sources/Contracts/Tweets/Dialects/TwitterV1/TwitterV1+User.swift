import LenientCoding

extension TwitterV1.Profile {
    /// The contract's user; nil, and a failure, where there is no id.
    func user(_ reader: inout RecordReader) -> User? {
        guard let id = reader.demand((idText ?? self.id)?.text, "id") else { return nil }
        var user = User()
        user.id = id
        user.name = name
        user.screenName = screenName
        user.description = description
        user.location = location
        user.url = url
        user.protected = protected
        user.verified = verified
        user.followersCount = followersCount
        user.friendsCount = friendsCount
        user.listedCount = listedCount
        user.favouritesCount = favouritesCount
        user.statusesCount = statusesCount
        user.createdAt = createdAt.map { UnixSeconds($0.date) }
        user.profileImageUrl = (secureImage ?? image)?.withSecureScheme
        user.profileBannerUrl = banner?.withSecureScheme
        user.profileBackgroundColor = backgroundColor
        user.profileLinkColor = linkColor
        user.profileSidebarBorderColor = sidebarBorderColor
        user.profileSidebarFillColor = sidebarFillColor
        user.profileTextColor = textColor
        user.defaultProfile = defaultProfile
        user.defaultProfileImage = defaultProfileImage
        user.withheldInCountries = withheldInCountries?.codes
        return user
    }
}

extension String {
    /// The URL by https: Twitter serves its pictures both ways.
    var withSecureScheme: String { hasPrefix("http://") ? "https://" + dropFirst("http://".count) : self }
}
