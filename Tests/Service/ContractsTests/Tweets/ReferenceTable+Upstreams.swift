import Records

extension ReferenceTable {
    /// Twitter v1.1, from its documentation of tweets, users, entities, places and premium search.
    static let twitter = ReferenceTable(
        """
        search: statuses results search_metadata>facts next>text requestParameters
        facts: completed_in max_id max_id_str next_results>text query>text count>int since_id since_id_str refresh_url
        page: users next_cursor next_cursor_str previous_cursor previous_cursor_str total_count
        tweet: created_at>moment id>id id_str>id text>text full_text>text truncated source>nonempty
            in_reply_to_status_id>reply in_reply_to_status_id_str>reply in_reply_to_user_id>reply in_reply_to_user_id_str>reply
            in_reply_to_screen_name>text user>user geo>point coordinates>point place>place contributors
            is_quote_status>flag quoted_status_id>id quoted_status_id_str>id quoted_status>inner
            quoted_status_permalink retweeted_status>inner quote_count>count reply_count>count retweet_count>count
            favorite_count>count entities>entities extended_entities>entities extended_tweet>extended
            display_text_range>range favorited>flag retweeted>flag possibly_sensitive>flag
            possibly_sensitive_appealable possibly_sensitive_editable edit_info filter_level>text lang>text supplemental_language
            matching_rules metadata timestamp_ms current_user_retweet scopes annotations withheld_copyright
            withheld_in_countries>countries withheld_scope>text
        extended: full_text>text display_text_range>range entities>entities extended_entities>entities
        point: type coordinates>number()!
        place: id>id name>text full_name>text place_type>text country>text country_code>text bounding_box>any url
            attributes contained_within geometry polylines centroid vendor_info
        entities: hashtags>word[] symbols>word[] urls>link[] user_mentions>mention[] media>media[] polls>poll[]
        word: text>text! indices>indices
        link: url>nonempty expanded_url>nonempty display_url>nonempty indices>indices unwound
        mention: id>id id_str>id name>text screen_name>text indices>indices
        media: id>id id_str>id type>text media_url>nonempty media_url_https>nonempty url>nonempty expanded_url>nonempty
            display_url>nonempty ext_alt_text>text indices>indices sizes>any original_info>extent video_info>film
            additional_media_info features ext media_key title description source_status_id source_status_id_str
            source_user_id source_user_id_str
        extent: width>int height>int focus_rects
        film: aspect_ratio>int() duration_millis>int variants>variant[]
        variant: bitrate>int content_type>text url>nonempty
        poll: id>id options>option[] end_datetime>moment duration_minutes>int
        option: position>int text>text label votes>int count
        user: id>id id_str>id name>text screen_name>text location>text url>nonempty description>text derived
            protected>flag verified>flag followers_count>count friends_count>count listed_count>count
            favourites_count>count statuses_count>count created_at>moment utc_offset time_zone geo_enabled lang
            contributors_enabled is_translator is_translation_enabled translator_type following follow_request_sent
            live_following muting notifications status entities>profile has_extended_profile profile_location
            show_all_inline_media default_profile>flag default_profile_image>flag profile_background_color>color
            profile_background_image_url profile_background_image_url_https profile_background_tile
            profile_banner_url>nonempty profile_banner_extensions_alt_text profile_image_url>nonempty
            profile_image_url_https>nonempty profile_image_extensions_alt_text profile_link_color>color
            profile_sidebar_border_color>color profile_sidebar_fill_color>color profile_text_color>color
            profile_use_background_image withheld_in_countries>countries withheld_scope
        """
    ) { kind, object in
        switch kind {
        case "tweet" where object["retweeted_status"] != nil: hasID(object) && object["created_at"] != nil
        case "tweet", "inner": hasID(object) && object["created_at"] != nil && hasText(object)
        case "user": hasID(object)
        default: true
        }
    }

    private static func hasID(_ object: JSONValue) -> Bool { object.id("id_str", "id") != nil }

    private static func hasText(_ object: JSONValue) -> Bool {
        [object["extended_tweet"]?["full_text"], object["full_text"], object["text"]].contains { $0 != nil }
    }

