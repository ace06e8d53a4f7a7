"""Compares the answers of the embedded mappings of posts with a second reading of the same documents.

    posts.py WEIR

Each class below reads the documents of one API as its documentation says, without the mapping and without the contract's
engine. Every field that the reading has is compared with the output of `WEIR normalize --as NAME --kind KIND FILE`; None means
that the output must not have the field. Fields that only the output has are not looked at.

The files are `Tests/Fixtures/mappings/NAME.KIND.in.json`, and the recorded ones in `../shared`, if present.
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
FIXTURES = ROOT / "Tests/Fixtures/mappings"
RECORDED = ROOT.parent / "shared/corpus/bluesky"
# The kinds of the recorded files, by a part of their names.
KINDS = {"getposts": "status", "autfeed": "timeline", "feedfeed": "timeline", "getlikes": "timeline",
         "f_search": "search", "getquotes": "search"}


def instant(text):
    return text and datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def only_place(text, words):
    """The only place of one of the words as a word of its own, in code points; None if there is none, or several."""
    places = []
    for word in words:
        before = r"(?<![\w/])" if word[0] in "#$" else r"(?<![A-Za-z0-9_/])" if word[0] == "@" else ""
        after = r"(?!\w)" if word[0] in "#$" else r"(?![A-Za-z0-9_@])" if word[0] == "@" else r"(?![A-Za-z0-9_/?#=&%])"
        places += [list(m.span()) for m in re.finditer(before + re.escape(word) + after, text, re.IGNORECASE)]
    return places[0] if len(places) == 1 else None


def lowest(width, height):
    a, b = width, height
    while b:
        a, b = b, a % b
    return [width // a, height // a]


def secure(address):
    return address and re.sub("^http://", "https://", address)


class Bluesky:
    """https://docs.bsky.app/docs/api/ and the lexicons that the pages there are made from."""

    SENSITIVE = {"porn", "sexual", "nudity", "graphic-media", "gore", "nsfl", "!warn", "!hide"}

    def read(self, kind, document):
        if kind == "status":
            return self.view(document["posts"][0])
        if kind == "search":
            return [self.view(post) for post in document["posts"] if post]
        return [self.item(item) for item in document["feed"] if item]

    def item(self, item):
        reason = item.get("reason") or {}
        if "by" not in reason:
            post = self.view(item["post"])
            handle = ((item.get("reply") or {}).get("parent") or {}).get("author", {}).get("handle")
            post["inReplyToScreenName"] = handle or post.get("inReplyToScreenName")
            return post
        original = self.view(item["post"])
        return {
            "id": reason.get("uri") or item["post"]["uri"], "createdAt": reason["indexedAt"],
            "user": self.user(reason["by"]), "retweetedStatus": original, "fullText": original["fullText"],
            "entities": original["entities"], "media": original["media"], "url": None, "quotedStatus": None,
        }

    def user(self, author):
        known = author["handle"] != "handle.invalid"
        verification = author.get("verification")
        return {
            "id": author["did"], "name": author.get("displayName") or None,
            "screenName": author["handle"] if known else None,
            "url": "https://bsky.app/profile/" + author["handle" if known else "did"],
            "createdAt": author.get("createdAt"), "profileImageUrl": author.get("avatar"),
            "verified": verification and "valid" in (
                verification.get("verifiedStatus"), verification.get("trustedVerifierStatus")),
        }

    def view(self, view, is_quoted=False):
        record = view.get("record") or view["value"]
        embed = view.get("embed") or (view.get("embeds") or [None])[0] or {}
        quote = self.quoted(embed)
        labels = {x["val"] for x in view.get("labels") or [] if not x.get("neg")}
        labels |= {x["val"] for x in (record.get("labels") or {}).get("values") or []}
        parent = ((record.get("reply") or {}).get("parent") or {}).get("uri")
        user = self.user(view["author"])
        entities = self.entities(record, embed)
        post = {
            "id": view["uri"], "createdAt": record.get("createdAt") or view["indexedAt"], "fullText": record["text"],
            "lang": (record.get("langs") or [None])[0], "user": user, "inReplyToStatusId": parent,
            "inReplyToUserId": parent and parent.split("/")[2], "retweetCount": view.get("repostCount"),
            "favoriteCount": view.get("likeCount"), "replyCount": view.get("replyCount"),
            "quoteCount": view.get("quoteCount"), "bookmarkCount": view.get("bookmarkCount"),
            "possiblySensitive": bool(labels & self.SENSITIVE), "entities": entities, "media": self.media(embed),
            "url": f"{user['url']}/post/{view['uri'].split('/')[-1]}", "retweetedStatus": None,
            "quotedStatusId": quote and quote["uri"], "isQuoteStatus": True if quote else None,
            "quotedStatus": self.view(quote, True) if quote and "value" in quote and not is_quoted else None,
        }
        mentions = (entities or {}).get("userMentions") or []
        names = [m["screenName"] for m in mentions if parent and m["id"] == post["inReplyToUserId"]]
        if names:
            post["inReplyToScreenName"] = names[0]
        return post

    def quoted(self, embed):
        record = embed.get("record") or {}
        record = record.get("record") if isinstance(record.get("record"), dict) else record
        return record if "/app.bsky.feed.post/" in record.get("uri", "") else None

    def entities(self, record, embed):
        text, raw = record["text"], record["text"].encode()
        found = {"hashtags": [], "urls": [], "userMentions": []}

        def cut(index):
            start, end = index["byteStart"], index["byteEnd"]
            try:
                word = raw[start:end].decode() if 0 <= start <= end <= len(raw) else None
                return word and (word, [len(raw[:start].decode()), len(raw[:end].decode())])
            except UnicodeDecodeError:
                return None

        for facet in record.get("facets") or []:
            place = cut(facet["index"])
            for feature in facet["features"]:
                if "tag" in feature:
                    tag = feature["tag"]
                    if tag[0] == "#":
                        # The feature has the sign, or the text has it twice.
                        if not place or place[0][0] not in "#＃":
                            continue
                        tag = place[0][1:]
                    fits = place and place[0].lower() in ("#" + tag.lower(), "＃" + tag.lower())
                    indices = place[1] if fits else only_place(text, ["#" + tag, "＃" + tag])
                    found["hashtags"].append({"text": tag, "indices": indices})
                elif "did" in feature:
                    fits = place and place[0][0] in "@＠" and len(place[0]) > 1
                    found["userMentions"].append({
                        "id": feature["did"], "screenName": place[0][1:] if fits else None,
                        "indices": place[1] if fits else None})
                elif "uri" in feature:
                    indices = place[1] if place else only_place(text, [feature["uri"]])
                    url = place[0] if place else feature["uri"] if indices else None
                    found["urls"].append({"url": url, "expandedUrl": feature["uri"], "indices": indices})
        for tag in record.get("tags") or []:
            found["hashtags"].append({"text": tag, "indices": only_place(text, ["#" + tag, "＃" + tag])})
        card = (embed.get("external") or {}).get("uri")
        if not card and isinstance(embed.get("media"), dict):
            card = (embed["media"].get("external") or {}).get("uri")
        if card and card not in [link["expandedUrl"] for link in found["urls"]]:
            indices = only_place(text, [card])
            found["urls"].append({"url": card if indices else None, "expandedUrl": card, "indices": indices})
        found = {key: value or None for key, value in found.items()}
        return found if any(found.values()) else None

    def media(self, embed):
        parts = embed["media"] if isinstance(embed.get("media"), dict) else embed
        pictures = parts.get("images") or parts.get("items") or []
        if isinstance(parts.get("media"), list):
            pictures = parts["media"]
        files = [{
            "id": x["fullsize"].split("/")[-1].split("@")[0], "type": "photo", "url": x["fullsize"],
            "altText": x["alt"] or None, "aspectRatio": self.ratio(x), "variants": None,
        } for x in pictures]
        if "playlist" in parts:
            files.append({
                "id": parts["cid"], "type": "animatedGif" if parts.get("presentation") == "gif" else "video",
                "url": parts.get("thumbnail"), "altText": parts.get("alt") or None, "aspectRatio": self.ratio(parts),
                "variants": [{"contentType": "application/vnd.apple.mpegurl", "url": parts["playlist"]}],
            })
        return files or None

    def ratio(self, part):
        ratio = part.get("aspectRatio")
        return ratio and lowest(ratio["width"], ratio["height"])


