import LenientCoding

/// The Codable coders and Foundation's on thirteen models as applications write them.
///
/// No model has a document of an upstream: the suite shows what any application gains. The documents are generated from
/// fixed seeds.
struct ShapesSuite: Suite {
    static let name = "shapes"
    static let names =
        ShapesSuite.contests.flatMap { contest in
            ShapeFigure.allCases.map { "shapes.\(contest.name).\($0.rawValue)" }
        } + ["shapes.median"]

    private static var contests: [any ShapeMeasuring] {
        [
            ShapeContest<[Reading]>("fields", Reading.document()),
            ShapeContest<Catalog>("dictionary", Catalog.document()),
            ShapeContest<[Event]>("enums", Event.document()),
            ShapeContest<[Formula]>("indirect", Formula.document()),
            ShapeContest<[Invoice]>("values", Invoice.document(), .dates),
            ShapeContest<[Preferences]>("allKeys", Preferences.document(), .snakeCase),
            ShapeContest<[Vehicle]>("classes", Vehicle.document()),
            ShapeContest<[Listing]>("sparse", Listing.document()),
            ShapeContest<[Grid]>("numbers", Grid.document()),
            ShapeContest<[Message]>("text", Message.document()),
            ShapeContest<Identifiers>("identifiers", Identifiers.document()),
            ShapeContest<Amounts>("amounts", Amounts.document()),
            ShapeContest<[AnyCodable]>("tree", MixedTree.document()),
        ]
    }

    private let seconds: Double
    private let contests = ShapesSuite.contests

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        for contest in contests { try contest.check() }
    }

    func contestants() throws -> [Contestant] {
        try contests.flatMap { contest in
            try contest.contestants().map { Contestant(elsewhere: "shapes.\(contest.name).\($0.name)", run: $0.run) }
        }
    }

    func run(_ report: (Figure) -> Void) throws {
        var ratios: [Double] = []
        for contest in contests {
            try contest.run(seconds: seconds / Double(contests.count)) { figure in
                ratios.append(figure.value)
                report(figure)
            }
        }
        report(Figure(name: "shapes.median", value: ratios.median, bar: .atLeast(3)))
    }
}
