package import JSONText

extension RecordReader {
    /// Reads the first `count` elements of the current array as numbers by the rules of a field, into `values` from `start`
    /// on.
    ///
    /// Nulls are left out; so are elements that cannot be read and those from `count` on, which is noted.
    package mutating func readNumbers(
        of array: JSONNode, first count: Int, as field: SchemaField<Double>, converted step: Conversion.Step?,
        into values: inout [Double], at start: Int
    ) {
        enterElements()
        defer { leave() }
        let bounds = NumberBounds(field.rules, in: .base)
        for (index, element) in array.elements.enumerated() {
            if account.mustStop(at: array) { return }
            if index < count, let number = element.double, number != bounds.absent {
                let value = step.map { $0(number) } ?? number
                if value >= bounds.lowest, value <= bounds.highest {
                    // Drops the sign of -0.
                    values[start + index] = value == 0 ? 0 : value
                    continue
                }
            }
            if element.isNull { continue }
            move(toElement: index)
            if index >= count {
                note(.dropped, .tooMany)
            } else if let value = self.number(element, as: field, converted: step) {
                values[start + index] = value
            }
        }
    }

    /// Returns the elements of an array if each one is a number that the field accepts as it is, or null, which is NaN.
    ///
    /// Returns nil for any other array, and for one of more than `maximum` elements. Notes nothing.
    package func plainNumbers(
        of array: JSONNode, as field: SchemaField<Double>, atMost maximum: Int
    ) -> [Double]? {
        guard array.kind == .array, array.count <= maximum else { return nil }
        let bounds = NumberBounds(field.rules, in: .base)
        var numbers: [Double] = []
        numbers.reserveCapacity(array.count)
        for element in array.elements {
            if let number = element.double, bounds.allow(number) {
                numbers.append(number)
            } else if element.isNull {
                numbers.append(.nan)
            } else {
                return nil
            }
        }
        return numbers
    }
}