class Misskey:
    """https://misskey-hub.net/en/docs/for-developers/api/, and the descriptions that each server has at /api-doc."""

    VISIBILITY = {"public": "public", "home": "unlisted", "followers": "private", "specified": "direct"}
    KINDS = {"image": "photo", "video": "video", "audio": "audio"}

    def read(self, kind, document):
        if kind == "status":
            return self.note(document)
        notes = document["notes"] if kind == "timeline" else document
        return [self.note(note) for note in notes if note and note["id"]]

    def name(self, user):
        return user["username"] + ("@" + user["host"] if user.get("host") else "")

    def user(self, user):
        return {
            "id": user["id"], "name": user["name"] or user["username"], "screenName": self.name(user),
            "bot": user.get("isBot"), "profileImageUrl": secure(user.get("avatarUrl")),
        }

    def note(self, note, is_quoted=False):
        renote, text = note.get("renote"), note.get("text") or ""
        is_own = bool(text or note.get("cw") or note.get("files") or note.get("poll"))
        reply = note.get("reply") or {}
        count = note.get("reactionCount")
        post = {
            "id": note["id"], "createdAt": note["createdAt"], "fullText": text, "user": self.user(note["user"]),
            "inReplyToStatusId": note.get("replyId"), "inReplyToUserId": reply.get("userId"),
            "inReplyToScreenName": self.name(reply["user"]) if "user" in reply else None,
            "retweetCount": note["renoteCount"], "replyCount": note["repliesCount"],
            "favoriteCount": sum(note["reactions"].values()) if count is None else count,
            "favorited": True if note.get("myReaction") else None,
            "possiblySensitive": any(f["isSensitive"] for f in note["files"]), "spoilerText": note.get("cw"),
            "visibility": self.VISIBILITY[note["visibility"]], "url": note.get("url") or note.get("uri"),
            "quotedStatusId": note.get("renoteId") if is_own else None,
            "isQuoteStatus": True if is_own and note.get("renoteId") else None,
            "quotedStatus": self.note(renote, True) if renote and is_own and not is_quoted else None,
            "retweetedStatus": self.note(renote) if renote and not is_own else None,
            "media": [self.file(file) for file in note["files"]], "entities": self.entities(note, text, reply),
            "poll": self.poll(note.get("poll")),
        }
        if post["retweetedStatus"]:
            for key in ("fullText", "entities", "media", "poll"):
                post[key] = post["retweetedStatus"][key]
        return post

    def file(self, file):
        kind = self.KINDS.get(file["type"].split("/")[0], "unknown")
        return {
            "id": file["id"], "type": kind, "url": secure(file["url"]), "altText": file["comment"] or None,
            "previewUrl": file["thumbnailUrl"] if kind == "audio" else None,
            "width": file["properties"].get("width"), "height": file["properties"].get("height"),
        }

    def poll(self, poll):
        return poll and {
            "options": [{"position": i + 1, "text": c["text"], "votes": c["votes"]}
                        for i, c in enumerate(poll["choices"])],
            "endTime": poll["expiresAt"],
        }

    def entities(self, note, text, reply):
        links = []
        for word in re.split("[ \n\u3000]", text):
            link = re.match(r"https?://.*[^).,!?:;、。」]", word)
            if link and link[0] not in links:
                links.append(link[0])
        mentions = []
        for user in note.get("mentions") or []:
            name = self.name(reply["user"]) if reply.get("userId") == user else None
            mentions.append({"id": user, "screenName": name, "indices": name and only_place(text, ["@" + name])})
        tags = note.get("tags")
        return {
            "hashtags": tags and [{"text": t, "indices": only_place(text, ["#" + t, "＃" + t])} for t in tags],
            "urls": [{"url": u, "expandedUrl": u, "indices": only_place(text, [u])} for u in links] or None,
            "userMentions": mentions or None,
        } if tags or links or mentions else None


