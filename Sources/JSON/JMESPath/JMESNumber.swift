import JSONText

/// A number to compute with: exact as long as its digits fit in 127 bits, else the nearest double.
enum JMESNumber {
    case decimal(Decimal)
    case double(Double)

    /// The number as it is written in `value`, which is a number.
    init(_ value: JMESValue) {
        let decimal = value.withNumber { text -> Decimal? in
            let digits = DecimalText(text)
            guard digits.digitCount <= 38 else { return nil }
            let exponent = digits.isZero ? 0 : digits.magnitude - digits.digitCount
            let significand = digits.scaled(toUnitsOf: exponent)
            return Decimal(digits.isNegative ? -significand : significand, exponent: exponent)
        }
        self = decimal.map { .decimal($0) } ?? .double(Self.nearestDouble(value))
    }

    /// Returns the nearest double, which is infinite beyond the range of doubles.
    static func nearestDouble(_ value: JMESValue) -> Double {
        if case .node(let node) = value, let double = node.double { return double }
        return value.numberText.flatMap { Double($0) } ?? .nan
    }

    private var double: Double {
        switch self {
        case .decimal(let decimal): Double(decimal.text(places: Self.places)) ?? .nan
        case .double(let value): value
        }
    }

    /// Returns the result of an operation; throws `invalidValue` for the divisor 0 and results beyond the range of doubles.
    static func compute(
        _ operation: Expression.Arithmetic, _ left: JMESNumber, _ right: JMESNumber
    ) throws(JMESFailure) -> JMESNumber {
        switch operation {
        case .divide, .divideWhole, .remainder:
            let isByZero = if case .decimal(let right) = right { right.significand == 0 } else { right.double == 0 }
            if isByZero { throw .invalidValue("a division by zero") }
        default: break
        }
        if case .decimal(let left) = left, case .decimal(let right) = right, let exact = exact(operation, left, right) {
            return exact
        }
        let (left, right) = (left.double, right.double)
        let result =
            switch operation {
            case .add: left + right
            case .subtract: left - right
            case .multiply: left * right
            case .divide: left / right
            case .divideWhole: roundedDown(left / right)
            case .remainder: left - right * roundedDown(left / right)
            }
        guard result.isFinite else { throw .invalidValue("the result is beyond the range of numbers") }
        return .double(result)
    }

    /// Returns the exact result, or the nearest double for a quotient; nil if the digits do not fit.
    private static func exact(_ operation: Expression.Arithmetic, _ left: Decimal, _ right: Decimal) -> JMESNumber? {
        func decimal(_ result: (partialValue: Int128, overflow: Bool), _ exponent: Int) -> JMESNumber? {
            result.overflow ? nil : .decimal(Decimal(result.partialValue, exponent: exponent))
        }
        if operation == .multiply {
            let product = left.significand.multipliedReportingOverflow(by: right.significand)
            return decimal(product, left.exponent + right.exponent)
        }
        // The exponent of 0 says nothing.
        let exponent = [left, right].filter { $0.significand != 0 }.map(\.exponent).min() ?? 0
        guard let left = left.significand(inUnitsOf: exponent), let right = right.significand(inUnitsOf: exponent)
        else {
            return nil
        }
        if operation == .add { return decimal(left.addingReportingOverflow(right), exponent) }
        if operation == .subtract { return decimal(left.subtractingReportingOverflow(right), exponent) }
        let (quotient, rest) = left.quotientAndRemainder(dividingBy: right)
        // The quotient is rounded down, so that the remainder has the sign of the divisor.
        let isRoundedUp = rest != 0 && (rest < 0) != (right < 0)
        switch operation {
        case .divideWhole: return .decimal(Decimal(isRoundedUp ? quotient - 1 : quotient))
        case .remainder: return .decimal(Decimal(isRoundedUp ? rest + right : rest, exponent: exponent))
        default: return rest == 0 ? .decimal(Decimal(quotient)) : .double(Double(left) / Double(right))
        }
    }

    /// Rounds down; `rounded(.down)` calls a function of libm, which a program without Foundation does not link.
    private static func roundedDown(_ value: Double) -> Double {
        // From 2^52 on, every double is an integer.
        guard value.magnitude < 4_503_599_627_370_496 else { return value }
        let whole = Double(Int64(value))
        return whole > value ? whole - 1 : whole
    }

    /// Returns the integer below or above, or the number itself if it is one.
    func rounded(up: Bool) -> JMESNumber {
        switch self {
        case .double(let value): .double(up ? -Self.roundedDown(-value) : Self.roundedDown(value))
        case .decimal(let decimal): .decimal(decimal.roundedToInteger(up: up))
        }
    }

    /// Integers have no exponent up to so many digits, which are all exact ones.
    private static let places = 39

    /// The number as a value, in its shortest form.
    var value: JMESValue {
        switch self {
        case .decimal(let decimal): return .number(decimal.text(places: Self.places))
        case .double(let value):
            var writer = JSONWriter(capacity: 64)
            writer.write(value == 0 ? 0 : value)
            return .number(writer.text(from: 0))
        }
    }
}
