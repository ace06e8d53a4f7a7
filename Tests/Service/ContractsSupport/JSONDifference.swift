package import Records

/// A comparison of an answer with the expected one.
package enum JSONDifference {
    /// Returns the first difference with its path, or nil if there is none.
    ///
    /// Keys must be in the same order. Numbers must be the same double, in its shortest form.
    package static func first(_ expected: JSONValue, _ actual: JSONValue, at path: String = "$") -> String? {
        switch (expected, actual) {
        case (.object(let left), .object(let right)):
            if left.map(\.key) != right.map(\.key) {
                return "\(path): expected the keys \(left.map(\.key)), found \(right.map(\.key))"
            }
            return zip(left, right).lazy.compactMap { first($0.value, $1.value, at: "\(path).\($0.key)") }.first
        case (.array(let left), .array(let right)):
            if left.count != right.count { return "\(path): expected \(left.count) elements, found \(right.count)" }
            return zip(left, right).enumerated().lazy
                .compactMap { first($1.0, $1.1, at: "\(path)[\($0)]") }.first
        case (.number(let left), .number(let right)):
            let isSame = left == right || Double(left) == Double(right) && isShortest(right)
            return isSame ? nil : "\(path): expected \(left), found \(right)"
        case (.string(let left), .string(let right)) where left.utf8.elementsEqual(right.utf8): return nil
        default: return expected == actual ? nil : "\(path): expected \(expected), found \(actual)"
        }
    }

    /// Whether no shorter text spells the same double.
    private static func isShortest(_ text: String) -> Bool {
        guard let number = Double(text) else { return false }
        return text.count <= number.description.count && !text.hasSuffix(".0")
    }
}