def differences(expected, actual, path=""):
    """The paths at which the output lacks a value of the reading, or has another one."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            yield from differences(value, actual.get(key), f"{path}.{key}" if path else key)
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{path}: {len(expected)} elements, the output has {len(actual)}"
        for index, (left, right) in enumerate(zip(expected, actual)):
            yield from differences(left, right, f"{path}[{index}]")
    elif path.endswith(("createdAt", "endTime")) and expected and actual:
        if abs(instant(expected) - instant(actual)) > 1e-6:
            yield f"{path}: {expected!r}, the output has {actual!r}"
    elif expected != actual:
        yield f"{path}: {expected!r}, the output has {actual!r}"


def files():
    for path in sorted(FIXTURES.glob("*.*.in.json")):
        name, kind = path.name.split(".")[:2]
        if name in READINGS and kind in ("status", "timeline", "search"):
            yield name, kind, path
    for path in sorted(RECORDED.glob("*.json")):
        for part, kind in KINDS.items():
            if part in path.name:
                yield "bluesky", kind, path


READINGS = {"bluesky": Bluesky(), "misskey": Misskey()}


def main(weir):
    faults, count = 0, 0
    for name, kind, path in files():
        expected = READINGS[name].read(kind, json.loads(path.read_text()))
        run = subprocess.run(
            [weir, "normalize", "--as", name, "--kind", kind, path], capture_output=True, text=True, check=False)
        count += 1
        if run.returncode != 0:
            faults += 1
            print(f"{path.name}: {run.stderr.strip()}")
            continue
        actual = json.loads(run.stdout)
        for difference in differences(expected, actual["statuses"] if kind == "search" else actual):
            faults += 1
            print(f"{path.name}: {difference}")
    print(f"{count} documents, {faults} differences")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
