import JSONText
import LenientCoding

/// A record in an upstream's form, which is converted to a value of the contract.
///
/// The names of the upstream are in its table, the names of the contract in its properties. A field that needs no
/// conversion is read straight into the contract's value, which the record holds:
///
///     Field("screen_name", \.user.screenName)
protocol WireRecord: Record {
    associatedtype Model: Record
    /// Converts the other fields, and moves the contract's value into `model`, which is new; returns false, with the
    /// failures recorded, if a required field is missing.
    mutating func convert(to model: inout Model, _ reader: inout RecordReader) -> Bool
}

extension WireRecord {
    /// Reads the record, and converts it to `model`, which is new.
    static func read(_ node: JSONNode, into model: inout Model, _ reader: inout RecordReader) -> Bool {
        var wire = Self()
        guard reader.fill(&wire, from: node) else { return false }
        return wire.convert(to: &model, &reader) || reader.fail(.invalid) ?? false
    }

    /// Reads the record, and returns the contract's value; nil if it could not be read or converted.
    static func model(of node: JSONNode, _ reader: inout RecordReader) -> Model? {
        var model = Model()
        return read(node, into: &model, &reader) ? model : nil
    }

    /// Returns the contract's value; nil, with the failures recorded, if a required field is missing.
    func model(_ reader: inout RecordReader) -> Model? {
        var wire = self, model = Model()
        return wire.convert(to: &model, &reader) ? model : nil
    }
}

/// A value in an upstream's form, which is read and never written.
protocol WireValue: FieldValue {}

extension WireValue {
    /// Writes `null`; only the protocol requires this.
    func write(to writer: inout JSONWriter, style: WritingStyle) { writer.writeNull() }
}

/// A field that is converted as soon as it is read; a value that cannot be converted is dropped, like an unreadable one.
struct Converted<Wire: WireRecord>: WireValue {
    let model: Wire.Model

    static var expectation: String { Wire.expectation }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Converted? {
        Wire.model(of: node, &reader).map { Converted(model: $0) }
    }
}

/// A list whose elements are converted as soon as they are read, each in its place in the array.
struct ConvertedList<Wire: WireRecord>: WireValue {
    let models: [Wire.Model]

    static var expectation: String { [Wire].expectation }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> ConvertedList? {
        reader.fillElements(of: node, rules, expected: Wire.expectation, blank: Wire.Model.init) {
            Wire.read($0, into: &$1, &$2)
        }.map { ConvertedList(models: $0) }
    }
}
