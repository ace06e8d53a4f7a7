//! A Twitter search answer as serde types, with the members of the suite's Codable models; dates stay text.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Search {
    statuses: Vec<Tweet>,
    search_metadata: SearchMetadata,
}

#[derive(Serialize, Deserialize)]
struct SearchMetadata {
    completed_in: f64,
    max_id: i64,
    max_id_str: String,
    next_results: String,
    query: String,
    refresh_url: String,
    count: i64,
    since_id: i64,
    since_id_str: String,
}

#[derive(Serialize, Deserialize)]
struct Tweet {
    metadata: Metadata,
    created_at: String,
    id: i64,
    id_str: String,
    text: String,
    source: String,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_reply_to_status_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_reply_to_status_id_str: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_reply_to_user_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_reply_to_user_id_str: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_reply_to_screen_name: Option<String>,
    user: User,
    #[serde(skip_serializing_if = "Option::is_none")]
    retweeted_status: Option<Box<Tweet>>,
    retweet_count: i64,
    favorite_count: i64,
    entities: Entities,
    favorited: bool,
    retweeted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    possibly_sensitive: Option<bool>,
    lang: String,
}

#[derive(Serialize, Deserialize)]
struct Metadata {
    result_type: String,
    iso_language_code: String,
}

#[derive(Serialize, Deserialize)]
struct User {
    id: i64,
    id_str: String,
    name: String,
    screen_name: String,
    location: String,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    entities: UserEntities,
    protected: bool,
    followers_count: i64,
    friends_count: i64,
    listed_count: i64,
    created_at: String,
    favourites_count: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    utc_offset: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone: Option<String>,
    geo_enabled: bool,
    verified: bool,
    statuses_count: i64,
    lang: String,
    contributors_enabled: bool,
    is_translator: bool,
    is_translation_enabled: bool,
    profile_background_color: String,
    profile_background_image_url: String,
    profile_background_image_url_https: String,
    profile_background_tile: bool,
    profile_image_url: String,
    profile_image_url_https: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile_banner_url: Option<String>,
    profile_link_color: String,
    profile_sidebar_border_color: String,
    profile_sidebar_fill_color: String,
    profile_text_color: String,
    profile_use_background_image: bool,
    default_profile: bool,
    default_profile_image: bool,
    following: bool,
    follow_request_sent: bool,
    notifications: bool,
}

#[derive(Serialize, Deserialize)]
struct UserEntities {
    description: LinkList,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<LinkList>,
}

#[derive(Serialize, Deserialize)]
struct LinkList {
    urls: Vec<Link>,
}

#[derive(Serialize, Deserialize)]
struct Entities {
    hashtags: Vec<Hashtag>,
    symbols: Vec<Hashtag>,
    urls: Vec<Link>,
    user_mentions: Vec<Mention>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media: Option<Vec<Media>>,
}

#[derive(Serialize, Deserialize)]
struct Hashtag {
    text: String,
    indices: Vec<i64>,
}

#[derive(Serialize, Deserialize)]
struct Link {
    url: String,
    expanded_url: String,
    display_url: String,
    indices: Vec<i64>,
}

#[derive(Serialize, Deserialize)]
struct Mention {
    screen_name: String,
    name: String,
    id: i64,
    id_str: String,
    indices: Vec<i64>,
}

#[derive(Serialize, Deserialize)]
struct Media {
    id: i64,
    id_str: String,
    indices: Vec<i64>,
    media_url: String,
    media_url_https: String,
    url: String,
    display_url: String,
    expanded_url: String,
    #[serde(rename = "type")]
    kind: String,
    sizes: Sizes,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_status_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_status_id_str: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Sizes {
    medium: Size,
    small: Size,
    thumb: Size,
    large: Size,
}

#[derive(Serialize, Deserialize)]
struct Size {
    w: i64,
    h: i64,
    resize: String,
}
