/// Distinguishes optional types from others at run time.
protocol NilRepresentable {
    static var absent: Self { get }
    var wrapped: Any? { get }
}

extension Optional: NilRepresentable {
    static var absent: Wrapped? { nil }
    var wrapped: Any? { self }
}

/// Returns a nil of type `Value` if it is an optional type; returns no value otherwise.
func absentValue<Value>(of type: Value.Type) -> Value? {
    guard let optional = type as? any NilRepresentable.Type else { return nil }
    return optional.absent as? Value
}

/// Returns whether `value` is a nil of an optional type.
func isAbsent(_ value: some Any) -> Bool {
    guard let optional = value as? any NilRepresentable else { return false }
    return optional.wrapped == nil
}
