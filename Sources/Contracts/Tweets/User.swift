public import LenientCoding

/// Who sends tweets.
public struct User: Record {
    /// The id, digit for digit.
    public var id = ""
    /// The name that is shown, and the one that is mentioned with `@`.
    public var name: String?, screenName: String?
    /// What the user says: of themself, of where they are, and where to read more.
    public var description: String?, location: String?, url: String?
    /// Whether only followers may read, whether the name is vouched for, and whether it is a machine.
    public var protected: Bool?, verified: Bool?, bot: Bool?
    /// How many follow, are followed, keep the user in a list, and how much was liked and sent.
    public var followersCount: Int?, friendsCount: Int?, listedCount: Int?, favouritesCount: Int?, statusesCount: Int?
    /// Since when.
    public var createdAt: UnixSeconds?
    /// Pictures, by https.
    public var profileImageUrl: String?, profileBannerUrl: String?
    /// The colours of the user's page.
    public var profileBackgroundColor: HexColor?, profileLinkColor: HexColor?, profileSidebarBorderColor: HexColor?,
        profileSidebarFillColor: HexColor?, profileTextColor: HexColor?
    /// Whether the page and the picture are those that everyone gets.
    public var defaultProfile: Bool?, defaultProfileImage: Bool?
    /// Where the user may not be shown, by country.
    public var withheldInCountries: [String]?

    /// Nobody.
    public init() {}

    /// One line a field.
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
