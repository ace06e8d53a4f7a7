/// Tells optional types from others at run time.
protocol NilRepresentable {
    /// The type's nil.
    static var absent: Self { get }
    /// The value inside; nil when there is none.
    var wrapped: Any? { get }
}

extension Optional: NilRepresentable {
    static var absent: Wrapped? { nil }
    var wrapped: Any? { self }
}

/// The nil of `type` where it is optional; no value where it is not.
func absentValue<Value>(of type: Value.Type) -> Value? {
    guard let optional = type as? any NilRepresentable.Type else { return nil }
    return optional.absent as? Value
}

/// Whether `value` is an optional without a value.
func isAbsent(_ value: some Any) -> Bool {
    guard let optional = value as? any NilRepresentable else { return false }
    return optional.wrapped == nil
}
