import JMESPath

extension JMESValue {
    /// The steps that comparing with a value of the configuration may take.
    private static let comparingSteps = 1_000_000

    /// Returns whether the value equals one of the configuration; false if that takes too many steps.
    func isEqual(to other: JMESValue) -> Bool {
        var context = JMESContext(root: .null, maximumSteps: Self.comparingSteps)
        return (try? isEqual(to: other, in: &context)) ?? false
    }
}
