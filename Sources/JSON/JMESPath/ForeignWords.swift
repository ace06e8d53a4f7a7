/// Functions of other languages, such as jq, JSONata and JavaScript, and how an expression says the same.
enum ForeignWords {
    /// By the name of a function, in lower case and without `_`.
    private static let functions: [String: String] = Dictionary(
        uniqueKeysWithValues: [
            ("substring substr slice", "write text[0:3]"),
            ("filter select where", "write list[?x == `1`]"),
            ("matches test regex regexmatch capture", "write match(text, pattern)"),
            ("sub gsub replaceall regexreplace", "write replace_pattern(text, pattern, with)"),
            ("uppercase ascupcase toupper touppercase", "write upper(text)"),
            ("lowercase asciidowncase tolower tolowercase", "write lower(text)"),
            ("fromjson jsonparse tojsonvalue", "write parse_json(text)"),
            ("tojson stringify string str", "write to_string(value)"),
            ("int integer tonum parseint parsefloat float", "write to_number(text)"),
            ("fromentries objectfrom", "write from_items(pairs)"),
            ("toentries pairs", "write items(object)"),
            ("if iif cond", "write condition ? a : b"),
            ("coalesce default ifnull firstof nvl", "write a || b"),
            ("has exists isnull isempty", "compare with null: a != null"),
            ("concat", "write join('', [a, b])"),
            ("now today date formatdate todate strftime", "a shape reads and writes dates: \"format\" and \"reads\""),
        ].flatMap { words, advice in words.split(separator: " ").map { (String($0), advice) } })

    /// Returns how an expression says what a function of another language does.
    static func advice(forFunction name: String) -> String? {
        functions[name.lowercased().filter { $0 != "_" && $0 != "-" }]
    }
}
