import LenientCoding

/// The names that an upstream documents, object by object: what else stands in one of its objects is a stranger.
struct ReferenceNames {
    private struct Kind {
        var names: Set<Substring> = []
        /// The kinds of what stands under a name, by itself or in a list.
        var parts: [Substring: Substring] = [:]
    }

    private var kinds: [Substring: Kind] = [:]

    /// A paragraph for each kind of object: its name and a colon, then its members; behind `>` stands what kind one is of.
    init(_ table: String) {
        var kind = Substring()
        for word in table.split(whereSeparator: \.isWhitespace) {
            if word.last == ":" {
                kind = word.dropLast()
                continue
            }
            let halves = word.split(separator: ">")
            kinds[kind, default: Kind()].names.insert(halves[0])
            if halves.count == 2 { kinds[kind]?.parts[halves[0]] = halves[1] }
        }
    }

    /// Counts into `repairs` the strangers in an object and in its parts; those that `isUsable` refuses are left out whole.
    func count(
        in value: JSONValue, as kind: Substring, _ repairs: inout Repairs,
        isUsable: (JSONValue, Substring) -> Bool = { _, _ in true }
    ) {
        guard let known = kinds[kind] else { return }
        for member in value.members ?? [] {
            if !known.names.contains(member.key[...]) {
                repairs["unexpectedKey \(Self.lastName(of: member.key))", default: 0] += 1
            } else if let part = known.parts[member.key[...]] {
                for value in member.value.elements ?? [member.value] where isUsable(value, part) {
                    count(in: value, as: part, &repairs, isUsable: isUsable)
                }
            }
        }
    }

    /// The last name of a path, by which strangers are told apart.
    static func lastName(of path: String) -> Substring { path.split(separator: ".").last ?? "" }
}

extension ReferenceNames {
    /// Twitter v1.1, by its documentation of tweets, users, entities, places and premium search.
    static let twitter = ReferenceNames(
        """
        search: statuses results search_metadata>facts next requestParameters
        facts: completed_in max_id max_id_str next_results query count since_id since_id_str refresh_url
        page: users next_cursor next_cursor_str previous_cursor previous_cursor_str total_count
        tweet: created_at id id_str text full_text truncated source in_reply_to_status_id in_reply_to_status_id_str
            in_reply_to_user_id in_reply_to_user_id_str in_reply_to_screen_name user>user geo>point coordinates>point
            place>place contributors is_quote_status quoted_status_id quoted_status_id_str quoted_status>tweet
            quoted_status_permalink retweeted_status>tweet quote_count reply_count retweet_count favorite_count
            entities>entities extended_entities>entities extended_tweet>extended display_text_range favorited retweeted
            possibly_sensitive possibly_sensitive_appealable possibly_sensitive_editable filter_level lang
            supplemental_language matching_rules metadata timestamp_ms current_user_retweet scopes annotations
            withheld_copyright withheld_in_countries withheld_scope
        extended: full_text display_text_range entities>entities extended_entities>entities
        point: type coordinates
        place: id name full_name place_type country country_code bounding_box url attributes contained_within geometry
            polylines centroid vendor_info
        entities: hashtags>word symbols>word urls>link user_mentions>mention media>media polls>poll
        word: text indices
        link: url expanded_url display_url indices unwound
        mention: id id_str name screen_name indices
        media: id id_str type media_url media_url_https url expanded_url display_url ext_alt_text indices sizes
            original_info>extent video_info>film additional_media_info features ext media_key title description
            source_status_id source_status_id_str source_user_id source_user_id_str
        extent: width height focus_rects
        film: aspect_ratio duration_millis variants>variant
        variant: bitrate content_type url
        poll: options>option end_datetime duration_minutes
        option: position text label votes count
        user: id id_str name screen_name location url description derived protected verified followers_count
            friends_count listed_count favourites_count statuses_count created_at utc_offset time_zone geo_enabled lang
            contributors_enabled is_translator is_translation_enabled translator_type following follow_request_sent
            live_following muting notifications status entities has_extended_profile profile_location
            show_all_inline_media default_profile default_profile_image profile_background_color
            profile_background_image_url profile_background_image_url_https profile_background_tile profile_banner_url
            profile_banner_extensions_alt_text profile_image_url profile_image_url_https
            profile_image_extensions_alt_text profile_link_color profile_sidebar_border_color
            profile_sidebar_fill_color profile_text_color profile_use_background_image withheld_in_countries
            withheld_scope
        """)

