/// A measured number with its bar.
struct Figure {
    /// The bound that a figure must keep.
    enum Bar: CustomStringConvertible {
        case atLeast(Double)
        case atMost(Double)
        /// The figure has no bar.
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

    /// Whether the figure keeps its bar.
    var isMet: Bool {
        switch bar {
        case .atLeast(let least): value >= least
        case .atMost(let most): value <= most
        case .none: true
        }
    }

    /// The output line, such as `json.twitter.records.vsFoundation 31.2`.
    var line: String { "\(name) \(Self.text(value))" }

    /// Returns `value` with two decimals below ten and one above; integers have none.
    static func text(_ value: Double) -> String {
        let scale = value < 10 ? 100.0 : 10.0
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }
}
