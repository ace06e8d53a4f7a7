/// A misuse of the library that does not compile, next to correct code that does.
struct WrongUse: CustomStringConvertible, Sendable {
    let wrong: String
    /// A part of the compiler's error message.
    let cause: String
    let right: String

    init(_ wrong: String, _ cause: String, right: String) {
        self.wrong = wrong
        self.cause = cause
        self.right = right
    }

    var description: String { wrong }

    /// Returns a misuse in the declaration of a property.
    private static func property(_ wrong: String, _ cause: String, right: String) -> WrongUse {
        WrongUse("struct Model: Codable { \(wrong) }", cause, right: "struct Model: Codable { \(right) }")
    }

    static let wrappers: [WrongUse] = [
        property(
            "@Lossy var count: Int", "requires that 'Int' conform to 'LossyDecodable'",
            right: "@Lossy var counts: [Int]"),
        property(
            "@Lossy var user: User?", "requires that 'User' conform to 'LossyDecodable'",
            right: "@Lossy var users: [User]?"),
        property(
            "@Lossy var names: [Double: String]", "requires that 'Double' conform to 'FieldKey'",
            right: "@Lossy var names: [Int: String]"),
        property(
            "@Lossy var actions: [() -> Void]", "type '() -> Void' cannot conform to 'Decodable'",
            right: "@Lossy var tags: Set<String>"),
        property(
            "@Lossless var tags: Set<String>", "requires that 'Set<String>' conform to 'LosslessValue'",
            right: "@Lossless var tags: [String]"),
        property(
            "@Lossless var user: User", "requires that 'User' conform to 'LosslessValue'",
            right: "@Lossless var userID: UInt64?"),
        property(
            "@Lossless var time: Date", "requires that 'Date' conform to 'LosslessValue'",
            right: "@Lossless var time: Double"),
        property(
            "@Coded<UnixSeconds> var time: String", "property type 'String' does not match 'wrappedValue' type 'Date'",
            right: "@Coded<UnixSeconds> var time: Date"),
        property(
            "@Coded<UnixSeconds> var time: Date?", "property type 'Date?' does not match 'wrappedValue' type 'Date'",
            right: "@Coded<UnixSeconds?> var time: Date?"),
        property(
            "@Coded<ISO8601?> var time: Date", "property type 'Date' does not match 'wrappedValue' type 'Date?'",
            right: "@Coded<ISO8601> var time: Date"),
        property(
            "@Coded<Date> var time: Date", "type 'Date' does not conform to protocol 'CodingStrategy'",
            right: "@Coded<UnixMilliseconds> var time: Date"),
        property(
            "@Coded var time: Date", "generic parameter 'Strategy' could not be inferred",
            right: "@Coded<TwitterDate> var time: Date"),
        property(
            "@Default var count: Int", "generic parameter 'Provider' could not be inferred",
            right: "@DefaultZero var count: Int"),
        property(
            "@Default(0) var count: Int", "generic parameter 'Provider' could not be inferred",
            right: "@DefaultZero var count: Int = 0"),
        property(
            "@Default<Int> var count: Int", "type 'Int' does not conform to protocol 'DefaultValueProvider'",
            right: "@Default<ZeroValue<Int>> var count: Int"),
        property(
            "@Default<ZeroValue<Int>> var name: String",
            "property type 'String' does not match 'wrappedValue' type 'Int'",
            right: "@Default<EmptyValue<String>> var name: String"),
        property(
            "@Default<ZeroValue<String>> var name: String", "type 'String' does not conform to protocol 'Numeric'",
            right: "@Default<DefaultLanguage> var name: String"),
        property(
            "@Default<TrueValue<Bool>> var flag: String",
            "property type 'String' does not match 'wrappedValue' type 'Bool'",
            right: "@Default<TrueValue<Bool>> var flag: Bool"),
        property(
            "@DefaultFalse var flag: String", "requires that 'String' conform to 'ExpressibleByBooleanLiteral'",
            right: "@DefaultFalse var flag: Bool"),
        property(
            "@DefaultFalse var flag: Int", "requires that 'Int' conform to 'ExpressibleByBooleanLiteral'",
            right: "@FallbackFalse var flag: Bool"),
        property(
            "@FallbackTrue var flag: Bool?", "requires that 'Bool?' conform to 'ExpressibleByBooleanLiteral'",
            right: "@FallbackTrue var flag: Bool"),
        property(
            "@DefaultZero var name: String", "requires that 'String' conform to 'Numeric'",
            right: "@DefaultEmpty var name: String"),
        property(
            "@DefaultZero var count: Int?", "requires that 'Int?' conform to 'Numeric'", right: "var count: Int?"),
        property(
            "@DefaultEmpty var count: Int", "requires that 'Int' conform to 'EmptyInitializable'",
            right: "@DefaultEmpty var counts: [Int]"),
        property(
            "@Fallback var count: Int", "generic parameter 'Provider' could not be inferred",
            right: "@FallbackZero var count: Int"),
        property(
            "@Fallback<UnknownIcon> var icon: String", "cannot convert value of type 'String' to specified type 'Icon'",
            right: "@Fallback<UnknownIcon> var icon: Icon"),
        property(
            "@FallbackNil var count: Int", "property type 'Int' does not match 'wrappedValue' type 'Wrapped?'",
            right: "@FallbackNil var count: Int?"),
        property(
            "@FallbackZero var name: String", "requires that 'String' conform to 'Numeric'",
            right: "@FallbackEmpty var name: String"),
        property(
            "@FallbackEmpty var user: User", "requires that 'User' conform to 'EmptyInitializable'",
            right: "@FallbackNil var user: User?"),
        property(
            "@Lossy let counts: [Int]", "property wrapper can only be applied to a 'var'",
            right: "@Lossy private(set) var counts: [Int]"),
        property(
            "@Lossy var counts: [Int] { [] }", "property wrapper cannot be applied to a computed property",
            right: "@Lossy var counts: [Int] = []"),
        property(
            "@DefaultZero var count: Int = \"none\"", "cannot convert value of type 'String' to specified type 'Int'",
            right: "@DefaultZero var count: Int = 1"),
        property(
            "@Lossy @Lossless var count: Int", "requires that 'Int' conform to 'RangeReplaceableCollection'",
            right: "@Lossy @Lossless var counts: [Int]"),
        property(
            "@DefaultZero @Lossless var count: Int",
            "requires that 'Lossless<Int>' (aka 'DecodedProperty<LosslessRule<Int>>') conform to 'Numeric'",
            right: "@Lossless var count: Int"),
    ]

