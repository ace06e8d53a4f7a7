public import LenientCoding

/// The author of a tweet.
public struct User: Record {
    /// The id, as a string because JavaScript rounds numbers past 2^53.
    public var id = ""
    /// The display name, and the name behind `@`.
    public var name: String?, screenName: String?
    /// The user's own description, location and web page.
    public var description: String?, location: String?, url: String?
    /// Whether only followers may read the tweets, whether the account is verified, and whether it is automated.
    public var protected: Bool?, verified: Bool?, bot: Bool?
    /// The numbers of followers, followed users, lists with the user, liked tweets and sent tweets.
    public var followersCount: Int?, friendsCount: Int?, listedCount: Int?, favouritesCount: Int?, statusesCount: Int?
    /// When the account was created.
    public var createdAt: UnixSeconds?
    /// The addresses of the profile's images, with the scheme https.
    public var profileImageUrl: String?, profileBannerUrl: String?
    /// The colours of the profile page.
    public var profileBackgroundColor: HexColor?, profileLinkColor: HexColor?, profileSidebarBorderColor: HexColor?,
        profileSidebarFillColor: HexColor?, profileTextColor: HexColor?
    /// Whether the profile page and the profile image are the default ones.
    public var defaultProfile: Bool?, defaultProfileImage: Bool?
    /// The countries that the user is withheld in.
    public var withheldInCountries: [String]?

    /// An unknown user.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<User> {
        Field(\.id)
        Field(\.name)
        Field(\.screenName)
        Field(\.description)
        Field(\.location)
        Field(\.url)
        Field(\.protected)
        Field(\.verified)
        Field(\.bot)
        Field(\.followersCount)
        Field(\.friendsCount)
        Field(\.listedCount)
        Field(\.favouritesCount)
        Field(\.statusesCount)
        Field(\.createdAt)
        Field(\.profileImageUrl)
        Field(\.profileBannerUrl)
        Field(\.profileBackgroundColor)
        Field(\.profileLinkColor)
        Field(\.profileSidebarBorderColor)
        Field(\.profileSidebarFillColor)
        Field(\.profileTextColor)
        Field(\.defaultProfile)
        Field(\.defaultProfileImage)
        Field(\.withheldInCountries, .dropInvalid)
    }
}