    /// Twitter v2, by its documentation of fields and expansions.
    static let twitterV2 = ReferenceNames(
        """
        answer: data includes>includes meta>meta errors matching_rules
        includes: users>user tweets>tweet media>media places>place polls>poll topics
        meta: result_count newest_id oldest_id next_token previous_token sent summary
        tweet: id text article attachments>attached author_id card_uri community_id context_annotations conversation_id
            created_at display_text_range edit_controls edit_history_tweet_ids entities>entities geo>geo
            in_reply_to_user_id lang media_metadata non_public_metrics note_tweet>note organic_metrics
            possibly_sensitive promoted_metrics public_metrics>counts referenced_tweets>reference reply_settings scopes
            source username withheld>withheld
        note: text entities>entities
        reference: type id
        attached: media_keys poll_ids media_source_tweet_id
        geo: place_id coordinates>point
        point: type coordinates
        counts: retweet_count like_count reply_count quote_count bookmark_count impression_count
        entities: annotations hashtags>word cashtags>word urls>link mentions>mention
        word: start end tag
        link: start end url expanded_url display_url media_key unwound_url status title description images
        mention: start end username id
        withheld: copyright country_codes scope
        user: id name username affiliation connection_status created_at description entities is_identity_verified
            location most_recent_tweet_id parody pinned_tweet_id profile_banner_url profile_image_url protected
            public_metrics>audience receives_your_dm subscription subscription_type url verified verified_type
            withheld>withheld
        audience: followers_count following_count tweet_count listed_count like_count media_count
        media: media_key type url preview_image_url alt_text width height duration_ms variants>variant public_metrics
            non_public_metrics organic_metrics promoted_metrics
        variant: bit_rate bitrate content_type url
        place: id name full_name place_type country country_code geo contained_within
        poll: id options>option end_datetime duration_minutes voting_status
        option: position label text votes count
        """)

    /// Mastodon by its documentation, and what Pleroma, Akkoma and Pixelfed document beside.
    static let mastodon = ReferenceNames(
        """
        search: accounts statuses hashtags
        conversation: ancestors descendants
        envelope: state quoted_status quoted_status_id
        event: stream event payload
        status: id uri url created_at edited_at account>account content visibility sensitive spoiler_text
            media_attachments>media application>program mentions>mention tags>tag emojis replies_count reply_count
            reblogs_count favourites_count quotes_count in_reply_to_id in_reply_to_account_id reblog>status poll>poll
            card language text favourited reblogged muted bookmarked pinned filtered quote>quote quote_id quote_approval
            pleroma>pleroma akkoma emoji_reactions content_text local reactions
            _v comments_disabled label liked_by parent pf_type place>place replies shortcode taggedPeople thread
        quote: state quoted_status>status quoted_status_id
        pleroma: content>plain in_reply_to_account_acct quote>quote quote_id quotes_count bookmark_folder context
            conversation_id direct_conversation_id emoji_reactions event expires_at language list_id local
            parent_visible pinned_at quote_url quote_visible spoiler_text thread_muted
        plain: text/plain text/html
        place: id name country lat long slug url
        program: name website client_id client_secret vapid_key
        account: id username acct url display_name note avatar avatar_static header header_static header_bg locked
            fields emojis bot group discoverable indexable noindex moved suspended limited hide_collections created_at
            last_status_at statuses_count followers_count following_count source role roles mute_expires_at uri
            follow_requests_count accepts_direct_messages_from akkoma fqn is_admin last_fetched_at local location
            note_text pleroma pronouns website
        media: id type url preview_url remote_url preview_remote_url text_url meta>meta description blurhash
            filter_class filter_name is_nsfw license mime optimized_url orientation pleroma
        meta: original>extent small focus length duration fps size width height aspect colors audio_encode
            audio_bitrate audio_channels
        extent: width height size aspect frame_rate duration bitrate
        mention: id username acct url
        tag: name url history following featuring id slug
        poll: id expires_at expired multiple votes_count voters_count options>option emojis voted own_votes pleroma
            non_anonymous
        option: title votes_count
        """)
}