    static let others: [WrongUse] = [
        WrongUse(
            "_ = Schema<Alert> { Field(\\.titel) }", "value of type 'Alert' has no member 'titel'",
            right: "_ = Schema<Alert> { Field(\\.title) }"),
        WrongUse(
            "_ = Schema<Alert> { Field(\\Forecast.latitude) }",
            "cannot convert value of type 'WritableKeyPath<Forecast, Double>'",
            right: "_ = Schema<Forecast> { Field(\\Forecast.latitude) }"),
        WrongUse(
            "_ = Schema<Alert> { Field(\\.regions, .dropsInvalid) }",
            "type 'FieldRule' has no member 'dropsInvalid'",
            right: "_ = Schema<Alert> { Field(\\.regions, .dropInvalid) }"),
        WrongUse(
            "struct Page: Record { var id: UUID?; static let schema = Schema<Page> { Field(\\.id) } }",
            "requires that 'UUID' conform to 'FieldValue'",
            right: "struct Page: Record { var url: URL?; static let schema = Schema<Page> { Field(\\.url) } }"),
        WrongUse(
            "struct Page: Record { var url: String; static let schema = Schema<Page> { Field(\\.url) } }",
            "type 'Page' does not conform to protocol 'Record'",
            right: "struct Page: Record { var url = \"\"; static let schema = Schema<Page> { Field(\\.url) } }"),
        WrongUse(
            "_ = OpenEnum<Int>(\"watch\")", "type 'Int' does not conform to protocol 'CaseIterable'",
            right: "_ = OpenEnum<Severity>(\"watch\")"),
        WrongUse(
            "_ = FormattedDate<ISO8601>(Date())", "type 'ISO8601' does not conform to protocol 'FixedDateStrategy'",
            right: "_ = FormattedDate<TwitterDate>(Date())"),
        WrongUse(
            "let strategy: InvalidElementStrategy<Int> = .fallback(\"none\")",
            "cannot convert value of type 'String' to expected argument type 'Int'",
            right: "let strategy: InvalidElementStrategy<Int> = .fallback(0)"),
        WrongUse(
            "encoder.keyEncodingStrategy = .convertFromSnakeCase", "has no member 'convertFromSnakeCase'",
            right: "encoder.keyEncodingStrategy = .convertToSnakeCase"),
        WrongUse(
            "_ = try? json.decode(\"time\", as: Date.self)", "requires that 'Date' conform to 'JSONDecodable'",
            right: "_ = try? json.decode(\"time\", as: Double.self)"),
    ]
}
