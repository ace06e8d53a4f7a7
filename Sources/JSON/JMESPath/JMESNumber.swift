import JSONText

/// A number to compute with: exact as long as its digits fit in 127 bits, else the nearest double.
enum JMESNumber {
    /// `significand` times 10 to the power of `exponent`.
    case decimal(significand: Int128, exponent: Int)
    case double(Double)

    /// The number as it is written in `value`, which is a number.
    init(_ value: JMESValue) {
        let decimal = value.withNumber { text -> JMESNumber? in
            let digits = DecimalText(text)
            guard digits.digitCount <= 38 else { return nil }
            var significand: Int128 = 0
            digits.forEachDigit {
                significand = significand * 10 + Int128($0)
                return true
            }
            let exponent = digits.isZero ? 0 : digits.magnitude - digits.digitCount
            return .decimal(significand: digits.isNegative ? -significand : significand, exponent: exponent)
        }
        self = decimal ?? .double(Self.nearestDouble(value))
    }

    /// Returns the nearest double, which is infinite beyond the range of doubles.
    static func nearestDouble(_ value: JMESValue) -> Double {
        if case .node(let node) = value, let double = node.double { return double }
        return value.numberText.flatMap { Double($0) } ?? .nan
    }

    private var double: Double {
        switch self {
        case .decimal: Double(text ?? "") ?? .nan
        case .double(let value): value
        }
    }

    private var isZero: Bool {
        switch self {
        case .decimal(let significand, _): significand == 0
        case .double(let value): value == 0
        }
    }

    /// Returns the result of an operation; throws `invalidValue` for the divisor 0 and results beyond the range of doubles.
    static func compute(
        _ operation: Expression.Arithmetic, _ left: JMESNumber, _ right: JMESNumber
    ) throws(JMESFailure) -> JMESNumber {
        switch operation {
        case .divide, .divideWhole, .remainder: if right.isZero { throw .invalidValue("a division by zero") }
        default: break
        }
        if case .decimal(let left, let leftExponent) = left, case .decimal(let right, let rightExponent) = right,
            let exact = exact(operation, (left, leftExponent), (right, rightExponent))
        {
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

    private typealias Decimal = (significand: Int128, exponent: Int)

    /// Returns the exact result, or the nearest double for a quotient; nil if the digits do not fit.
    private static func exact(_ operation: Expression.Arithmetic, _ left: Decimal, _ right: Decimal) -> JMESNumber? {
        if operation == .multiply {
            let (product, overflow) = left.significand.multipliedReportingOverflow(by: right.significand)
            return overflow ? nil : .decimal(significand: product, exponent: left.exponent + right.exponent)
        }
        // The exponent of 0 says nothing.
        let exponents = [left, right].filter { $0.significand != 0 }.map(\.exponent)
        let exponent = exponents.min() ?? 0
        guard let left = scaled(left, to: exponent), let right = scaled(right, to: exponent) else { return nil }
        switch operation {
        case .add:
            let (sum, overflow) = left.addingReportingOverflow(right)
            return overflow ? nil : .decimal(significand: sum, exponent: exponent)
        case .subtract:
            let (difference, overflow) = left.subtractingReportingOverflow(right)
            return overflow ? nil : .decimal(significand: difference, exponent: exponent)
        default: break
        }
        let (quotient, rest) = left.quotientAndRemainder(dividingBy: right)
        // The quotient is rounded down, so that the remainder has the sign of the divisor.
        let isRoundedUp = rest != 0 && (rest < 0) != (right < 0)
        switch operation {
        case .divideWhole: return .decimal(significand: isRoundedUp ? quotient - 1 : quotient, exponent: 0)
        case .remainder: return .decimal(significand: isRoundedUp ? rest + right : rest, exponent: exponent)
        default: return rest == 0 ? .decimal(significand: quotient, exponent: 0) : .double(Double(left) / Double(right))
        }
    }

    /// Rounds down; `rounded(.down)` calls a function of libm, which a program without Foundation does not link.
    private static func roundedDown(_ value: Double) -> Double {
        // From 2^52 on, every double is an integer.
        guard value.magnitude < 4_503_599_627_370_496 else { return value }
        let whole = Double(Int64(value))
        return whole > value ? whole - 1 : whole
    }

    private static func scaled(_ decimal: Decimal, to exponent: Int) -> Int128? {
        if decimal.significand == 0 { return 0 }
        guard decimal.exponent - exponent <= 38 else { return nil }
        var significand = decimal.significand
        for _ in exponent..<decimal.exponent {
            let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            significand = product
        }
        // The quotient of the lowest integer and -1 does not fit.
        return significand == .min ? nil : significand
    }

    /// Returns the integer below or above, or the number itself if it is one.
    func rounded(up: Bool) -> JMESNumber {
        switch self {
        case .double(let value): return .double(up ? -Self.roundedDown(-value) : Self.roundedDown(value))
        case .decimal(let significand, let exponent):
            guard exponent < 0 else { return self }
            var (whole, hasRest) = (significand, false)
            for _ in 0..<min(-exponent, 39) {
                hasRest = hasRest || whole % 10 != 0
                whole /= 10
            }
            if hasRest, up != (significand < 0) { whole += up ? 1 : -1 }
            return .decimal(significand: whole, exponent: 0)
        }
    }

    /// The number as a value, in its shortest form.
    var value: JMESValue { text.map { .number($0) } ?? .null }

    private var text: String? {
        switch self {
        case .double(let value):
            var writer = JSONWriter(capacity: 64)
            writer.write(value == 0 ? 0 : value)
            return writer.text(from: 0)
        case .decimal(var significand, var exponent):
            if significand == 0 { return "0" }
            while significand % 10 == 0 {
                significand /= 10
                exponent += 1
            }
            let sign = significand < 0 ? "-" : ""
            return sign + Self.text(digits: String(significand.magnitude), exponent: exponent)
        }
    }

    private static func text(digits: String, exponent: Int) -> String {
        let point = digits.utf8.count + exponent
        if exponent >= 0, point <= 39 { return digits + String(repeating: "0", count: exponent) }
        let whole = digits.prefix(max(point, 0))
        if exponent < 0, point > 0 { return "\(whole).\(digits.dropFirst(point))" }
        if exponent < 0, point > -6 { return "0." + String(repeating: "0", count: -point) + digits }
        let fraction = digits.dropFirst()
        return "\(digits.prefix(1))\(fraction.isEmpty ? "" : ".")\(fraction)e\(point - 1)"
    }
}
