import LenientCoding

// The test cases of MetaCodable for properties that are not coded, and for properties that others decide about.
extension MetaCodableCases {
    private struct Ignored: Codable, Equatable {
        var text = "fixed"
        enum CodingKeys: CodingKey {}
        func encode(to encoder: any Encoder) throws {}
    }
    private struct Ignoring: Codable, Equatable {
        var first: String?
        var second: String?
        let third: String
        enum CodingKeys: CodingKey { case third }
    }
    /// A property that is only decoded, and one that is omitted if it is empty.
    private struct Sparse: Codable, Equatable {
        var read: String
        var filled: String
        enum CodingKeys: CodingKey { case read, filled }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if !filled.isEmpty { try container.encode(filled, forKey: .filled) }
        }
    }
    /// A property that is omitted if another one says so.
    private struct Deciding: Codable, Equatable {
        var read: String
        var secret: String
        var isHidden: Bool
        enum CodingKeys: CodingKey { case read, secret, isHidden }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if !isHidden { try container.encode(secret, forKey: .secret) }
            try container.encode(isHidden, forKey: .isHidden)
        }
    }
    /// An enumeration whose associated values are not coded.
    private enum Bare: Codable, Equatable {
        case flag(Bool), number(Int)
        enum CodingKeys: String, CodingKey { case flag, number = "count" }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self = container.contains(.flag) ? .flag(true) : .number(6)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .flag: _ = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .flag)
            case .number: _ = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .number)
            }
        }
    }

    static let ignored =
        SuiteCase.of(
            "IgnoreCodingTests",
            [
                SuiteCase(
                    "DecodingEncodingIgnore.ignoreCodingBehavior",
                    "A model that encodes nothing is an error of the encoder"
                ) { coder in
                    do {
                        throw UnmetExpectation(description: try coder.encode(Ignored()))
                    } catch is EncodingError {}
                },
                .decodes(
                    "DecodingEncodingIgnore.ignoreCodingFromJSON", "A property that is not coded keeps its value",
                    #"{"text":"a","other":"b"}"#, to: Ignored()),
                .decodes(
                    "DecodingEncodingIgnore.Optional.decoding", "Optional properties that are not coded are nil",
                    #"{"third":"a"}"#, to: Ignoring(third: "a")),
                .encodes(
                    "DecodingEncodingIgnore.Optional.encoding", "They are not encoded",
                    Ignoring(first: "a", second: "b", third: "c"), as: #"{"third":"c"}"#),
                .encodes(
                    "EncodingIgnoreWithCondition.ignore", "An empty property is omitted", Sparse(read: "", filled: ""),
                    as: "{}"),
                .encodes(
                    "EncodingIgnoreWithCondition.encode", "A property that is not empty is encoded",
                    Sparse(read: "a", filled: "b"), as: #"{"filled":"b"}"#),
                .decodes(
                    "EncodingIgnoreWithCondition.decode", "Empty properties are decoded", #"{"read":"","filled":""}"#,
                    to: Sparse(read: "", filled: "")),
                .encodes(
                    "EncodingIgnoreWithBasedOnCondition.ignore", "A property is omitted if another one says so",
                    Deciding(read: "", secret: "a", isHidden: true), as: #"{"isHidden":true}"#),
                .encodes(
                    "EncodingIgnoreWithBasedOnCondition.encode", "It is encoded otherwise",
                    Deciding(read: "", secret: "a", isHidden: false), as: #"{"isHidden":false,"secret":"a"}"#),
                .decodes(
                    "EncodingIgnoreWithBasedOnCondition.decode", "It is always decoded",
                    #"{"read":"","secret":"a","isHidden":true}"#, to: Deciding(read: "", secret: "a", isHidden: true)),
            ])
        + SuiteCase.of(
            "IgnoreInitializedTests",
            [
                SuiteCase("EnumIgnore.coding", "A case is coded without its value, which is the default") { coder in
                    try expect(coder.encode(Bare.flag(false)), is: #"{"flag":{}}"#)
                    try expect(coder.roundTrip(Bare.flag(false)), is: .flag(true))
                },
                SuiteCase("EnumCaseIgnore.coding", "So is a case with another key") { coder in
                    try expect(coder.encode(Bare.number(1)), is: #"{"count":{}}"#)
                    try expect(coder.roundTrip(Bare.number(1)), is: .number(6))
                },
            ])

    // MARK: Properties that depend on others

    /// A record of a device, whose reading is one higher from version 2 on.
    private struct Device: Codable, Equatable {
        struct Reading: Codable, Equatable { var value: Int }
        let name: String
        let version: Int
        var reading: Reading

        enum CodingKeys: CodingKey { case name, version, reading }

        init(name: String, version: Int, value: Int) {
            (self.name, self.version, reading) = (name, version, Reading(value: value))
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            reading = try container.decode(Reading.self, forKey: .reading)
            version = try container.decode(.version, default: 1)
            if version >= 2 { reading.value += 1 }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(version, forKey: .version)
            try container.encode(Reading(value: reading.value - (version >= 2 ? 1 : 0)), forKey: .reading)
        }
    }

    /// Pictures that get the identifier of their album.
    private struct Album: Decodable {
        struct Size: Decodable { let width: Int, height: Int }
        struct Picture: Equatable { let id: String, width: Int, height: Int }
        let id: String
        var pictures: [Picture] = []

        enum CodingKeys: CodingKey { case id, images, list }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            var sizes = try container.decodeIfPresent([Size].self, forKey: .list) ?? []
            if container.contains(.images) {
                let images = try container.nestedContainer(.images)
                sizes += [try images.decode("original"), try images.decode("small")]
            }
            for size in sizes { pictures.append(Picture(id: id, width: size.width, height: size.height)) }
        }
    }

    static let dependencies = SuiteCase.of(
        "CodedByActionTests",
        [
            .survives(
                "DependencyBefore.customCoderVersionBehavior", "A property that another one changes survives",
                Device(name: "a", version: 1, value: 5), Device(name: "b", version: 2, value: 5)),
            .decodes(
                "DependencyBefore.customCoderFromJSON", "A property before another one changes it",
                #"{"name":"a","version":3,"reading":{"value":9}}"#, to: Device(name: "a", version: 3, value: 10)),
            SuiteCase("DependencyAfter.decoding", "A property behind another one, or its default, changes it") {
                coder in
                let expected = [nil: 12, 1: 12, 2: 13, 5: 13]
                for (version, value) in expected {
                    let member = version.map { #","version":\#($0)"# } ?? ""
                    let text = #"{"name":"a","reading":{"value":12}\#(member)}"#
                    try expect(
                        coder.decode(Device.self, text), is: Device(name: "a", version: version ?? 1, value: value))
                }
            },
            SuiteCase("NestedPropertyDependencyAfter.decoding", "Values in an inner object get an outer property") {
                coder in
                for id in ["a", "b_c"] {
                    let text = """
                        {"images":{"original":{"width":1600,"height":900},"small":{"width":160,"height":90}},"id":"\(id)"}
                        """
                    let pictures = try coder.decode(Album.self, text).pictures
                    try expect(pictures.map(\.id), is: [id, id])
                    try expect(pictures.map(\.width), is: [1600, 160])
                    try expect(pictures.map(\.height), is: [900, 90])
                }
            },
            SuiteCase("ArrayDependency.decoding", "The elements of an array get an outer property") { coder in
                for id in ["a", "b_c"] {
                    let sizes = Array(repeating: #"{"width":1600,"height":900}"#, count: 5).joined(separator: ",")
                    let pictures = try coder.decode(Album.self, #"{"list":[\#(sizes)],"id":"\#(id)"}"#).pictures
                    let picture = Album.Picture(id: id, width: 1600, height: 900)
                    try expect(pictures, is: Array(repeating: picture, count: 5))
                }
            },
        ])
}