    /// Twitter v2, from its documentation of fields and expansions.
    static let twitterV2 = ReferenceTable(
        """
        answer: data includes>includes meta>meta errors matching_rules __twarc
        includes: users>user[] tweets>tweet[] media>media[] places>place[] polls>poll[] topics
        meta: result_count>int newest_id oldest_id>key next_token>text previous_token sent summary
        tweet: id>id! text>text! __twarc author in_reply_to_user matching_rules type article article_title attachments>attached author_id>key card_uri community_id
            context_annotations conversation_id created_at>moment display_text_range>range edit_controls
            edit_history_post_ids edit_history_tweet_ids matched_media_notes note_request_suggestions paid_partnership
            suggested_source_links suggested_source_links_with_counts entities>entities geo>geo
            in_reply_to_user_id>replykey lang>text media_metadata non_public_metrics
            note_tweet>note organic_metrics possibly_sensitive>flag promoted_metrics public_metrics>counts
            referenced_tweets>reference[] reply_settings scopes source>nonempty username withheld>withheld
        note: text>text! entities>entities
        reference: type>text! id>key!
        attached: media_keys>key[] poll_ids>key[] media_source_tweet_id media poll
        geo: place_id>key coordinates>point contained_within country country_code full_name geo id name place_type
        point: type coordinates>number()!
        counts: retweet_count>count like_count>count reply_count>count quote_count>count bookmark_count>count
            impression_count>count
        entities: annotations hashtags>word[] cashtags>word[] urls>link[] mentions>mention[]
        word: start>int end>int tag>text!
        link: start>int end>int url>nonempty expanded_url>nonempty display_url>nonempty media_key>text unwound_url status title
            description images
        mention: start>int end>int username>text name>text id>id created_at description entities location pinned_tweet
            pinned_tweet_id profile_image_url protected public_metrics url verified verified_type withheld
        withheld: copyright country_codes>text[] scope>text
        user: id>id! name>text username>text affiliation connection_status created_at>moment description>text entities>profile
            is_identity_verified location>text most_recent_post_id most_recent_tweet_id parody pinned_post_id
            pinned_tweet_id confirmed_email subscribes_to_you verified_followers_count profile_banner_url>nonempty
            profile_image_url>nonempty protected>flag public_metrics>audience receives_your_dm subscription
            subscription_type url>nonempty verified>flag verified_type withheld>withheld
        audience: followers_count>count following_count>count tweet_count>count listed_count>count like_count>count
            media_count
        media: media_key>key! type>text url>nonempty preview_image_url>nonempty alt_text>text width>int height>int
            duration_ms>int variants>variant[] public_metrics non_public_metrics organic_metrics promoted_metrics
        variant: bit_rate>int bitrate content_type>text url>nonempty
        place: id>id! name>text full_name>text place_type>text country>text country_code>text geo>any
            contained_within coordinates place_id
        poll: id>id! options>option[] end_datetime>moment duration_minutes>int voting_status
        option: position>int label>text text votes>int count
        """)

    /// Mastodon, from its documentation and the additions of Pleroma, Akkoma and Pixelfed.
    static let mastodon = ReferenceTable(
        """
        search: accounts statuses hashtags
        conversation: ancestors descendants
        event: stream event payload
        envelope: state quoted_status>status quoted_status_id>id
        status: id>id uri>nonempty url>nonempty created_at>moment edited_at account>account content>html visibility>text
            sensitive>flag spoiler_text>text media_attachments>media[] application>program mentions>mention[] tags>tag[]
            emojis replies_count>count reply_count>count reblogs_count>count favourites_count>count quotes_count>count
            in_reply_to_id>reply in_reply_to_account_id>reply reblog>status poll>poll card language>text text favourited>flag
            reblogged>flag muted bookmarked pinned filtered quote>quote quote_id>id quote_approval pleroma>pleroma akkoma
            emoji_reactions content_text>text local reactions _v comments_disabled label liked_by parent pf_type
            place>place replies shortcode taggedPeople tagged_collections thread
        pleroma: content>plain in_reply_to_account_acct>text quote>quote quote_id>id quotes_count>count bookmark_folder
            context conversation_id direct_conversation_id emoji_reactions event expires_at language list_id local
            parent_visible pinned_at quote_url quote_visible spoiler_text thread_muted
        plain: text/plain>text text/html
        place: id>id name>text country>text lat long slug url
        program: name>text website>nonempty client_id client_secret vapid_key
        account: id>id username>text acct>text url>nonempty display_name>text note>text avatar>nonempty avatar_static
            header>nonempty header_static header_bg locked>flag fields emojis bot>flag group discoverable indexable noindex
            moved suspended limited hide_collections created_at>moment last_status_at statuses_count>count
            followers_count>count following_count>count source role roles mute_expires_at uri follow_requests_count
            accepts_direct_messages_from akkoma fqn is_admin last_fetched_at local location>text note_text pleroma
            pronouns website memorial avatar_description header_description show_media show_media_replies show_featured
            feature_approval
        media: id>id type>text url>nonempty preview_url>nonempty remote_url>nonempty preview_remote_url text_url meta>meta
            description>text blurhash filter_class filter_name is_nsfw license mime optimized_url orientation pleroma
        meta: original>extent small focus length duration fps size width height aspect colors audio_encode
            audio_bitrate audio_channels
        extent: width>int height>int size aspect frame_rate duration>number bitrate
        mention: id>id username>text acct>text url>nonempty
        tag: name>text! url history following featuring id slug
        poll: id>id expires_at>moment expired multiple votes_count voters_count options>option[] emojis voted own_votes
            pleroma non_anonymous
        option: title>text votes_count>int
        """
    ) { kind, object in kind != "account" || object["id"] != nil }
}
