public import Records

/// The author of a tweet.
public struct User: Record {
    /// The account; see ``schema`` for each field.
    public var id = "", name: String?, screenName: String?, description: String?, location: String?, url: String?,
        protected: Bool?, verified: Bool?, bot: Bool?, createdAt: UnixSeconds?
    /// The counts.
    public var followersCount: Int?, friendsCount: Int?, listedCount: Int?, favouritesCount: Int?, statusesCount: Int?
    /// The appearance of the profile page.
    public var profileImageUrl: String?, profileBannerUrl: String?
    public var profileBackgroundColor: HexColor?, profileLinkColor: HexColor?, profileSidebarBorderColor: HexColor?,
        profileSidebarFillColor: HexColor?, profileTextColor: HexColor?
    public var defaultProfile: Bool?, defaultProfileImage: Bool?
    /// The countries that withhold the user.
    public var withheldInCountries: [String]?

    /// An unknown user.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<User> {
        Field(\.id, .note("The id, digit for digit; a string, because JavaScript rounds integers above 2^53."))
        Field(\.name, .note("The display name."))
        Field(\.screenName, .note("The name after the @ sign; Mastodon adds the domain of accounts on other servers."))
        Field(\.description, .note("The user's own description."))
        Field(\.location, .note("The user's location, as free text."))
        Field(\.url, .note("The user's website; with Mastodon, the address of the profile page."))
        Field(\.protected, .note("Whether the user approves followers; at Twitter only these can read the tweets."))
        Field(\.verified, .note("Whether the upstream has verified the account."))
        Field(\.bot, .note("Whether a program runs the account (Mastodon)."))
        Field(\.followersCount, .note("The number of followers."))
        Field(\.friendsCount, .note("The number of users that this user follows."))
        Field(\.listedCount, .note("The number of lists that contain the user."))
        Field(\.favouritesCount, .note("The number of tweets that the user likes."))
        Field(\.statusesCount, .note("The number of the user's tweets."))
        Field(\.createdAt, .note("The time when the account was created."))
        Field(\.profileImageUrl, .note("The https address of the profile picture."))
        Field(\.profileBannerUrl, .note("The https address of the banner."))
        Field(\.profileBackgroundColor, .note("The background colour of the profile page, as #RRGGBB."))
        Field(\.profileLinkColor, .note("The colour of links, as #RRGGBB."))
        Field(\.profileSidebarBorderColor, .note("The colour of the sidebar's border, as #RRGGBB."))
        Field(\.profileSidebarFillColor, .note("The colour of the sidebar, as #RRGGBB."))
        Field(\.profileTextColor, .note("The colour of text, as #RRGGBB."))
        Field(\.defaultProfile, .note("Whether the profile page has the default appearance."))
        Field(\.defaultProfileImage, .note("Whether the profile picture is the default one."))
        Field(\.withheldInCountries, .dropInvalid, .note("The ISO 3166 codes of the countries that withhold the user."))
    }
}
