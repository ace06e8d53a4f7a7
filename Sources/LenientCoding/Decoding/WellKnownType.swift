import FoundationEssentials

/// The types that the coders read and write themselves, instead of leaving it to the types.
enum WellKnownType: Int {
    case string, int, double, date, url, decimal, data, integers, doubles, strings

    // Asking for the metadata of each type anew costs more than going through them here.
    private static let identifiers: [ObjectIdentifier] = [
        ObjectIdentifier(String.self), ObjectIdentifier(Int.self), ObjectIdentifier(Double.self),
        ObjectIdentifier(Date.self), ObjectIdentifier(URL.self), ObjectIdentifier(Decimal.self),
        ObjectIdentifier(Data.self), ObjectIdentifier([Int].self), ObjectIdentifier([Double].self),
        ObjectIdentifier([String].self),
    ]

    /// Which of them `type` is; nil when it is another one.
    @inline(__always)
    init?(_ type: Any.Type) {
        let identifier = ObjectIdentifier(type)
        let index = Self.identifiers.withUnsafeBufferPointer { identifiers in
            var index = 0
            while index < identifiers.count, identifiers[index] != identifier { index &+= 1 }
            return index
        }
        self.init(rawValue: index)
    }
}
