import Foundation

extension TwitterCodable {
    /// Somebody who tweets.
    struct User: Codable {
        var id: Int
        var idStr: String
        var name: String
        var screenName: String
        var location: String
        var description: String
        var url: String?
        var entities: UserEntities
        var protected: Bool
        var followersCount: Int
        var friendsCount: Int
        var listedCount: Int
        var createdAt: Date
        var favouritesCount: Int
        var utcOffset: Int?
        var timeZone: String?
        var geoEnabled: Bool
        var verified: Bool
        var statusesCount: Int
        var lang: String
        var contributorsEnabled: Bool
        var isTranslator: Bool
        var isTranslationEnabled: Bool
        var profileBackgroundColor: String
        var profileBackgroundImageUrl: String
        var profileBackgroundImageUrlHttps: String
        var profileBackgroundTile: Bool
        var profileImageUrl: String
        var profileImageUrlHttps: String
        var profileBannerUrl: String?
        var profileLinkColor: String
        var profileSidebarBorderColor: String
        var profileSidebarFillColor: String
        var profileTextColor: String
        var profileUseBackgroundImage: Bool
        var defaultProfile: Bool
        var defaultProfileImage: Bool
        var following: Bool
        var followRequestSent: Bool
        var notifications: Bool
    }

    /// The links in a user's texts.
    struct UserEntities: Codable {
        var description: LinkList
        var url: LinkList?
    }

    /// The links in one of a user's texts.
    struct LinkList: Codable {
        var urls: [Link]
    }
}
