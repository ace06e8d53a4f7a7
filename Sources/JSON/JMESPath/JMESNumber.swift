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
        case .decimal(let decimal): .number(decimal.text(places: Self.places))
        case .double(let value): .number(JSONWriter.text { $0.write(value == 0 ? 0 : value) })
        }
    }
}

/// A decimal number of at most 38 digits, for numbers that are computed.
package struct Decimal {
    package var significand: Int128
    /// The power of ten of the significand's last digit.
    package var exponent: Int

    package init(_ significand: Int128, exponent: Int = 0) {
        (self.significand, self.exponent) = (significand, exponent)
    }

    /// Returns the number as a multiple of 10^`exponent`, which is not above that of the number; nil if it has no room.
    func significand(inUnitsOf exponent: Int) -> Int128? {
        if significand == 0 { return 0 }
        guard self.exponent - exponent <= 38 else { return nil }
        let (product, overflow) = significand.multipliedReportingOverflow(by: Self.powerOfTen(self.exponent - exponent))
        // The quotient of the lowest integer and -1 does not fit.
        return overflow || product == .min ? nil : product
    }

    /// Returns the integer below or above, or the number itself if it is one.
    func roundedToInteger(up: Bool) -> Decimal {
        guard exponent < 0 else { return self }
        let (whole, rest) =
            exponent < -38 ? (0, significand) : significand.quotientAndRemainder(dividingBy: Self.powerOfTen(-exponent))
        return Decimal(rest != 0 && up == (rest > 0) ? whole + (up ? 1 : -1) : whole)
    }

    /// Rounds half away from zero, to so many significant digits.
    package mutating func round(toDigits count: Int) {
        // 1233 / 4096 is the logarithm of 2 to the base 10.
        let digits = ((UInt128.bitWidth - significand.magnitude.leadingZeroBitCount) * 1233) >> 12
        drop(digits - count + (significand.magnitude >= Self.powerOfTen(digits).magnitude ? 1 : 0))
    }

    /// Rounds half away from zero, to so many digits after the point.
    package mutating func round(toPlaces places: Int) { drop(-(exponent + places)) }

    /// Drops the last `count` digits, if that is positive.
    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        exponent += count
        guard count <= 38 else { return significand = 0 }
        let unit = Self.powerOfTen(count)
        let (quotient, rest) = significand.quotientAndRemainder(dividingBy: unit)
        significand = quotient + (rest.magnitude >= unit.magnitude - rest.magnitude ? rest.signum() : 0)
    }

    /// Returns the shortest JSON text, with an exponent below 1e-6 and for integers of more than `places` digits.
    package func text(places: Int) -> String {
        guard significand != 0 else { return "0" }
        // Nearly all numbers have ten digits, for which the arithmetic of 64 bits takes a fraction of the time.
        let (digits, exponent) =
            UInt64(exactly: significand.magnitude).map { Self.shortest($0, self.exponent) }
            ?? Self.shortest(significand.magnitude, self.exponent)
        let sign = significand < 0 ? "-" : ""
        let point = digits.utf8.count + exponent
        switch point {
        case ...places where exponent >= 0: return sign + digits + String(repeating: "0", count: exponent)
        case 1...places: return sign + digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0: return sign + "0." + String(repeating: "0", count: -point) + digits
        default:
            let fraction = digits.dropFirst()
            return sign + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "e\(point - 1)"
        }
    }

    /// Returns the digits without zeros at the end, and the power of ten of the last one.
    private static func shortest<Number: UnsignedInteger>(_ magnitude: Number, _ exponent: Int) -> (String, Int) {
        var (magnitude, exponent) = (magnitude, exponent)
        while magnitude % 10 == 0 { (magnitude, exponent) = (magnitude / 10, exponent + 1) }
        return (String(magnitude), exponent)
    }

    /// Returns a power of ten below 10^39.
    package static func powerOfTen(_ exponent: Int) -> Int128 { powersOfTen[exponent] }

    private static let powersOfTen = (0..<39).map { (0..<$0).reduce(1 as Int128) { power, _ in power * 10 } }
}

/// The functions on numbers.
extension Function {
    /// `round`: to so many decimals (0), half away from zero.
    func rounded(_ arguments: [JMESValue], _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        let value = arguments[0]
        let places = arguments.count > 1 ? try integer(arguments[1]) : 0
        guard -38...38 ~= places else { throw .invalidValue("round() takes -38 to 38 decimals, not \(places)") }
        if places >= 0, case .node(let node) = value, node.kind == .integer { return value }
        try context.work(value.textSize / 16)
        var number = JMESNumber(value)
        if case .double(let double) = number {
            guard double.isFinite else { throw .invalidValue("the number is beyond the range of numbers") }
            number = JMESNumber(number.value)
        }
        guard case .decimal(var decimal) = number else { return value }
        decimal.round(toPlaces: places)
        return JMESNumber.decimal(decimal).value
    }

    /// `abs`, `avg`, `ceil`, `floor`, `sum` and `to_number`.
    func number(_ value: JMESValue, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        try context.work(value.kind == .array ? 0 : value.textSize / 16)
        switch self {
        case .abs: return value.numberText?.hasPrefix("-") == true ? try value.negated() : value
        case .ceil, .floor:
            if case .node(let node) = value, node.kind == .integer { return value }
            return JMESNumber(value).rounded(up: self == .ceil).value
        case .toNumber:
            if value.kind == .number { return value }
            guard let text = value.string, NumberText.isNumber(text) else { return .null }
            return .number(text)
        default: break
        }
        var sum = JMESNumber.decimal(Decimal(0))
        var count = 0
        for element in value.elements ?? [] {
            try context.work(4 + element.textSize / 16)
            if element.isNull { continue }
            guard element.kind == .number else { throw .type("\(rawValue)()", takes: "numbers", not: element) }
            sum = try JMESNumber.compute(.add, sum, JMESNumber(element))
            count += 1
        }
        if self == .sum { return sum.value }
        if count == 0 { return .null }
        return try JMESNumber.compute(.divide, sum, .decimal(Decimal(Int128(count)))).value
    }
}
