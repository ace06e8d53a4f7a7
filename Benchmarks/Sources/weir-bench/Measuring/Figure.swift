/// One measured number, and what it should be.
struct Figure {
    /// What a figure should be.
    enum Bar: CustomStringConvertible {
        case atLeast(Double)
        case atMost(Double)
        /// Told, and not judged.
        case none

        var description: String {
            switch self {
            case .atLeast(let value): "at least \(Figure.text(value))"
            case .atMost(let value): "at most \(Figure.text(value))"
            case .none: "none"
            }
        }
    }

    let name: String
    let value: Double
    let bar: Bar

    var isMet: Bool {
        switch bar {
        case .atLeast(let least): value >= least
        case .atMost(let most): value <= most
        case .none: true
        }
    }

    /// The figure as it is printed: `json.twitter.records.vsFoundation 31.2`.
    var line: String { "\(name) \(Self.text(value))" }

    /// Two decimals below ten, one above; whole numbers without.
    static func text(_ value: Double) -> String {
        let scale = value < 10 ? 100.0 : 10.0
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }
}
