extension Mastodon {
    /// A hashtag with its sign as Mastodon compares it: in lower case, of the usual width, and with ASCII letters for many
    /// Latin ones.
    ///
    /// The `name` of a tag is folded, its link in the text is not (mastodon/mastodon, `app/lib/hashtag_normalizer.rb`).
    struct FoldedHashtag {
        let text: String

        init(_ hashtag: String) {
            let lowercase = hashtag.lowercased()
            if lowercase.utf8.allSatisfy({ $0 < 0x80 }) {
                text = lowercase
                return
            }
            var ofUsualWidth = ""
            for scalar in lowercase.unicodeScalars { ofUsualWidth.unicodeScalars.append(Self.widened(scalar)) }
            text = String(ofUsualWidth.map { Self.asciiLetters[$0] ?? $0 })
        }

        /// Returns the usual form of a fullwidth ASCII character or of a halfwidth Katakana, and any other as it is.
        private static func widened(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
            switch scalar.value {
            case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
            case 0xFF66...0xFF9F: katakana[Int(scalar.value - 0xFF66)]
            default: scalar
            }
        }

        /// The Katakana in the order of the halfwidth ones, which ends with the combining marks of sound.
        private static let katakana = Array(
            ("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
                + "\u{3099}\u{309A}").unicodeScalars)

        /// The letters of Latin-1 and Latin Extended-A for which Mastodon has an ASCII letter; a letter with a mark is equal
        /// to the letter and the mark.
        private static let asciiLetters: [Character: Character] = {
            var letters: [Character: Character] = [
                "ð": "d", "đ": "d", "ħ": "h", "ı": "i", "ĸ": "k", "ł": "l", "ŋ": "n", "ø": "o", "ŧ": "t",
            ]
            let folded = Set((0xDF...0x17E).compactMap { Unicode.Scalar($0) }.map(Character.init))
            // From the grave accent to the ogonek.
            let marks = (0x300...0x328).compactMap { Unicode.Scalar($0) }
            for letter in "acdeghijklnorstuwyz" {
                for mark in marks {
                    let marked = Character("\(letter)\(mark)")
                    if folded.contains(marked) { letters[marked] = letter }
                }
            }
            return letters
        }()
    }
}
